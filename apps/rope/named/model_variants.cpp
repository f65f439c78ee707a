#include "named/model_variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "named/model_option.hpp"
#include "named/rotary_values.hpp"
#include "named/scaling_option.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "usage/numbers.hpp"

namespace rope::app {
namespace {

/// What the options beside a model change, said on standard error.
class Overrides {
 public:
  Overrides(const Arguments& arguments, const Console& console, const ModelRope& model)
      : arguments_(arguments), console_(console), model_(model) {}

  RotaryEmbedding apply(const LayerRope& layer) {
    ScalingContext context{layer.base, layer.head_dim, layer.rotary_dim, model_.context,
                           length_option(arguments_, "--seq-len")};
    ScalingSpec spec = layer.spec;
    PairLayout layout = layer.layout;
    bool changed = false;
    if (const std::optional<std::string> text = value("--base")) {
      const double base = read_base(*text, console_);
      say("--base", fmt::format("{}", base), fmt::format("the {}", layer.base));
      context.base = base;
      changed = true;
    }
    if (const std::optional<std::string> text = value("--dim")) {
      const std::size_t dim = read_even("--dim", *text, kMaxRotaryDim);
      say("--dim", std::to_string(dim), fmt::format("head_dim {}", layer.head_dim));
      if (context.rotary_dim == context.head_dim) context.rotary_dim = dim;
      context.head_dim = dim;
      changed = true;
    }
    if (const std::optional<std::string> text = value("--rotary-dim")) {
      context.rotary_dim = read_even("--rotary-dim", *text, context.head_dim);
      say("--rotary-dim", *text, fmt::format("rotary_dim {}", layer.rotary_dim));
      changed = true;
    }
    if (const auto positions = length_option(arguments_, "--max-positions")) {
      say("--max-positions", std::to_string(*positions),
          model_.context ? fmt::format("the {}", *model_.context) : std::string("nothing"));
      context.max_positions = positions;
      changed = true;
    }
    if (value("--scaling")) {
      spec = scaling_options(arguments_).front();
      say("--scaling", short_text(spec), layer.rope_type);
      changed = true;
    }
    if (value("--layout")) {
      layout = read_layout(arguments_);
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
  std::optional<std::string> value(std::string_view option) const {
    const std::vector<std::string>& all = arguments_.values(option);
    if (all.size() > 1)
      refuse(option, "at most one value beside a model", std::to_string(all.size()),
             "Repeat --model instead.");
    return arguments_.value(option);
  }

  void say(std::string_view option, const std::string& given, const std::string& before) const {
    console_.warn(fmt::format("{} {} replaces {} of {}", option, given, before, model_.name));
  }

  const Arguments& arguments_;
  const Console& console_;
  const ModelRope& model_;
};

void add_variants(const ModelRope& model, const Arguments& arguments, const Console& console,
                  std::vector<RotaryVariant>& variants) {
  std::vector<const LayerRope*> layers;
  for (const LayerRope& layer : model.layers)
    if (layer.rotates()) layers.push_back(&layer);
  if (layers.empty())
    throw Error(ErrorKind::invalid_input,
                model.name + ": expected layers with a rotary embedding, found none",
                "rope inspect shows why; give a model that has one, or --dim and --base.");
  warn_of(model, console);
  const bool many = arguments.repeatable("--model");
  if (layers.size() > 1 && !many) {
    console.warn(fmt::format("{} has layers of {} kinds: those of {} are used", model.name,
                             layers.size(), layers.front()->name));
    layers.erase(layers.begin() + 1, layers.end());
  }
  Overrides overrides(arguments, console, model);
  for (const LayerRope* layer : layers) {
    RotaryVariant variant;
    variant.label = layers.size() > 1 ? model.name + " " + layer->name : model.name;
    variant.embedding = overrides.apply(*layer);
    variants.push_back(std::move(variant));
  }
}

}  // namespace

void declare_model_options(OptionSet& options, Times times) {
  const std::string again = times == Times::many ? "; may be repeated" : "";
  options.add("--model", "NAME", "a preset, which sets all of these: rope inspect --list" + again,
              times);
  options.add("--config", "FILE",
              "a config.json, params.json or GGUF key dump, which sets all of these" + again,
              times);
}

bool model_given(const Arguments& arguments) {
  return arguments.given("--model") || arguments.given("--config");
}

std::vector<RotaryVariant> model_variants(const Arguments& arguments, const Console& console) {
  if (arguments.given("--frequencies"))
    refuse("--frequencies", "either frequencies or a model", "both", "Leave one of them out.");
  ReadOptions options;
  options.seq_len = length_option(arguments, "--seq-len");
  std::vector<RotaryVariant> variants;
  for (const std::string& name : arguments.values("--model"))
    add_variants(model_of_preset("--model", name, options), arguments, console, variants);
  for (const std::string& file : arguments.values("--config"))
    add_variants(model_of_file(file, options), arguments, console, variants);
  if (variants.size() > 1 && !arguments.repeatable("--model"))
    refuse("--config", "either a preset or a file", "both", "Leave one of them out.");
  for (std::size_t i = 1; i < variants.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (variants[i].label == variants[j].label)
        refuse(arguments.values("--model").empty() ? "--config" : "--model", "different models",
               io::in_quotes(variants[i].label) + " twice", "Leave one of them out.");
  return variants;
}

}  // namespace rope::app
