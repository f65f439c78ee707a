#include "convert/report.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>

#include "rope/io/npy.hpp"
#include "rope/io/quote.hpp"
#include "rope/rotary/frequencies.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostRows = 12;

/// "From interleaved to half layout"
std::string direction_text(const LayoutChange& change) {
  return fmt::format("From {} to {} layout", name(change.from), name(change.to));
}

}  // namespace

void print_tensor(const OneTensor& one, const Console& console) {
  const io::Tensor& x = one.tensor;
  const std::size_t d = one.heads.head_dim, r = one.change.rotary_dim;
  console.say(console.paint(
      Ink::strong, fmt::format("{}: {} of {} numbers along axis {}{}.", direction_text(one.change),
                               counted(one.heads.heads, "head"), d, one.heads.axis,
                               r == d ? std::string() : fmt::format(", the first {} of each", r))));
  console.say(fmt::format("{}: {} {}", io::printable(x.name(), 200), io::name(x.type()),
                          io::shape_text(x.shape())));
}

void print_checkpoint(const CheckpointPlan& plan, const Console& console) {
  const std::size_t converted = plan.converted.size();
  console.say(console.paint(
      Ink::strong,
      fmt::format("{}: {} converted, {} dimensions of each head; {} copied as {}.",
                  direction_text(plan.change), counted(converted, "tensor"), plan.change.rotary_dim,
                  plan.header.tensors.size() - converted,
                  plan.header.tensors.size() - converted == 1 ? "it is" : "they are")));
  Table table({{"tensor", Table::Align::left},
               {"role", Table::Align::left},
               {"type", Table::Align::left},
               {"heads"},
               {"head size"}});
  const ShownRows shown = shown_rows(converted, kMostRows);
  for (std::size_t i = 0; i < shown.rows.size(); ++i) {
    const ConvertedWeight& weight = plan.converted[shown.rows[i]];
    const io::SafetensorsEntry& entry = plan.header.tensors[weight.entry];
    if (shown.gap_before(i)) table.add_row({"…", "", "", "", ""});
    table.add_row({io::printable(entry.name, 80), std::string(name(weight.role)), entry.dtype,
                   std::to_string(weight.heads.heads), std::to_string(weight.heads.head_dim)});
  }
  console.print(table);
}

}  // namespace rope::app
