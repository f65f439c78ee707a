#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "named/vectors.hpp"
#include "rope/io/json_value.hpp"
#include "rope/plot/text.hpp"
#include "rope/studies/score.hpp"
#include "rope/words/embedding_text.hpp"

namespace rope::app {

/// The largest number of rows in a table unless all are requested.
inline constexpr std::size_t kMostScoreRows = 12;

/// The vectors, as the user named them and as numbers, and the embedding that turns them.
struct ScoreSetting {
  RotaryVariant variant;
  NamedVector query;
  std::vector<NamedVector> keys;  ///< more than one only for curves
  std::uint64_t seed = 42;
  std::vector<double> q;
  std::vector<std::vector<double>> k;  ///< one for each of the keys

  ScoreVectors vectors(std::size_t key = 0) const { return {variant.embedding, q, k[key]}; }
};

/// "q = (1, 2), k = (3, -1); frequencies 0.5, layout interleaved"
std::string describe(const ScoreSetting& setting, Language language);

/// The name of a vector in a picture: R_{−300} is set as mathematics, and text that the user wrote
/// is left as it is.
plot::Text drawn_name(const NamedVector& vector, std::string_view symbol, std::uint64_t seed);

/// The text below the titles of pictures.
std::string describe_drawn(const ScoreSetting& setting);

/// A JSON document that contains the fields with which every score document begins.
io::JsonValue document_of(const ScoreSetting& setting, std::string_view view);
io::JsonValue key_json(const ScoreSetting& setting, std::size_t key);

}  // namespace rope::app
