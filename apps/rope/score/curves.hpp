#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rope/pictures/score.hpp"
#include "score/setting.hpp"
#include "shown/console.hpp"

namespace rope::app {

struct ScoreCurves {
  std::vector<std::int64_t> distances;
  std::vector<NamedScoreCurve> curves;  ///< one per key
};

void print_curves(const ScoreSetting& setting, const ScoreCurves& curves, bool details,
                  const Console& console);
std::string curves_csv(const ScoreCurves& curves, CsvForm form);
std::string curves_json(const ScoreSetting& setting, const ScoreCurves& curves);

}  // namespace rope::app
