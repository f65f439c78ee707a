#include "rope/studies/extension.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "rope/attention/base_bounds.hpp"
#include "rope/error.hpp"
#include "rope/rotary/exact_real.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

constexpr std::size_t kDistances = 1600;

/// Those that need nothing but the two lengths.
constexpr std::array<std::string_view, 6> kDefaultRules = {"linear",  "ntk",  "ntk-mixed",
                                                           "dynamic", "yarn", "llama3"};

void check(const ExtensionRequest& request) {
  const std::int64_t trained = request.trained_length;
  if (!request.trained.base)
    throw DomainError("extension: expected an embedding with a base, got frequencies",
                      "The rules derive their frequencies from a base.");
  if (trained < 1 || request.length < trained)
    throw DomainError(
        fmt::format("extension: expected 1 <= trained length <= length, got {} and {}", trained,
                    request.length),
        "Give the trained length and the target length, in tokens.");
  if (request.window && (*request.window < 0 || *request.window >= trained))
    throw DomainError(fmt::format("extension: expected a window from 0 to {}, got {}", trained - 1,
                                  *request.window),
                      "Within the window, distances do not change.");
}

class Extension {
 public:
  Extension(const ExtensionRequest& request, const std::function<void()>& progress)
      : request_(request), progress_(progress) {
    check(request);
    study_.trained = request.trained;
    study_.trained_length = request.trained_length;
    study_.length = request.length;
    const std::int64_t window = request.window.value_or(request.trained_length / 2);
    study_.rerope = {window,
                     DistanceMap::fitting_leak(window, request.trained_length, request.length)};
    study_.distances = log_distances(request.length);
  }

  ExtensionStudy run() {
    leave_out_own_rule();
    add("none", "none", study_.trained);
    add_own_rule();
    add_larger_base();
    for (const ScalingSpec& spec : rules()) add(completed(spec));
    add_base_bounds();
    return std::move(study_);
  }

 private:
  double base() const { return *study_.trained.base; }
  double ratio() const {
    return static_cast<double>(study_.length) / static_cast<double>(study_.trained_length);
  }

  static std::vector<std::int64_t> log_distances(std::int64_t length) {
    std::vector<std::int64_t> distances;
    for (std::size_t i = 0; i < kDistances; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(kDistances - 1);
      const auto distance =
          static_cast<std::int64_t>(round(pow(ExactReal(length), ExactReal(share))));
      if (distances.empty() || distance > distances.back()) distances.push_back(distance);
    }
    return distances;
  }

  void leave_out_own_rule() {
    RotaryEmbedding& trained = study_.trained;
    if (trained.scaling.rule == "default") return;
    trained.scaling = {};
    trained.bands.clear();
    trained.attention_factor = 1;
    trained.frequencies = geometric_frequencies(base(), trained.rotary_dim());
  }

  /// What the model's own rule makes of its frequencies, as it came.
  void add_own_rule() {
    const ScalingSpec& own = request_.trained.scaling;
    if (own.rule == "default") return;
    add(scaling_text(own), own.rule, request_.trained);
    study_.results.back().own = true;
  }

  /// Where no rules are asked for: a base s times as large, what NTK-aware scaling is without its
  /// exponent r/(r − 2).
  void add_larger_base() {
    const double larger = base() * ratio();
    if (!request_.rules.empty() || larger == base()) return;
    RotaryEmbedding with_larger = study_.trained;
    with_larger.base = larger;
    with_larger.frequencies = geometric_frequencies(larger, study_.trained.rotary_dim());
    add(fmt::format("base {:.6g}", larger), "larger base", std::move(with_larger));
  }

  std::vector<ScalingSpec> rules() const {
    if (!request_.rules.empty()) return request_.rules;
    std::vector<ScalingSpec> rules;
    rules.reserve(kDefaultRules.size());
    for (const std::string_view text : kDefaultRules) {
      ScalingSpec spec = parse_scaling(text);
      if (spec.rule != request_.trained.scaling.rule) rules.push_back(std::move(spec));
    }
    return rules;
  }

  /// With what was not given, if the rule takes it: the factor T*/T, the original length T, and for
  /// llama3 the bands of Llama 3.1. The factor of dynamic is applied to T*/T by the rule itself.
  ScalingSpec completed(ScalingSpec spec) const {
    const ScalingRule* const rule = find_scaling_rule(spec.rule);
    if (rule == nullptr) return spec;
    const auto takes = [&](std::string_view name) {
      return std::ranges::any_of(rule->parameters, [&](const auto& p) { return p.name == name; });
    };
    if (takes("factor")) spec.numbers.try_emplace("factor", spec.rule == "dynamic" ? 1 : ratio());
    if (takes("original"))
      spec.numbers.try_emplace("original", static_cast<double>(study_.trained_length));
    if (spec.rule == "llama3" && !spec.numbers.contains("low") && !spec.numbers.contains("high"))
      spec.numbers.insert({{"low", 1}, {"high", 4}});
    return spec;
  }

  ScalingContext context() const {
    ScalingContext context;
    context.base = base();
    context.head_dim = study_.trained.head_dim;
    context.rotary_dim = study_.trained.rotary_dim();
    context.max_positions = study_.trained_length;
    context.seq_len = study_.length;
    return context;
  }

  void add(const ScalingSpec& spec) {
    RotaryEmbedding embedding;
    try {
      embedding = scaled_embedding(spec, context(), study_.trained.layout);
    } catch (const Error& error) {
      if (!request_.rules.empty()) throw;
      study_.notes.push_back(fmt::format("{} is omitted: {}", spec.rule, error.what()));
      return;
    }
    const bool again = std::ranges::any_of(study_.results, [&](const ExtensionResult& result) {
      return result.embedding.scaling.rule == spec.rule;
    });
    add(scaling_text(spec), again ? scaling_text(spec) : spec.rule, std::move(embedding));
  }

  void add(std::string label, std::string short_label, RotaryEmbedding embedding) {
    ExtensionResult result;
    result.label = std::move(label);
    result.short_label = std::move(short_label);
    result.coverage = angle_coverage(study_.trained.frequencies, embedding.frequencies,
                                     study_.trained_length, study_.length);
    const std::array<std::int64_t, 1> neighbour = {1};
    result.adjacent_gap = 1 - decay_curve(embedding.frequencies, neighbour).mean_cosine[0];
    result.negative =
        first_negative(embedding.frequencies, std::max<std::int64_t>(study_.length - 1, 1));
    result.decay = decay_curve(embedding.frequencies, study_.distances);
    result.embedding = std::move(embedding);
    study_.results.push_back(std::move(result));
    if (progress_) progress_();
  }

  void add_base_bounds() {
    const std::size_t dim = study_.trained.rotary_dim();
    if (dim > 2) {
      study_.ntk_factor =
          static_cast<double>(pow(ExactReal(study_.length) / ExactReal(study_.trained_length),
                                  ExactReal(dim) / ExactReal(dim - 2)));
      study_.covering_factor = covering_factor(base(), dim, study_.trained_length, study_.length);
    }
    if (base() > 1 && study_.trained_length > 6)
      study_.critical_base = critical_base(base(), study_.trained_length, study_.length);
    if (!request_.search_base) return;
    study_.smallest_base = smallest_base(study_.length, dim, progress_);
    if (study_.smallest_base)
      study_.round_base =
          round_base(study_.length, dim, study_.smallest_base->none_below, progress_);
  }

  const ExtensionRequest& request_;
  const std::function<void()>& progress_;
  ExtensionStudy study_;
};

}  // namespace

std::size_t ExtensionResult::pairs_at_new_angles() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(coverage.unseen, [](double share) { return share > 0; }));
}

std::size_t ExtensionStudy::never_turned() const {
  return static_cast<std::size_t>(std::ranges::count(results.front().coverage.never_turned, true));
}

std::size_t ExtensionStudy::almost_turned() const {
  const AngleCoverage& plain = results.front().coverage;
  std::size_t almost = 0;
  for (std::size_t k = 0; k < plain.never_turned.size(); ++k)
    if (plain.never_turned[k] && plain.unseen[k] == 0) ++almost;
  return almost;
}

double ExtensionStudy::slow_reach(const ExtensionResult& result) const {
  const std::vector<bool>& slow = results.front().coverage.never_turned;
  double largest = 0;
  for (std::size_t k = 0; k < slow.size(); ++k)
    if (slow[k]) largest = std::max(largest, result.coverage.reach[k]);
  return largest;
}

const ExtensionResult* ExtensionStudy::most_pressed() const {
  const ExtensionResult* pressed = nullptr;
  for (const ExtensionResult& result : results)
    if (result.pairs_at_new_angles() == 0 &&
        (pressed == nullptr || result.adjacent_gap < pressed->adjacent_gap))
      pressed = &result;
  return pressed;
}

ExtensionStudy extension_study(const ExtensionRequest& request,
                               const std::function<void()>& progress) {
  return Extension(request, progress).run();
}

}  // namespace rope
