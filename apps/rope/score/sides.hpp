#pragma once

#include <string>

#include "score/setting.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// A score at one pair of positions, and its terms.
struct ScoreAnswer {
  ScoreSides sides;
  ScoreTerms terms;
};

/// Prints both sides of the identity and their difference.
void print_sides(const ScoreSetting& setting, const ScoreAnswer& answer, bool details,
                 const Console& console);

/// Prints the terms that contribute most or, with `details`, all terms.
void print_terms(const ScoreSetting& setting, const ScoreAnswer& answer, bool details,
                 const Console& console);
std::string terms_csv(const ScoreTerms& terms);
std::string score_json(const ScoreSetting& setting, const ScoreAnswer& answer);

}  // namespace rope::app
