#include "rope/model/engine_differences.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "rope/error.hpp"
#include "rope/model/rules/reading.hpp"

namespace rope {
namespace {

constexpr std::array kOthers = {Engine::ggml,    Engine::vllm,         Engine::sglang,
                                Engine::gpt_oss, Engine::llama_models, Engine::longrope,
                                Engine::yarn};

/// |a/b − 1|, or 0 where that is rounding.
double off(double a, double b) {
  constexpr double kSame = 1e-12;  // far above rounding, far below any difference of formulas
  const double ratio = a == b ? 0 : std::abs(a / b - 1);
  return ratio <= kSame ? 0 : ratio;
}

EngineDifference compare(Engine engine, const LayerRope& ours, const LayerRope& theirs) {
  EngineDifference difference;
  difference.engine = engine;
  difference.layer = ours.name;
  const double factor = theirs.scaled.attention_factor;
  if (off(factor, ours.scaled.attention_factor) != 0) difference.attention_factor = factor;
  const std::vector<double>& x = ours.scaled.frequencies.theta;
  const std::vector<double>& y = theirs.scaled.frequencies.theta;
  for (std::size_t k = 0; k < std::min(x.size(), y.size()); ++k) {
    const double frequency = off(y[k], x[k]);
    if (frequency <= difference.frequency) continue;
    difference.frequency = frequency;
    difference.pair = k;
  }
  for (const std::string& warning : theirs.warnings)
    if (std::ranges::find(ours.warnings, warning) == ours.warnings.end())
      difference.reasons.push_back(warning);
  return difference;
}

/// Whether anybody runs this model with that engine: some engines serve one family alone.
bool runs(Engine engine, const ModelRope& model) {
  if (model.model_type.empty()) return true;
  if (engine == Engine::gpt_oss) return model.model_type == "gpt_oss";
  if (engine == Engine::llama_models)
    return model.model_type == "llama" || model.model_type == "llama4_text";
  return true;
}

/// The rules that an engine shares with the model, beside those that change nothing.
bool has_a_rule_of(Engine engine, const ModelRope& model) {
  return std::ranges::any_of(model.layers, [&](const LayerRope& layer) {
    return layer.rotates() && layer.spec.rule != "default" && knows(engine, layer.spec.rule);
  });
}

std::vector<EngineDifference> differences_at(const ModelReader& read, Engine engine,
                                             std::optional<std::int64_t> seq_len) {
  std::vector<EngineDifference> differences;
  ModelRope model;
  try {
    model = read({seq_len, Engine::hf});
  } catch (const Error&) {
    return {};  // refused at a length that nobody asked for: nothing to compare with
  }
  try {
    const ModelRope theirs = read({seq_len, engine});
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
      const LayerRope& ours = model.layers[i];
      if (!ours.rotates() || !knows(engine, ours.spec.rule)) continue;
      EngineDifference difference = compare(engine, ours, theirs.layers.at(i));
      difference.seq_len = seq_len;
      if (difference.frequency > 0 || difference.attention_factor)
        differences.push_back(std::move(difference));
    }
  } catch (const Error& error) {
    EngineDifference refused;
    refused.engine = engine;
    refused.refusal = error.what();
    differences.push_back(std::move(refused));
  }
  return differences;
}

}  // namespace

std::vector<EngineDifference> engine_differences(const ModelReader& read,
                                                 std::optional<std::int64_t> seq_len) {
  const ModelRope model = read({seq_len, Engine::hf});
  std::vector<EngineDifference> all;
  for (const Engine engine : kOthers) {
    if (!runs(engine, model) || !has_a_rule_of(engine, model)) continue;
    std::vector<EngineDifference> found = differences_at(read, engine, seq_len);
    if (found.empty() && !seq_len && model.context)
      found = differences_at(read, engine, 2 * *model.context);
    all.insert(all.end(), std::make_move_iterator(found.begin()),
               std::make_move_iterator(found.end()));
  }
  return all;
}

}  // namespace rope
