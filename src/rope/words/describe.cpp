#include "rope/words/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "rope/attention/base_bounds.hpp"
#include "rope/attention/context_bound.hpp"
#include "rope/diagnose/disagreements.hpp"
#include "rope/model/presets.hpp"
#include "rope/scaling/scaling.hpp"
#include "rope/verify/certify.hpp"
#include "rope/words/certification_text.hpp"
#include "rope/words/diagnosed.hpp"
#include "rope/words/embedding_text.hpp"
#include "rope/words/explanation_text.hpp"
#include "rope/words/no_explanation.hpp"
#include "rope/words/policy_text.hpp"
#include "rope/words/sentence.hpp"

namespace rope {
namespace {

/// Adds a sentence behind a blank.
void say(const std::string& text, std::string& all) {
  if (text.empty()) return;
  if (!all.empty()) all += ' ';
  all += sentence(text);
}

void say(const std::vector<Advice>& advice, std::string& all) {
  for (const Advice& one : advice) {
    say(one.finding, all);
    say(one.remedy.text, all);
  }
}

std::string describe_diagnosed(const words::Diagnosed& one, const std::string& subject) {
  const Diagnosis& d = one.diagnosis;
  std::string text;
  say(words::exceptions(one), text);
  say(words::answer(one, std::nullopt, d.of_all_numbers() ? subject : "the rest"), text);
  if (!d.explanations.empty())
    say(words::unusual(one), text);
  else if (d.best_fit)
    say(d.best_fit->remedy.text, text);
  else
    say(words::reason_of(one, false).remedy, text);
  return text;
}

words::Diagnosed diagnosed(const Diagnosis& diagnosis) {
  words::Diagnosed one;
  static_cast<ArrayReading&>(one) = diagnosis.reading;
  one.diagnosis = diagnosis;
  return one;
}

/// "layout", "layout and frequencies", "layout, frequencies and direction".
std::string listed(std::span<const ConventionPart> parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += fmt::format("{}{}",
                        i == 0                 ? ""
                        : i + 1 < parts.size() ? ", "
                                               : " and ",
                        name(parts[i]));
  return text;
}

}  // namespace

std::string describe(const Certification& certification) {
  const Certification* const part = &certification;
  const Verdict verdict = certification.verdict;
  std::string text = fmt::format("{}: ", verdict_word(verdict));
  text += sentence(verdict_text(verdict, {&part, 1}, certification.sufficient_libm_ulp));
  const std::optional<OutputError>& first = certification.report.first;
  if (verdict == Verdict::fail && first)
    say("the first is " + place_text(certification, *first) + ": " + error_text(*first), text);
  if (certification.sufficient_libm_ulp)
    say(fmt::format("If these numbers come from a vectorised library, which promises no better "
                    "accuracy than that, certify them with hypotheses.libm_ulp = {}",
                    *certification.sufficient_libm_ulp),
        text);
  return text;
}

std::string describe(const Diagnosis& diagnosis) {
  words::Diagnosed one = diagnosed(diagnosis);
  const bool pairs = diagnosis.explanations.empty() || diagnosis.explanations.front().pairs_seen;
  one.frequencies = !pairs && diagnosis.tokens == 0;
  if (!pairs && !one.frequencies) one.columns = TableColumns::pairs;
  return describe_diagnosed(one, one.frequencies ? "these frequencies"
                                 : one.columns   ? "these tables"
                                                 : "these tensors");
}

std::string describe(const TableDiagnosis& diagnosis) {
  words::Diagnosed one = diagnosed(diagnosis.diagnosis);
  one.columns = diagnosis.columns;
  one.exchanged = diagnosis.exchanged;
  return describe_diagnosed(one, "these tables");
}

std::string describe(std::span<const ConventionPart> parts) {
  return parts.empty() ? "They follow one convention."
                       : fmt::format("They differ in {}.", listed(parts));
}

std::string describe(const NegativeDistance& found) {
  return found.first.distance
             ? fmt::format("The mean cosine is first negative at distance {}.",
                           *found.first.distance)
             : fmt::format("The mean cosine is never negative up to distance {}.", found.searched);
}

std::string describe(const SmallestBase& base) {
  return fmt::format("Base {:.10g} suffices; no base below {:.10g} does.", base.base,
                     base.none_below);
}

std::string describe(const RoundBase& base) {
  return fmt::format("Base {} suffices, as do all bases tried from {} to {}.",
                     six_digits(base.base), six_digits(base.from), six_digits(base.to));
}

std::string describe(const Frequencies& frequencies) {
  const std::vector<double>& theta = frequencies.theta;
  if (theta.empty()) return "no pairs";
  if (theta.size() == 1)
    return fmt::format("1 pair, θ {} radians per token", six_digits(theta.front()));
  return fmt::format("{} pairs, θ from {} to {} radians per token", theta.size(),
                     six_digits(theta.front()), six_digits(theta.back()));
}

std::string describe(const Explanation& explanation) {
  words::Diagnosed one;
  for (const Regime& regime : explanation.regimes) one.diagnosis.tokens += regime.tokens.size();
  if (!explanation.pairs_seen) one.columns = TableColumns::pairs;
  one.frequencies = !explanation.pairs_seen && one.diagnosis.tokens == 0;
  return words::short_convention(one, explanation);
}

std::string describe(const LayerRope& layer) {
  const std::string text = !layer.rotates() ? std::string("no rotation")
                           : layer.rotary_dim % 2 != 0
                               ? fmt::format("rotary_dim {}, which is odd", layer.rotary_dim)
                               : describe(embedding_of(layer));
  return layer.name.empty() ? text : layer.name + ": " + text;
}

std::string describe(const ModelRope& model) {
  std::string text = model.name;
  const char* mark = ": ";
  for (const LayerRope& layer : model.layers) {
    text.append(mark).append(describe(layer));
    mark = "; ";
  }
  return text;
}

std::string describe(const Preset& preset) { return preset.name + ": " + preset.title; }

std::string describe(const ScalingSpec& spec) { return brief_scaling_text(spec); }

std::string describe(const Policy& policy) {
  return fmt::format("{}: {}", policy.name.empty() ? "unnamed" : policy.name, stages_text(policy));
}

std::string describe(const Hypotheses& hypotheses) {
  return fmt::format("cos and sin within {} ulp, pow within {} ulp, {} roundings of a scaling rule",
                     hypotheses.libm_ulp, hypotheses.pow_ulp, hypotheses.rule_roundings);
}

std::string describe(const CertifyOptions& options) {
  return fmt::format("results in {}, {}",
                     options.result ? name(*options.result) : "their array's type",
                     describe(options.hypotheses));
}

std::string describe(const ReadOptions& options) {
  return fmt::format(
      "as {} reads it{}", name(options.engine),
      options.seq_len ? fmt::format(", at {} tokens", *options.seq_len) : std::string());
}

std::string describe(const Position& position) {
  if (position == Position(position[0])) return std::to_string(position[0]);
  return fmt::format("({}, {}, {}, {})", position[0], position[1], position[2], position[3]);
}

std::string describe(const CosSin& both) {
  return fmt::format("cos {}, sin {}", six_digits(both.cos), six_digits(both.sin));
}

}  // namespace rope
