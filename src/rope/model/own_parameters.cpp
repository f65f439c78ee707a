#include "rope/model/own_parameters.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "rope/io/quote.hpp"
#include "rope/model/class_defaults.hpp"

namespace rope {
namespace {

bool presets_its_type(const TypeNames& types) {
  return lays_scaling_over(types.of_file) || lays_scaling_over(types.known);
}

std::optional<double> number_of(const io::Json& parameters, const char* name) {
  const auto found = parameters.find(name);
  if (found == parameters.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::string text_of(const io::Json& parameters, const char* name) {
  const auto found = parameters.find(name);
  return found != parameters.end() && found->is_string() ? found->get<std::string>()
                                                         : std::string();
}

/// Hunyuan: NTK-aware by alpha, at every length.
OwnParameters extended_by(double alpha, const io::Json& parameters, const LayerFacts& facts) {
  OwnParameters own{parameters, "dynamic", "", ""};
  const auto d = static_cast<double>(facts.head_dim);
  const double base = number_of(parameters, "rope_theta").value_or(facts.base);
  own.parameters = {{"rope_type", "default"}, {"rope_theta", base * std::pow(alpha, d / (d - 2))}};
  for (const char* name : {"xdrope_section", "mrope_section"})  // one thing by two names
    if (const auto found = parameters.find(name); found != parameters.end())
      own.parameters["mrope_section"] = *found;
  own.note = "alpha " + shown(alpha) + ": the base is " + shown(base) +
             " times alpha^(d/(d − 2)), at every length, as in Hunyuan's code";
  return own;
}

/// Of GTE (Alibaba-NLP/new-impl, modeling.py): NTK-aware, at every length.
OwnParameters stretched_by(double factor, const io::Json& parameters, const LayerFacts& facts) {
  OwnParameters own{parameters, "ntk", "", ""};
  const double base = number_of(parameters, "rope_theta").value_or(facts.base);
  own.parameters = {{"rope_type", "linear"},
                    {"rope_theta", base * factor},
                    {"factor", std::pow(factor, 2 / static_cast<double>(facts.head_dim))}};
  own.note = "factor " + shown(factor) + ": the base is " + shown(base) +
             " times this factor, and each θ_i is divided by factor^(2/d), as in this model's code";
  return own;
}

}  // namespace

io::Json yarn_of_root(const Fields& root) {
  const auto factor = root.number("rope_scaling_factor");
  const auto original = root.positive_integer("initial_context_length");
  if (!factor || *factor == 1 || !original) return nullptr;
  return {{"rope_type", "yarn"},
          {"factor", *factor},
          {"beta_fast", root.number("rope_ntk_beta").value_or(32)},
          {"beta_slow", root.number("rope_ntk_alpha").value_or(1)},
          {"original_max_position_embeddings", *original},
          {"truncate", false}};
}

OwnParameters own_parameters(const io::Json& parameters, const LayerFacts& facts,
                             const OwnParametersRequest& request) {
  const TypeNames& types = request.types;
  OwnParameters own{parameters, "", "", ""};
  const auto number = [&](const char* name) { return number_of(parameters, name); };
  const std::string named = text_of(parameters, "rope_type");
  const std::string type = named.empty() ? text_of(parameters, "type") : named;
  if (presets_its_type(types) && !request.legacy_key.empty() && named.empty() && !type.empty() &&
      type != "default") {
    own.warning =
        request.legacy_key + ": " + io::in_quotes(type, 40) + " is ignored by " +
        "transformers v5, because the class sets rope_type to default, which takes precedence: " +
        "write rope_type";
    own.parameters = {{"rope_type", "default"}};
    if (const auto base = number("rope_theta")) own.parameters["rope_theta"] = *base;
    return own;
  }
  if (type == "ntk" && types.are("new") && !parameters.contains("mixed_b"))
    if (const auto factor = number("factor"); factor && *factor > 1)
      return stretched_by(*factor, parameters, facts);
  const std::optional<double> alpha = number("alpha");
  const bool serves = request.engine == Engine::vllm || request.engine == Engine::sglang;
  const bool takes_alpha =
      types.known.empty() || types.known.starts_with("hunyuan") || (serves && type == "dynamic");
  if (takes_alpha && (type == "dynamic" || type == "xdrope") && alpha && *alpha > 0 &&
      facts.head_dim > 2)
    return extended_by(*alpha, parameters, facts);
  const auto lasting = number("short_mscale");
  const auto beyond = number("long_mscale");
  const bool transformers = request.engine == Engine::hf || request.engine == Engine::hf4;
  if (transformers && (types.are("phimoe") || types.are("phi3small")) && lasting && beyond) {
    const double original = number("original_max_position_embeddings")
                                .value_or(static_cast<double>(facts.root_original.value_or(0)));
    const bool far = request.seq_len && static_cast<double>(*request.seq_len) > original;
    own.parameters.erase("short_mscale");
    own.parameters.erase("long_mscale");
    own.parameters["attention_factor"] = far ? *beyond : *lasting;
    own.note = "attention factor: " + std::string(far ? "long" : "short") +
               "_mscale from the file, as in this model's code";
  }
  return own;
}

}  // namespace rope
