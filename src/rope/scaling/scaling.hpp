#pragma once

// Rules that change frequencies for a longer context: YaRN, Llama 3, LongRoPE and others.
//
//     const rope::ScalingSpec yarn = rope::parse_scaling("yarn:factor=4,original=32768");
//     const rope::RotaryEmbedding rotary = rope::scaled_embedding(yarn, {.base = 1e6});

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/parameters/parameters.hpp"
#include "rope/rotary/band.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/rotary/frequencies.hpp"
#include "rope/rotary/layout.hpp"
#include "rope/rotary/scaling_spec.hpp"

namespace rope {

/// What a rule needs to know about the embedding it changes.
struct ScalingContext {
  double base = 10000;         ///< b; called rope_theta in config files
  std::size_t head_dim = 128;  ///< d
  /// r. It may be odd if it was truncated from head_dim·partial_rotary_factor; there are then
  /// (r+1)/2 frequencies, with the exponents 2i/r.
  std::size_t rotary_dim = 128;
  /// In tokens; called max_position_embeddings in config files.
  std::optional<std::int64_t> max_positions;
  std::optional<std::int64_t> seq_len;  ///< the current length, tokens
};

/// The frequencies that a rule computed, and how it computed them.
struct Scaled {
  Frequencies frequencies;  ///< computed from the base in 256 bits, then rounded
  /// A: scales cos and sin for both q and k, and therefore scores by A².
  double attention_factor = 1;
  std::vector<Band> bands;  ///< one per pair
  /// Settings that are legal but surprising; sentences without a full stop.
  std::vector<std::string> warnings;
  /// Intermediate results: factor, ramp_low, ramp_high, scaled_base, …
  std::vector<std::pair<std::string, double>> facts;
};

/// One way of changing the frequencies of an embedding. It contains the rule's formula and
/// everything about the rule that is needed to read files, print messages and document it.
struct ScalingRule {
  std::string_view name;
  std::string_view summary;  ///< one phrase
  std::string_view formula;
  std::string_view source;
  std::span<const Parameter> parameters = {};
  /// A text that parse_scaling reads, with every parameter that the rule needs.
  std::string_view example = {};
  std::span<const std::string_view> other_names = {};  ///< its names in other code and files
  bool in_config = false;          ///< whether it may be the rope_type in a config.json
  bool depends_on_length = false;  ///< whether the frequencies change with ScalingContext::seq_len
  /// Computes the frequencies from parameters that were already checked. Throws DomainError or
  /// ShapeError for errors that only the rule can detect.
  Scaled (*apply)(const ScalingSpec& spec, const ScalingContext& context) = nullptr;
};

/// All rules, with `default` first.
std::span<const ScalingRule> scaling_rules();

/// The rule of that name, or nullptr.
const ScalingRule* find_scaling_rule(std::string_view name);

/// The name of the rule that an unknown word probably means: the word may be another name for the
/// rule, such as "su" for longrope, or a misspelling. Empty if no name is similar. For parameters,
/// see likely_parameter.
std::string likely_scaling_rule(std::string_view word);

/// Whether all lists of a rule are identical, as with a GGUF file that contains one list of
/// divisors for any length.
bool has_one_list(const ScalingSpec& spec);

/// Whether the rule's frequencies change with the current length.
bool depends_on_length(const ScalingSpec& spec);

/// Rejects an unknown rule, suggesting a similar one, and unknown or missing parameters.
///
/// Throws    DomainError.
void check_scaling(const ScalingSpec& spec);

/// The frequencies that a rule computes from θ_i = base^(−2i/r).
///
/// Accuracy  θ_i correctly rounded, turns within 2^-128, A within one rounding.
/// Throws    DomainError for an unknown rule, for an unknown, missing or out-of-range parameter,
///           for a base that is not finite and above 0, or if the rule divides by zero. ShapeError
///           unless rotary_dim is 1 … kMaxRotaryDim and at most head_dim, and lists have one number
///           per pair. Each error suggests a remedy.
/// Source    each rule states its own; see docs/scaling.md.
Scaled scale(const ScalingSpec& spec, const ScalingContext& context);

/// The embedding with the rule's frequencies; its rotary_dim() is even: r + 1 if r is odd.
/// `warnings` receives the rule's warnings about its parameters.
///
/// Throws    whatever scale() throws.
RotaryEmbedding scaled_embedding(const ScalingSpec& spec, const ScalingContext& context,
                                 PairLayout layout = PairLayout::interleaved,
                                 std::vector<std::string>* warnings = nullptr);

/// Reads "yarn:factor=4,original=32768,truncate=false" or "longrope:short=1;1.1,long=2;3": a rule,
/// then its parameters. scale() checks later whether the rule and the parameters exist.
///
/// Throws    DomainError if the text is not of that form.
ScalingSpec parse_scaling(std::string_view text);

/// The example of a rule with the given values in place of its own, followed by given values for
/// which the example has no parameter. It shows what to write if a parameter is missing. Empty if
/// there is no such rule.
std::string completed_example(const ScalingSpec& given);

/// The spec as a text that parse_scaling reads, with each number in the shortest form that reads
/// back as the same number.
std::string scaling_text(const ScalingSpec& spec);

/// The same in a shorter form for people: only the length of each list is shown, and a list that
/// applies to any length is called divisors.
std::string brief_scaling_text(const ScalingSpec& spec);

}  // namespace rope
