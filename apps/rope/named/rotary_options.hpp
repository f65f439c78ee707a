#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "named/axes_option.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/scaling/scaling.hpp"
#include "rope/words/embedding_text.hpp"
#include "shown/console.hpp"
#include "usage/options.hpp"

namespace rope::app {

/// What the options say about rotary embeddings.
struct RotaryOptions {
  /// Times::many: --dim, --base, --scaling, --model and --config may be repeated, and each
  /// combination makes one embedding, as does each layer type of a model.
  explicit RotaryOptions(Times models_and_sizes = Times::once) : times(models_and_sizes) {}

  Times times;
  bool odd_dims = false;  ///< whether --dim may be odd, for encodings that rotate no pairs
  std::string_view other_length = {};  ///< added to the message if --max-positions is rejected:
                                       ///< names the option that may be meant
  Spacing family = Spacing::geometric;

  std::vector<std::size_t> dims;
  std::vector<double> bases;
  std::vector<double> frequencies;  ///< θ_i, radians per token
  std::optional<std::size_t> rotary_dim;
  std::optional<PairLayout> layout;
  std::vector<ScalingSpec> scalings;
  AxesOptions axes;  ///< options for positions on several axes
  std::optional<std::int64_t> max_positions;
  std::optional<std::int64_t> seq_len;
  std::vector<std::string> models;   ///< names of presets
  std::vector<std::string> configs;  ///< files
  /// For Times::once: the index of the kind of layer to use from a model. If empty, the first kind
  /// is used, with a warning if the model has several kinds.
  std::optional<std::size_t> layer_kind;

  void declare(OptionSet& options);

  bool names_model() const { return !models.empty() || !configs.empty(); }
  bool repeatable() const { return times == Times::many; }
};

/// For commands that also have --max-position: a text that distinguishes it from --max-positions.
inline constexpr std::string_view kLastPosition =
    "; the last position examined is --max-position N";

/// The names that other code uses for the layouts.
inline constexpr auto kInterleavedElsewhere = std::to_array<std::string_view>(
    {"meta", "gptj", "gpt-j", "roformer", "adjacent", "even-odd", "pairwise"});
inline constexpr auto kHalfElsewhere = std::to_array<std::string_view>(
    {"hf", "huggingface", "neox", "gpt-neox", "gptneox", "rotate-half", "halves", "half-split",
     "split-half", "non-interleaved"});

/// The words of --layout; Meta's weights are in the interleaved layout, Hugging Face's in the half
/// layout.
inline constexpr std::array<Choice<PairLayout>, 2> kLayouts = {
    {{"interleaved", PairLayout::interleaved, kInterleavedElsewhere},
     {"half", PairLayout::half, kHalfElsewhere}}};

/// The embeddings that the options describe: at least one, and exactly one for Times::once. Warns
/// about bases and scalings that are legal but surprising.
///
/// Throws    rope::Error (invalid input), rope::SystemError.
std::vector<RotaryVariant> rotary_variants(const RotaryOptions& options, const Console& console);

/// The one embedding that options of Times::once describe, with the model's name and lengths.
RotaryVariant rotary_variant(const RotaryOptions& options, const Console& console);

/// The rotated size r of a head: the whole head unless --rotary-dim is smaller.
///
/// Throws    rope::Error (invalid input) if --rotary-dim is larger than the head.
std::size_t rotary_dim_within(const RotaryOptions& options, std::size_t head_dim);

/// Warns about a base that is legal but surprising.
void warn_of_base(double base, const Console& console);

}  // namespace rope::app
