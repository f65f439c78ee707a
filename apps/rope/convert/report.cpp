#include "convert/report.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>

#include "rope/io/json_value.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/quote.hpp"
#include "rope/rotary/frequencies.hpp"
#include "shown/table.hpp"

namespace rope::app {
namespace {

std::string arrow(const LayoutChange& change) {
  return fmt::format("{} -> {}", name(change.from), name(change.to));
}

std::string_view name(WeightRole role) {
  return role == WeightRole::query ? "query" : role == WeightRole::key ? "key" : "norm";
}

std::string document(const LayoutChange& change, const io::JsonValue& tensors, std::size_t copied) {
  return io::JsonValue{{"schema", "rope.convert/1"}, {"from", name(change.from)},
                       {"to", name(change.to)},      {"rotary_dim", change.rotary_dim},
                       {"tensors", tensors},         {"copied", copied}}
      .document();
}

}  // namespace

std::string tensor_report(const OneTensor& one) {
  const io::Tensor& x = one.tensor;
  return fmt::format("  {}: {} {}, {} of {} along axis {}: {}, {} dimensions of each\n",
                     io::printable(x.name(), 200), io::name(x.type()), io::shape_text(x.shape()),
                     one.heads.heads == 1 ? "1 head" : fmt::format("{} heads", one.heads.heads),
                     one.heads.head_dim, one.heads.axis, arrow(one.change), one.change.rotary_dim);
}

std::string tensor_json(const OneTensor& one) {
  const io::JsonValue tensor = {
      {"name", one.tensor.name()},   {"type", io::name(one.tensor.type())},
      {"shape", one.tensor.shape()}, {"axis", one.heads.axis},
      {"heads", one.heads.heads},    {"head_dim", one.heads.head_dim}};
  return document(one.change, std::vector{tensor}, 0);
}

std::string checkpoint_report(const CheckpointPlan& plan) {
  Table table({{"tensor", Table::Align::left},
               {"role", Table::Align::left},
               {"type", Table::Align::left},
               {"heads"},
               {"head size"}});
  const ShownRows shown = shown_rows(plan.converted.size(), 24);
  for (std::size_t i = 0; i < shown.rows.size(); ++i) {
    const ConvertedWeight& weight = plan.converted[shown.rows[i]];
    const io::SafetensorsEntry& entry = plan.header.tensors[weight.entry];
    if (shown.gap_before(i)) table.add_row({"...", "", "", "", ""});
    table.add_row({io::printable(entry.name, 80), std::string(name(weight.role)), entry.dtype,
                   std::to_string(weight.heads.heads), std::to_string(weight.heads.head_dim)});
  }
  return table.text() +
         fmt::format("\n  {}, {} dimensions of each head; {} converted, {} copied as they are\n",
                     arrow(plan.change), plan.change.rotary_dim, plan.converted.size(),
                     plan.header.tensors.size() - plan.converted.size());
}

std::string checkpoint_json(const CheckpointPlan& plan) {
  const auto converted = io::json_list(plan.converted, [&](const ConvertedWeight& weight) {
    const io::SafetensorsEntry& entry = plan.header.tensors[weight.entry];
    return io::JsonValue{{"name", entry.name},
                         {"role", name(weight.role)},
                         {"type", entry.dtype},
                         {"shape", entry.shape},
                         {"axis", weight.heads.axis},
                         {"heads", weight.heads.heads},
                         {"head_dim", weight.heads.head_dim}};
  });
  return document(plan.change, converted, plan.header.tensors.size() - plan.converted.size());
}

}  // namespace rope::app
