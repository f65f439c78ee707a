#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "rope/error.hpp"
#include "rope/model/families/family.hpp"
#include "rope/model/rule_reader.hpp"
#include "rope/rotary/frequencies.hpp"

namespace rope {
namespace {

constexpr std::array<const Family*, 14> kFamilies = {
    &apriel2_family,         &chatglm_6b_family,
    &chronos2_family,        &eva_clip_family,
    &hunyuan_image_3_family, &hybrid_attention_family,
    &mamba_ssm_family,       &moshi_family,
    &open_lm_family,         &plamo2_family,
    &retnet_family,          &striped_hyena_family,
    &telechat_family,        &yuan_family};

/// Usual keys that the code does not read, and a file may hold by chance.
void warn_of_usual_keys(const Fields& root, const Family& family) {
  for (const std::string_view key :
       {"rope_theta", "rope_scaling", "rope_parameters", "partial_rotary_factor"})
    if (root.find(key) != nullptr && !(family.reads_rope_theta && key == "rope_theta") &&
        !(family.holds_idle_scaling && key == "rope_scaling"))
      root.warn(root.path() + std::string(key) +
                " is ignored: the code of this model does not read it");
}

}  // namespace

const Family* find_family(const io::Json& config) {
  if (!config.is_object()) return nullptr;
  const auto* const found = std::ranges::find_if(
      kFamilies, [&](const Family* family) { return family->is_of_it(config); });
  return found == kFamilies.end() ? nullptr : *found;
}

ModelRope read_family(const Family& family, const io::Json& config, const std::string& name,
                      const ReadOptions& options) {
  ModelRope model;
  model.name = name;
  model.schema = "keys of its own";
  const Fields root(config, name + ": ", model.warnings);
  model.model_type = root.text("model_type").value_or("");
  warn_of_usual_keys(root, family);
  family.read(root, options, model);
  return model;
}

bool is_of_type(const io::Json& config, std::string_view type) {
  const auto found = config.find("model_type");
  return found != config.end() && *found == type;
}

std::size_t head_of(const Fields& fields, const Size& width, const Size& heads) {
  const std::int64_t all = fields.positive_integer(width.key).value_or(width.otherwise);
  const std::int64_t count = fields.positive_integer(heads.key).value_or(heads.otherwise);
  if (all % count != 0 || all / count > static_cast<std::int64_t>(kMaxRotaryDim))
    throw Error(ErrorKind::invalid_input,
                fields.path() + std::string(width.key) + ": expected a multiple of " +
                    std::to_string(count) + ", " + std::string(heads.key) +
                    ", and at most 65536 times that, found " + std::to_string(all),
                "Their quotient is the size of a head.");
  return static_cast<std::size_t>(all / count);
}

LayerRope unscaled_layer(std::size_t head_dim, double base, PairLayout layout,
                         const std::string& name, std::optional<std::size_t> rotary_dim) {
  LayerFacts facts;
  facts.name = name;
  facts.head_dim = head_dim;
  facts.layout = layout;
  facts.base = base;
  facts.rotary_dim = rotary_dim;
  std::vector<std::string> warnings;
  const io::Json silent = io::Json::object();
  LayerRope layer = read_rule(Fields(silent, "", warnings), facts, {});
  layer.warnings = std::move(warnings);
  return layer;
}

}  // namespace rope
