#include <fmt/format.h>

#include <algorithm>

#include "inspect/report.hpp"
#include "rope/documents/inspection.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "shown/pair_tables.hpp"

namespace rope::app {
namespace {

/// The layer of the other model to compare with: of the same name, or the only one.
const LayerRope* partner(const LayerRope& layer, const ModelRope& other) {
  if (other.layers.size() == 1) return &other.layers.front();
  const auto found = std::ranges::find(other.layers, layer.name, &LayerRope::name);
  return found == other.layers.end() ? nullptr : &*found;
}

struct Difference {
  std::string field, a, b;
};

std::vector<Difference> field_differences(const Inspection& a, const LayerRope& x,
                                          const Inspection& b, const LayerRope& y) {
  const auto optional = [](const std::optional<std::int64_t>& value) {
    return value ? std::to_string(*value) : std::string("-");
  };
  std::vector<Difference> all = {
      {"rope_type", x.rope_type, y.rope_type},
      {"head_dim", std::to_string(x.head_dim), std::to_string(y.head_dim)},
      {"rotary_dim", std::to_string(x.rotary_dim), std::to_string(y.rotary_dim)},
      {"base", fmt::format("{}", x.base), fmt::format("{}", y.base)},
      {"layout", std::string(name(x.layout)), std::string(name(y.layout))},
      {"attention_factor", precise(x.scaled.attention_factor), precise(y.scaled.attention_factor)},
      {"context", optional(a.model.context), optional(b.model.context)},
      {"original_context", optional(x.original_context), optional(y.original_context)}};
  std::erase_if(all, [](const Difference& one) { return one.a == one.b; });
  return all;
}

void print_layer_differences(const Inspection& a, const LayerRope& x, const Inspection& b,
                             const LayerRope& y, bool details, const Console& console) {
  const Frequencies& p = x.scaled.frequencies;
  const Frequencies& q = y.scaled.frequencies;
  const std::size_t pairs = std::min(p.pairs(), q.pairs());
  std::vector<std::size_t> differ;
  for (std::size_t k = 0; k < pairs; ++k)
    if (p.theta[k] != q.theta[k]) differ.push_back(k);
  console.say(console.paint(
      Ink::strong, differ.empty()
                       ? fmt::format("The frequencies of all {} pairs are the same.", pairs)
                       : fmt::format("The frequencies of {} of {} pairs differ: k = {}.",
                                     differ.size(), pairs, ranges_text(differ))));
  const std::vector<Difference> fields = field_differences(a, x, b, y);
  if (!fields.empty()) {
    Table table({{"", Table::Align::left}, {"A"}, {"B"}});
    for (const Difference& one : fields) table.add_row({one.field, one.a, one.b});
    console.print(table);
  }
  if (differ.empty()) return;
  std::vector<std::size_t> marks;  // where pairs begin to differ, or to be the same again
  for (std::size_t k = 1; k < pairs; ++k)
    if ((p.theta[k] == q.theta[k]) != (p.theta[k - 1] == q.theta[k - 1])) marks.push_back(k);
  print_pairs(pair_differences(x, y, pairs), marks, details, console);
}

}  // namespace

void print_difference(const Inspection& a, const Inspection& b, bool details,
                      const Console& console) {
  console.say("A  " + heading(a.model));
  console.say("B  " + heading(b.model));
  const bool turned = a.model.layers.size() == 1 && b.model.layers.size() > 1;
  const Inspection& outer = turned ? b : a;
  const Inspection& inner = turned ? a : b;
  for (const LayerRope& layer : outer.model.layers) {
    if (!layer.name.empty()) console.print("\n" + console.paint(Ink::strong, layer.name) + "\n");
    const LayerRope* const other = partner(layer, inner.model);
    if (other == nullptr)
      console.say("Only one of the two has such layers.");
    else if (turned)
      print_layer_differences(a, *other, b, layer, details, console);
    else
      print_layer_differences(a, layer, b, *other, details, console);
  }
}

}  // namespace rope::app
