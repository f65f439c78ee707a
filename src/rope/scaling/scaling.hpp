#pragma once

// Rules that change frequencies for a longer context: YaRN, Llama 3, LongRoPE and the others.
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
  double base = 10000;         ///< b; in config files rope_theta
  std::size_t head_dim = 128;  ///< d
  /// r. It may be odd, as truncating head_dim·partial_rotary_factor can make it: then there are
  /// (r+1)/2 frequencies with the exponents 2i/r.
  std::size_t rotary_dim = 128;
  std::optional<std::int64_t> max_positions;  ///< in config files max_position_embeddings, tokens
  std::optional<std::int64_t> seq_len;        ///< the current length, tokens
};

/// The frequencies that a rule made, and how it made them.
struct Scaled {
  Frequencies frequencies;            ///< computed in 256 bits from the base on, then rounded
  double attention_factor = 1;        ///< A: scales cos and sin of both q and k; scores by A²
  std::vector<Band> bands;            ///< one per pair
  std::vector<std::string> warnings;  ///< legal but surprising; sentences without a full stop
  /// Numbers found on the way: factor, ramp_low, ramp_high, scaled_base, …
  std::vector<std::pair<std::string, double>> facts;
};

/// One way of changing the frequencies of an embedding. It contains the rule's formula and
/// everything about the rule that files, messages and readers need.
struct ScalingRule {
  std::string_view name;
  std::string_view summary;  ///< one phrase
  std::string_view formula;
  std::string_view source;
  std::span<const Parameter> parameters = {};
  std::string_view example =
      {};  ///< as parse_scaling reads it, with every parameter that the rule needs
  std::span<const std::string_view> other_names = {};  ///< what other code and files call it
  bool in_config = false;          ///< whether rope_type of a config.json may name it
  bool depends_on_length = false;  ///< whether the frequencies change with ScalingContext::seq_len
  /// Takes checked parameters. Throws DomainError or ShapeError for errors that only the rule can
  /// detect.
  Scaled (*apply)(const ScalingSpec& spec, const ScalingContext& context) = nullptr;
};

/// Every rule, `default` first.
std::span<const ScalingRule> scaling_rules();

/// The rule of that name, or nullptr.
const ScalingRule* find_scaling_rule(std::string_view name);

/// The name of the rule that an unknown word probably means: the word is another name for it, such
/// as "su" for longrope, or a typing error. Empty if no rule is close. For parameters, see
/// likely_parameter.
std::string likely_scaling_rule(std::string_view word);

/// Whether all lists of a rule are the same, as when a GGUF file has one divisor per pair for any
/// length.
bool has_one_list(const ScalingSpec& spec);

/// Whether the rule changes the frequencies with the current length.
bool depends_on_length(const ScalingSpec& spec);

/// Rejects an unknown rule, naming the likely one, and unknown or missing parameters.
///
/// Throws    DomainError.
void check_scaling(const ScalingSpec& spec);

/// The frequencies that a rule makes from θ_i = base^(−2i/r).
///
/// Accuracy  θ_i correctly rounded, turns within 2^-128, A within one rounding.
/// Throws    DomainError for an unknown rule, for an unknown, missing or out-of-range parameter,
///           for a base that is not finite and above 0, or if the rule divides by zero. ShapeError
///           unless rotary_dim is 1 … kMaxRotaryDim and at most head_dim, and lists have one number
///           per pair. Each error has a remedy.
/// Source    each rule names its own; docs/scaling.md.
Scaled scale(const ScalingSpec& spec, const ScalingContext& context);

/// The embedding that the rule makes; rotary_dim() is even, r + 1 if r is odd. `warnings` receives
/// the rule's warnings about its parameters.
///
/// Throws    as scale.
RotaryEmbedding scaled_embedding(const ScalingSpec& spec, const ScalingContext& context,
                                 PairLayout layout = PairLayout::interleaved,
                                 std::vector<std::string>* warnings = nullptr);

/// Reads "yarn:factor=4,original=32768,truncate=false" or "longrope:short=1;1.1,long=2;3": a rule,
/// then its parameters. Whether they exist is checked later, by scale().
///
/// Throws    DomainError if the text is not of that form.
ScalingSpec parse_scaling(std::string_view text);

/// The example of a rule with the given numbers in place of its own, followed by the given numbers
/// that the example lacks. It shows what to write if a parameter is missing. Empty if there is no
/// such rule.
std::string completed_example(const ScalingSpec& given);

/// The text that parse_scaling reads, with each number in the shortest form that reads back as the
/// same number.
std::string scaling_text(const ScalingSpec& spec);

/// The same for people: only the length of each list is shown, and a list that applies to any
/// length is called divisors.
std::string brief_scaling_text(const ScalingSpec& spec);

}  // namespace rope
