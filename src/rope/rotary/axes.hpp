#pragma once

// Positions of more than one number: time, height and width of M-RoPE, rows and columns of images.
//
//     const std::vector<std::size_t> sections = {16, 24, 24};   // pairs of each axis
//     rope::RotaryEmbedding rotary = rope::default_embedding(128, 1e6, rope::PairLayout::half);
//     rotary.axes = rope::section_axes(sections, rotary.pairs());

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/print.hpp"

namespace rope {

/// The largest number of axes a position can have: time, height, width and one more.
inline constexpr std::size_t kMaxAxes = 4;

/// The position of a token: one integer, or one on each axis. A single integer applies to every
/// axis, as for text among images.
class Position {
 public:
  constexpr Position(std::int64_t everywhere = 0) { on_axis_.fill(everywhere); }

  /// One number per axis; 0 on any further axis.
  ///
  /// Throws    ShapeError if there are none or more than kMaxAxes.
  explicit Position(std::span<const std::int64_t> on_axes);

  constexpr std::int64_t operator[](std::size_t axis) const { return on_axis_[axis]; }
  constexpr std::int64_t& operator[](std::size_t axis) { return on_axis_[axis]; }

  friend constexpr Position operator+(Position a, const Position& b) {
    for (std::size_t i = 0; i < kMaxAxes; ++i) a.on_axis_[i] += b.on_axis_[i];
    return a;
  }
  friend constexpr Position operator-(Position a, const Position& b) {
    for (std::size_t i = 0; i < kMaxAxes; ++i) a.on_axis_[i] -= b.on_axis_[i];
    return a;
  }
  friend bool operator==(const Position&, const Position&) = default;

 private:
  std::array<std::int64_t, kMaxAxes> on_axis_{};
};

/// Which axis turns each pair. Empty if a position is a single number.
///
/// R_p turns pair i by p_a·θ_i, where a = of_pair[i]. Hence R_pᵀR_s = R_{s−p} with positions
/// subtracted axis by axis, and a score depends on the distance along every axis.
struct Axes {
  std::vector<std::uint8_t> of_pair;  ///< the axis of each pair
  std::vector<std::string> names;     ///< one per axis: "time", "height", "width"
  /// Each axis has its own series of frequencies, so θ_i does not follow base^(−2i/r) across all
  /// pairs.
  bool own_series = false;
  /// Each axis has its own block of the head, and pairs are laid out within it. This differs from
  /// one block for all axes only in the layout `half`, where a pair is (i, i + half the block).
  bool own_block = false;

  std::size_t count() const { return names.empty() ? 1 : names.size(); }
  bool several() const { return names.size() > 1; }

  /// How many pairs an axis turns.
  std::size_t pairs_of(std::size_t axis) const;
};

/// The usual names for this number of axes: height and width, or time, height and width.
std::vector<std::string> usual_axis_names(std::size_t axes);

/// The axes in words: "sections 16, 24, 24 by time, height, width", where the numbers count pairs;
/// for pairs that alternate, "interleaved sections …"; if each axis has its own frequencies, "axes
/// of 16, 56, 56 dimensions by …".
std::string sections_text(const Axes& axes);

/// How sections of pairs are arranged.
enum class SectionOrder {
  contiguous,   ///< all pairs of the first axis, then all of the second: Qwen2-VL
  interleaved,  ///< pair i turns by axis i mod axes, as long as that axis has pairs left; by the
                ///< first axis otherwise: Qwen3-VL
  time_last     ///< height and width in turn, then time: ERNIE 4.5 VL
};

/// "contiguous", "interleaved" or "time-last".
std::string_view name(SectionOrder order);

/// M-RoPE: one section of the pairs for each axis; θ_i = base^(−2i/r) is unchanged.
///
/// `sections`: the number of pairs for each of 2 … kMaxAxes axes; an axis with 0 pairs turns
/// nothing.
/// Throws    ShapeError unless the number of sections is in that range and they add up to
/// `pairs`.
/// Source    Wang et al., Qwen2-VL, arXiv:2409.12191, §2.1; Qwen3-VL's interleaved form.
Axes section_axes(std::span<const std::size_t> sections, std::size_t pairs,
                  SectionOrder order = SectionOrder::contiguous);

}  // namespace rope
