#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/encodings/encoding.hpp"
#include "rope/parameters/parameters.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope {

/// The settings that the encodings of one head share, so that they can be compared. Numbers that a
/// model would learn are random here: near-normal, with deviation 1 for T5's biases and Shaw's
/// keys, 1/√columns for matrices, ¼ for Transformer-XL's u and v, and √½ for learned positions,
/// which makes these as long as sinusoidal ones.
struct EncodingContext {
  RotaryEmbedding rotary;       ///< its head size also applies to every other encoding
  double base = 10000;          ///< the base of sinusoidal tables, p-RoPE and partial RoPE
  std::int64_t trained = 2048;  ///< T, tokens in training
  std::int64_t length = 8192;   ///< T*, tokens wanted
  std::int64_t heads = 32;
  std::uint64_t seed = 42;
  /// the number of learned positions; T if not given.
  std::optional<std::int64_t> learned_rows;
  /// The number of tokens in the map that the encoding is made for. A parameter that would have an
  /// effect only beyond these tokens may get a smaller default value.
  std::optional<std::int64_t> map_tokens;
};

/// One way to encode positions, declared next to its formula.
struct EncodingEntry {
  std::string_view name;   ///< "alibi"
  std::string_view title;  ///< "ALiBi"
  bool pairs = false;      ///< rotates pairs: the head size must be even
  bool pictured = true;    ///< appears in the picture of all encodings, which has room for ten
  std::span<const Parameter> parameters = {};
  /// Makes the encoding from a value for every parameter. Throws DomainError or ShapeError for
  /// errors that only the encoding can detect; a message about a parameter begins with its name.
  std::unique_ptr<PositionEncoding> (*make)(const ParameterValues& values,
                                            const EncodingContext& context);
  /// Fills in the values that were not given and depend on others; null if there are no such
  /// values.
  void (*complete)(ParameterValues& values, const EncodingContext& context) = nullptr;
};

/// All encodings, the oldest idea first.
std::span<const EncodingEntry> encodings();

/// The encoding of that name, or nothing.
const EncodingEntry* find_encoding(std::string_view name);

/// An encoding and the values given for its parameters.
struct EncodingSpec {
  const EncodingEntry* entry = nullptr;
  ParameterValues given;

  friend bool operator==(const EncodingSpec&, const EncodingSpec&) = default;
};

/// Reads "t5" or "t5:buckets=32,max_distance=128": an encoding, then its parameters.
///
/// Throws    DomainError for an unknown encoding or parameter, naming the likely one; for a value
///           outside its range, a parameter given twice, or a text of another form.
EncodingSpec parse_encoding(std::string_view text);

/// The text that parse_encoding reads.
std::string encoding_text(const EncodingSpec& spec);

/// How an encoding is labelled among others: by its name, with the given parameters if the name
/// occurs more than once. In `title`, the entry's title takes the place of its name.
struct EncodingLabel {
  std::string label;
  std::string title;
};
EncodingLabel label_among(std::span<const EncodingSpec> all, const EncodingSpec& spec);

/// A value for every parameter: the given one, or the one used if none is given.
ParameterValues encoding_values(const EncodingSpec& spec, const EncodingContext& context);

/// The values of parameters that are not given and depend on others, "window=8, leak=4"; with
/// `all`, the values of all parameters. Empty if there are none.
std::string values_in_use(const EncodingSpec& spec, const ParameterValues& values, bool all);

/// The encoding without each of its given parameters in turn, together with the name of the omitted
/// one; parameters whose given value equals the default are skipped.
std::vector<std::pair<std::string, EncodingSpec>> without_each(const EncodingSpec& spec,
                                                               const EncodingContext& context);

/// The given parameters that change nothing: if one of them is omitted, every score of one random
/// query and one random key at these positions keeps the same bits.
///
/// Throws    what the encoding throws, for example at positions for which it has no score.
std::vector<std::string> idle_parameters(const EncodingSpec& spec, const EncodingContext& context,
                                         const std::vector<std::int64_t>& queries,
                                         const std::vector<std::int64_t>& keys);

/// "rerope:log_n=1: log_n changes no score": half a sentence about an idle parameter.
std::string idle_text(const EncodingSpec& spec, std::string_view parameter, std::string_view what);

/// Makes the encoding.
///
/// Throws    DomainError or ShapeError if values and context do not fit together.
std::unique_ptr<PositionEncoding> make_encoding(const EncodingSpec& spec,
                                                const EncodingContext& context);

/// The same, from the text of a spec: make_encoding("t5:buckets=8", context).
std::unique_ptr<PositionEncoding> make_encoding(std::string_view text,
                                                const EncodingContext& context);

}  // namespace rope
