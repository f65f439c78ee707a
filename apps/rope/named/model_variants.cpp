#include "named/model_variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "named/model_option.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/scaling/scaling.hpp"
#include "rope/words/embedding_text.hpp"

namespace rope::app {
namespace {

/// What the options beside a model change, said on standard error.
class Overrides {
 public:
  Overrides(const RotaryOptions& options, const Console& console, const ModelRope& model)
      : options_(options), console_(console), model_(model) {}

  RotaryEmbedding apply(const LayerRope& layer) {
    ScalingContext context{layer.base, layer.head_dim, layer.rotary_dim, model_.context,
                           options_.seq_len};
    ScalingSpec spec = layer.spec;
    PairLayout layout = layer.layout;
    bool changed = false;
    if (const auto base = one("--base", options_.bases)) {
      warn_of_base(*base, console_);
      say("--base", fmt::format("{}", *base), fmt::format("{}", layer.base), "base ");
      context.base = *base;
      changed = true;
    }
    if (const auto dim = one("--dim", options_.dims)) {
      say("--dim", std::to_string(*dim), std::to_string(layer.head_dim), "head_dim ");
      if (context.rotary_dim == context.head_dim) context.rotary_dim = *dim;
      context.head_dim = *dim;
      changed = true;
    }
    if (options_.rotary_dim) {
      context.rotary_dim = rotary_dim_within(options_, context.head_dim);
      say("--rotary-dim", std::to_string(context.rotary_dim), std::to_string(layer.rotary_dim),
          "rotary_dim ");
      changed = true;
    }
    if (options_.max_positions) {
      say("--max-positions", std::to_string(*options_.max_positions),
          model_.context ? std::to_string(*model_.context) : "the unstated length",
          model_.context ? "the context " : "");
      context.max_positions = options_.max_positions;
      changed = true;
    }
    if (const auto scaling = one("--scaling", options_.scalings)) {
      spec = *scaling;
      say("--scaling", brief_scaling_text(spec), layer.rope_type);
      changed = true;
    }
    if (options_.layout) {
      layout = *options_.layout;
      say("--layout", std::string(name(layout)), std::string(name(layer.layout)));
    }
    RotaryEmbedding embedding =
        changed ? scaled_embedding(spec, context, layout) : embedding_of(layer);
    embedding.layout = layout;
    embedding.max_positions = context.max_positions;
    embedding.seq_len = context.seq_len;
    return embedding;
  }

 private:
  /// The one value of an option that some commands let repeat.
  template <class Value>
  static std::optional<Value> one(std::string_view option, const std::vector<Value>& values) {
    if (values.size() > 1)
      refuse(option, "at most one value with a model", std::to_string(values.size()),
             "Repeat --model instead.");
    return values.empty() ? std::nullopt : std::optional(values.front());
  }

  /// "--base 500000 replaces base 10000 of llama-2"; nothing where the model has that value.
  void say(std::string_view option, const std::string& given, const std::string& before,
           std::string_view what = "") const {
    if (given == before) return;
    console_.warn(
        fmt::format("{} {} replaces {}{} of {}", option, given, what, before, model_.name));
  }

  const RotaryOptions& options_;
  const Console& console_;
  const ModelRope& model_;
};

/// "gemma-3-27b · full attention".
std::string variant_name(const ModelRope& model, const LayerRope& layer) {
  if (layer.name.empty()) return model.name;
  std::string kind = layer.name;
  std::ranges::replace(kind, '_', ' ');
  return model.name + " · " + kind;
}

void add_variants(const ModelRope& model, const RotaryOptions& options, const Console& console,
                  std::vector<RotaryVariant>& variants) {
  std::vector<const LayerRope*> layers;
  for (const LayerRope& layer : model.layers)
    if (layer.rotates()) layers.push_back(&layer);
  if (layers.empty())
    throw Error(ErrorKind::invalid_input,
                model.name + ": expected layers with a rotary embedding, found none",
                "rope inspect shows why; give a model that has one, or --dim and --base.");
  warn_of(model, console);
  if (layers.size() > 1 && !options.repeatable()) {
    if (!options.layer_kind)
      console.warn(fmt::format("{} has layers of {} kinds: its {} layers are used", model.name,
                               layers.size(), layers.front()->name));
    layers = {layers.at(options.layer_kind.value_or(0))};
  }
  Overrides overrides(options, console, model);
  for (const LayerRope* layer : layers) {
    RotaryVariant variant;
    variant.label = layers.size() > 1 ? model.name + " " + layer->name : model.name;
    variant.embedding = overrides.apply(*layer);
    variant.model = variant_name(model, *layer);
    variant.trained = layer->original_context ? layer->original_context : model.context;
    variant.context = model.context;
    variant.reach = model.reach(*layer);
    if (depends_on_length(variant.embedding.scaling))
      variant.serves = options.seq_len ? options.seq_len : layer->serves;
    variants.push_back(std::move(variant));
  }
}

}  // namespace

std::vector<RotaryVariant> model_variants(const RotaryOptions& options, const Console& console) {
  ReadOptions reading;
  reading.seq_len = options.seq_len;
  reading.layout_stated = options.layout.has_value();
  reading.layout_remedy = "; --layout sets it";
  std::vector<RotaryVariant> variants;
  for (const std::string& name : options.models)
    add_variants(model_of_preset("--model", name, console, reading), options, console, variants);
  for (const std::string& file : options.configs)
    add_variants(model_of_file(file, reading), options, console, variants);
  if (variants.size() > 1 && !options.repeatable())
    refuse("--config", "either a preset or a file", "both", "Leave one of them out.");
  for (std::size_t i = 1; i < variants.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (variants[i].label == variants[j].label)
        refuse(options.models.empty() ? "--config" : "--model", "different models",
               io::in_quotes(variants[i].label) + " twice", "Leave one of them out.");
  return variants;
}

}  // namespace rope::app
