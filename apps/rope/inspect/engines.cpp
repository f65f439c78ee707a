#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "inspect/report.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

/// "θ_i off by up to 76.3 % (pair 12), A 1.25 instead of 1"
std::string difference_text(const EngineDifference& difference, const ModelRope& model) {
  if (!difference.refusal.empty()) return "refuses it: " + difference.refusal;
  std::string text;
  if (difference.frequency > 0)
    text = fmt::format("θ_i differs by up to {:.3g} % (pair {})", 100 * difference.frequency,
                       difference.pair);
  const auto layer = std::ranges::find(model.layers, difference.layer, &LayerRope::name);
  if (difference.attention_factor)
    text += fmt::format("{}A {} instead of {}", text.empty() ? "" : ", ",
                        six_digits(*difference.attention_factor),
                        six_digits(layer->scaled.attention_factor));
  if (difference.seq_len) text += fmt::format(" at {} tokens", *difference.seq_len);
  return text;
}

}  // namespace

void print_engines(const Inspection& inspection, const Console& console) {
  if (inspection.engines.empty()) return;
  std::vector<std::pair<std::vector<std::string>, std::string>> readings;  // engines, and theirs
  for (const EngineDifference& difference : inspection.engines) {
    const std::string text = (difference.layer.empty() ? "" : difference.layer + ": ") +
                             difference_text(difference, inspection.model);
    const auto same = std::ranges::find(readings, text, [](const auto& one) { return one.second; });
    if (same == readings.end())
      readings.push_back({{std::string(name(difference.engine))}, text});
    else
      same->first.emplace_back(name(difference.engine));
  }
  constexpr std::size_t kOfASentence = 2;
  if (readings.size() <= kOfASentence) {
    std::string text;
    for (const auto& [engines, difference] : readings)
      text += fmt::format("{}{} {} this differently: {}", text.empty() ? "" : "; ", listed(engines),
                          engines.size() == 1 ? "reads" : "read", difference);
    console.say(text + hint(" (--engine NAME)") + ".");
    return;
  }
  console.say("Other engines read it differently" + hint(" (--engine NAME)") + ":");
  Table table({{"", Table::Align::left}, {"", Table::Align::left}});
  for (const auto& [engines, text] : readings)
    table.add_row({fmt::format("{}", fmt::join(engines, ", ")), text});
  console.print(table, "");
}

}  // namespace rope::app
