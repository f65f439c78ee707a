#include "rope/documents/conversion.hpp"

#include <cstddef>
#include <vector>

#include "rope/io/json_value.hpp"

namespace rope {
namespace {

std::string document(const LayoutChange& change, const io::JsonValue& tensors, std::size_t copied) {
  return io::JsonValue{{"schema", "rope.convert/1"}, {"from", name(change.from)},
                       {"to", name(change.to)},      {"rotary_dim", change.rotary_dim},
                       {"tensors", tensors},         {"copied", copied}}
      .document();
}

}  // namespace

std::string tensor_json(const OneTensor& one) {
  const io::JsonValue tensor = {
      {"name", one.tensor.name()},   {"type", io::name(one.tensor.type())},
      {"shape", one.tensor.shape()}, {"axis", one.heads.axis},
      {"heads", one.heads.heads},    {"head_dim", one.heads.head_dim}};
  return document(one.change, std::vector{tensor}, 0);
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

}  // namespace rope
