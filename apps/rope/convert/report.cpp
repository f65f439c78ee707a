#include "convert/report.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include "rope/io/json.hpp"
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

}  // namespace

std::string tensor_report(const OneTensor& one) {
  const io::Tensor& x = one.tensor;
  return fmt::format("  {}: {} {}, {} of {} along axis {}: {}, {} dimensions of each\n",
                     io::printable(x.name(), 200), io::name(x.type()), io::shape_text(x.shape()),
                     one.heads.heads == 1 ? "1 head" : fmt::format("{} heads", one.heads.heads),
                     one.heads.head_dim, one.heads.axis, arrow(one.change), one.change.rotary_dim);
}

std::string tensor_json(const OneTensor& one) {
  io::Json document;
  document["schema"] = "rope.convert/1";
  document["from"] = name(one.change.from);
  document["to"] = name(one.change.to);
  document["rotary_dim"] = one.change.rotary_dim;
  document["tensors"] = io::Json::array({{{"name", one.tensor.name()},
                                          {"type", io::name(one.tensor.type())},
                                          {"shape", one.tensor.shape()},
                                          {"axis", one.heads.axis},
                                          {"heads", one.heads.heads},
                                          {"head_dim", one.heads.head_dim}}});
  document["copied"] = 0;
  return io::to_json_text(document);
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
    if (shown.left_out > 0 && i == shown.gap_after) table.add_row({"...", "", "", "", ""});
    table.add_row({io::printable(entry.name, 80), std::string(name(weight.role)), entry.dtype,
                   std::to_string(weight.heads.heads), std::to_string(weight.heads.head_dim)});
  }
  return table.text() +
         fmt::format("\n  {}, {} dimensions of each head; {} converted, {} copied as they are\n",
                     arrow(plan.change), plan.change.rotary_dim, plan.converted.size(),
                     plan.header.tensors.size() - plan.converted.size());
}

std::string checkpoint_json(const CheckpointPlan& plan) {
  io::Json document;
  document["schema"] = "rope.convert/1";
  document["from"] = name(plan.change.from);
  document["to"] = name(plan.change.to);
  document["rotary_dim"] = plan.change.rotary_dim;
  document["tensors"] = io::Json::array();
  for (const ConvertedWeight& weight : plan.converted) {
    const io::SafetensorsEntry& entry = plan.header.tensors[weight.entry];
    io::Json tensor;
    tensor["name"] = entry.name;
    tensor["role"] = name(weight.role);
    tensor["type"] = entry.dtype;
    tensor["shape"] = entry.shape;
    tensor["axis"] = weight.heads.axis;
    tensor["heads"] = weight.heads.heads;
    tensor["head_dim"] = weight.heads.head_dim;
    document["tensors"].push_back(std::move(tensor));
  }
  document["copied"] = plan.header.tensors.size() - plan.converted.size();
  return io::to_json_text(document);
}

}  // namespace rope::app
