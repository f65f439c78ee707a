#include "rope/model/meta_params.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "rope/error.hpp"
#include "rope/model/fields.hpp"
#include "rope/model/rule_reader.hpp"

namespace rope {
namespace {

/// What Meta's code has for the scaling that params.json only switches on.
io::Json scaling_of(const Fields& root) {
  io::Json scaling = io::Json::object();
  if (!root.flag("use_scaled_rope").value_or(false)) return scaling;
  scaling["rope_type"] = "llama3";
  const std::optional<double> factor = root.number("rope_scaling_factor");
  if (!factor)
    root.warn(root.path() + "use_scaled_rope: the factor does not stand in the file: 8 is taken, " +
              "as Meta's code for Llama 3.1 has it; Llama 3.2 needs 32: write " +
              "\"rope_scaling_factor\": 32");
  scaling["factor"] = factor.value_or(8);
  scaling["low_freq_factor"] = 1;
  scaling["high_freq_factor"] = root.number("rope_high_freq_factor").value_or(4);
  scaling["original_max_position_embeddings"] = 8192;
  return scaling;
}

}  // namespace

bool is_meta_params(const io::Json& document) {
  return document.is_object() && document.contains("dim") && document.contains("n_heads") &&
         !document.contains("hidden_size");
}

ModelRope read_meta_params(const io::Json& params, const std::string& name,
                           const ReadOptions& options) {
  ModelRope model;
  model.name = name;
  model.model_type = "llama";
  model.schema = "params.json";
  const Fields root(params, name + ": ", model.warnings);
  const auto dim = root.positive_integer("dim");
  const auto heads = root.positive_integer("n_heads");
  if (!dim || !heads || *dim % *heads != 0)
    root.refuse("dim", "a multiple of n_heads", "Their quotient is the size of a head.");
  LayerFacts facts;
  facts.model_type = model.model_type;
  facts.root_path = root.path();
  facts.head_dim =
      static_cast<std::size_t>(root.positive_integer("head_dim").value_or(*dim / *heads));
  facts.layout = PairLayout::interleaved;
  const std::optional<double> base = root.number("rope_theta");
  if (!base)
    root.warn(root.path() + "rope_theta is missing, so 10000, Llama 2's, is taken: write the base");
  facts.base = base.value_or(10000);
  model.context = root.positive_integer("max_seq_len");
  facts.context = model.context;
  const io::Json scaling = scaling_of(root);
  std::vector<std::string> warnings;
  const Fields fields(scaling, root.path(), warnings);
  LayerRope layer = read_rule(fields, facts, options);
  layer.warnings = std::move(warnings);
  model.layers.push_back(std::move(layer));
  return model;
}

}  // namespace rope
