#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "inspect/report.hpp"
#include "rope/documents/inspection.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "shown/pair_tables.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

/// The layer of the other model to compare with: of the same name, or the only one.
const LayerRope* partner(const LayerRope& layer, const ModelRope& other) {
  if (other.layers.size() == 1) return &other.layers.front();
  const auto found = std::ranges::find(other.layers, layer.name, &LayerRope::name);
  return found == other.layers.end() ? nullptr : &*found;
}

/// Layers of both models that are compared; `y` is missing where the other has none such.
struct ComparedLayers {
  std::string name;  ///< of their kind; empty where all layers are alike
  const LayerRope* x = nullptr;
  const LayerRope* y = nullptr;

  std::size_t pairs() const {
    return std::min(x->scaled.frequencies.pairs(), y->scaled.frequencies.pairs());
  }
  bool same_theta(std::size_t k) const {
    return x->scaled.frequencies.theta[k] == y->scaled.frequencies.theta[k];
  }
  std::vector<std::size_t> differing() const {
    std::vector<std::size_t> differ;
    for (std::size_t k = 0; k < pairs(); ++k)
      if (!same_theta(k)) differ.push_back(k);
    return differ;
  }
};

std::vector<ComparedLayers> compared_layers(const ModelRope& a, const ModelRope& b) {
  const bool turned = a.layers.size() == 1 && b.layers.size() > 1;
  std::vector<ComparedLayers> all;
  for (const LayerRope& layer : turned ? b.layers : a.layers) {
    const LayerRope* const other = partner(layer, turned ? a : b);
    all.push_back({layer.name, turned && other != nullptr ? other : &layer,
                   turned && other != nullptr ? &layer : other});
  }
  return all;
}

/// "64 pairs", "nothing"
std::string rotated_text(const LayerRope& layer) {
  return layer.rotates() ? counted(layer.scaled.frequencies.pairs(), "pair") : "nothing";
}

/// What differs, in a sentence that needs no other.
std::string answer(const Inspection& a, const Inspection& b, const ComparedLayers& both) {
  if (both.y == nullptr) return "Only one of the two has such layers.";
  if (!both.x->rotates() && !both.y->rotates()) return "Neither of the two rotates anything.";
  std::string text;
  if (both.x->scaled.frequencies.pairs() != both.y->scaled.frequencies.pairs())
    text = fmt::format("{} rotates {}; {} rotates {}.", a.model.name, rotated_text(*both.x),
                       b.model.name, rotated_text(*both.y));
  if (both.pairs() == 0) return text;
  const std::vector<std::size_t> differ = both.differing();
  if (!text.empty()) text += " ";
  return text + (differ.empty()
                     ? fmt::format("The frequencies of all {} pairs are the same.", both.pairs())
                     : fmt::format("The frequencies of {} of {} pairs differ: i = {}.",
                                   differ.size(), both.pairs(), ranges_text(differ)));
}

struct Difference {
  std::string field, a, b;
};

std::vector<Difference> field_differences(const Inspection& a, const LayerRope& x,
                                          const Inspection& b, const LayerRope& y) {
  const auto optional = [](const std::optional<std::int64_t>& value) {
    return value ? std::to_string(*value) : std::string("-");
  };
  const auto base = [](const LayerRope& layer) {
    return layer.rotates() ? fmt::format("{}", layer.base) : std::string("-");
  };
  std::vector<Difference> all = {
      {"rope_type", x.rope_type, y.rope_type},
      {"head_dim", std::to_string(x.head_dim), std::to_string(y.head_dim)},
      {"rotary_dim", std::to_string(x.rotary_dim), std::to_string(y.rotary_dim)},
      {"base", base(x), base(y)},
      {"layout", std::string(name(x.layout)), std::string(name(y.layout))},
      {"attention_factor", precise(x.scaled.attention_factor), precise(y.scaled.attention_factor)},
      {"context", optional(a.model.context), optional(b.model.context)},
      {"original_context", optional(x.original_context), optional(y.original_context)}};
  std::erase_if(all, [](const Difference& one) { return one.a == one.b; });
  return all;
}

void print_layer_differences(const Inspection& a, const Inspection& b, const ComparedLayers& both,
                             bool details, const Console& console) {
  const std::vector<Difference> fields = field_differences(a, *both.x, b, *both.y);
  if (!fields.empty()) {
    Table table({{"", Table::Align::left}, {"A"}, {"B"}});
    for (const Difference& one : fields) table.add_row({one.field, one.a, one.b});
    console.print(table, "Settings that differ");
  }
  if (both.differing().empty()) return;
  std::vector<std::size_t> marks;  // where pairs begin to differ, or to be the same again
  for (std::size_t k = 1; k < both.pairs(); ++k)
    if (both.same_theta(k) != both.same_theta(k - 1)) marks.push_back(k);
  print_pairs(pair_differences(*both.x, *both.y, both.pairs()), marks, details, console);
}

}  // namespace

void print_difference(const Inspection& a, const Inspection& b, bool details,
                      const Console& console) {
  const std::vector<ComparedLayers> all = compared_layers(a.model, b.model);
  for (const ComparedLayers& both : all)
    console.say_answer((both.name.empty() ? "" : both.name + ": ") + answer(a, b, both));
  console.say("A  " + heading(a.model));
  console.say("B  " + heading(b.model));
  for (const ComparedLayers& both : all) {
    if (both.y == nullptr) continue;
    if (!both.name.empty()) console.print("\n" + console.paint(Ink::strong, both.name) + "\n");
    print_layer_differences(a, b, both, details, console);
  }
}

}  // namespace rope::app
