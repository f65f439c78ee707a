#include <nlohmann/json.hpp>

#include "rope/model/families/family.hpp"
#include "rope/model/model_identity.hpp"

namespace rope {
namespace {

/// T5's model type, and other attention.
bool is_chronos2(const io::Json& config) {
  return is_of_type(config, "t5") && names_architecture(config, "Chronos2Model");
}

/// Chronos-2: patches of a time series attend along time with positions, and across the series of
/// a group without.
///
/// Source    amazon-science/chronos-forecasting 95185d13, src/chronos/chronos2: config.py,
///           layers.py (TimeSelfAttention, GroupSelfAttention).
void read_chronos2(const Fields& root, const ReadOptions& /*options*/, ModelRope& model) {
  constexpr std::int64_t kHead = 64;
  constexpr double kBase = 10000;
  const auto head = static_cast<std::size_t>(root.positive_integer("d_kv").value_or(kHead));
  if (head > kMaxRotaryDim) root.refuse("d_kv", "at most 65536", "d_kv is the size of one head.");
  model.layers.push_back(
      unscaled_layer(head, root.number("rope_theta").value_or(kBase), PairLayout::half));
  model.notes.emplace_back(
      "attention along time uses rotation, with patches of the series as positions; attention "
      "across a group of series does not");
}

}  // namespace

constinit const Family chronos2_family = {is_chronos2, read_chronos2, true};

}  // namespace rope
