#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rope/pictures/score.hpp"
#include "score/setting.hpp"
#include "shown/console.hpp"

namespace rope::app {

struct ScoreGrid {
  std::vector<std::int64_t> positions;
  EncodingContext context;
  std::vector<GridEncoding> encodings;
};

void print_grid(const ScoreSetting& setting, const ScoreGrid& grid, bool details,
                const Console& console);
std::string grid_csv(const ScoreGrid& grid);
std::string grid_json(const ScoreSetting& setting, const ScoreGrid& grid);

}  // namespace rope::app
