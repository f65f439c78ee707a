#pragma once

// Rounding policies: which format each stage of a rotary kernel computes in.
//
//     const std::optional<rope::Policy> known = rope::find_policy("bfloat16-table");
//     const rope::Policy own = rope::parse_policy("angle=f32,table=bf16,apply=bf16");

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rope/precision/format.hpp"
#include "rope/print.hpp"

namespace rope {

/// How a pipeline computes the angle mθ_i.
enum class AngleRule {
  exact,        ///< this library: an exact integer product of fractions of a turn
  product,      ///< nearly all code: fl(m)·θ̂_i with θ̂_i = 1/pow(b, 2i/r)
  recurrence,   ///< fl(m)·s·s⋯s, with i factors s = pow(b, −2/r): ggml on a CPU
  scale_power,  ///< fl(m)·pow(s, i) with the same s: ggml on CUDA
};

/// "exact", "product", "recurrence" or "scale-power"; parse_policy accepts the last three.
std::string_view name(AngleRule rule);

/// The order in which the products of a score are added up.
enum class SumOrder {
  sequential,  ///< one after the other
  pairwise,    ///< each half is summed in the same way, then the two sums are added
};

/// "sequential" or "pairwise".
std::string_view name(SumOrder order);

/// A rounding policy: the format in which each stage of a rotary pipeline computes.
///
///     θ̂_i, fl(m) → angle → table cos, sin → apply R_m x → store y → accumulate Σ y_j z_j
///
/// Each stage rounds every operation to its format. pow, cos and sin are libm's, called in float64
/// if the frequency (for pow) or the angle (for cos and sin) is float64, otherwise in float32;
/// their results are then rounded to the format of the stage.
struct Policy {
  std::string name;
  std::string summary;  ///< what it is and where it occurs, in one phrase
  AngleRule angle_rule = AngleRule::product;
  Format frequency = Format::float32;  ///< of θ̂_i (recurrence, scale_power: of s)
  Format position = Format::float32;   ///< of m
  Format angle = Format::float32;      ///< of their product
  bool reduced = false;  ///< whole turns are removed from the angle in float64; the rest is float32
  Format table = Format::float32;  ///< cos and sin are cast to this format
  Format apply = Format::float32;  ///< products and sums of the rotation
  Format store = Format::float32;  ///< the rotated vector is cast to this format; for float8, it is
                                   ///< scaled first
  Format accumulate = Format::float32;  ///< products and sums of the score
  SumOrder sum = SumOrder::sequential;

  /// The format in which libm's pow is called.
  Format pow() const { return frequency == Format::float64 ? Format::float64 : Format::float32; }

  /// The format in which libm's cos and sin are called.
  Format trig() const {
    return angle == Format::float64 && !reduced ? Format::float64 : Format::float32;
  }

  /// The format in which q and k are given. A model keeps its vectors in the store format, so q and
  /// k are in it too; float8 is used only for caches, and q and k do not come from a cache.
  Format input() const { return store == Format::float8 ? apply : store; }

  /// Up to this position, all positions are distinct numbers; beyond it, neighbouring positions
  /// collide.
  std::int64_t last_own_position() const { return std::int64_t{1} << limits(position).precision; }

  /// Whether the products of a score need no rounding: bfloat16 times bfloat16 fits float32.
  bool exact_products() const {
    return store != Format::float8 && 2 * limits(store).precision <= limits(accumulate).precision;
  }
};

/// The policies known by name; each has an entry in policy.cpp.
std::span<const Policy> policies();

/// The policy with that name, or nothing.
std::optional<Policy> find_policy(std::string_view name);

/// Reads a policy: a name, stages `key=format,…`, or a name followed by the stages that differ.
///
/// Keys     frequency, position, angle, table, apply, store, accumulate: a format
///          (f64, f32, tf32, f16, bf16, e4m3); rule: product, recurrence, scale-power;
///          sum: sequential, pairwise; reduced: yes, no.
/// Default  without a name: angle f32; frequency and position as the angle; table as the angle;
///          apply as the table; store as apply; accumulate as apply, at least f32.
/// Throws   DomainError for an unknown name, key or format, a key given twice, or stages that do
///          not fit together.
Policy parse_policy(std::string_view given);

}  // namespace rope
