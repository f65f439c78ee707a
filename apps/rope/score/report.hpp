#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "named/vectors.hpp"
#include "rope/pictures/embedding_text.hpp"
#include "rope/pictures/score.hpp"
#include "rope/studies/score.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// The vectors as they were named and as they are, and the embedding that turns them.
struct ScoreSetting {
  RotaryVariant variant;
  NamedVector query;
  std::vector<NamedVector> keys;  ///< several only for curves
  std::uint64_t seed = 42;
  std::vector<double> q;
  std::vector<std::vector<double>> k;  ///< as many as keys

  ScoreVectors vectors(std::size_t key = 0) const { return {variant.embedding, q, k[key]}; }
};

/// "q = (1, 2), k = (3, -1); frequencies 0.5, layout interleaved"
std::string describe(const ScoreSetting& setting);

/// A vector as a picture names it: R_{−300} set as mathematics, what a user wrote as it is.
plot::Text drawn_name(const NamedVector& vector, std::string_view symbol, std::uint64_t seed);

/// What pictures say below their titles.
std::string describe_drawn(const ScoreSetting& setting);

/// A score at one pair of positions, and its terms.
struct ScoreAnswer {
  ScoreSides sides;
  ScoreTerms terms;
};

/// Both sides and their difference.
void print_sides(const ScoreSetting& setting, const ScoreAnswer& answer, bool details,
                 const Console& console);

/// The terms, those that add most; all with `details`.
void print_terms(const ScoreSetting& setting, const ScoreAnswer& answer, bool details,
                 const Console& console);
std::string terms_csv(const ScoreTerms& terms);
std::string score_json(const ScoreSetting& setting, const ScoreAnswer& answer);

struct ScoreCurves {
  std::vector<std::int64_t> distances;
  std::vector<NamedScoreCurve> curves;  ///< one a key
};

void print_curves(const ScoreSetting& setting, const ScoreCurves& curves, bool details,
                  const Console& console);
std::string curves_csv(const ScoreCurves& curves);
std::string curves_json(const ScoreSetting& setting, const ScoreCurves& curves);

struct ScoreGrid {
  std::vector<std::int64_t> positions;
  std::vector<GridEncoding> encodings;
};

void print_grid(const ScoreSetting& setting, const ScoreGrid& grid, bool details,
                const Console& console);
std::string grid_csv(const ScoreGrid& grid);
std::string grid_json(const ScoreSetting& setting, const ScoreGrid& grid);

}  // namespace rope::app
