#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/remedies.hpp"

namespace rope {

inline constexpr const char* kKeepWide =
    "keep inv_freq in float32: a module's half(), to(dtype) and autocast cast its buffers too";

HeadShape shape_of(const Explanation& e);

// Remarks on what is unusual, whatever is assumed. Each function adds what it finds to `result`.

/// Remarks that several heads follow one another in one axis. Returns true if they do: differences
/// in the frequencies are then irrelevant.
bool heads_remark(const Explanation& e, std::vector<Advice>& result);
/// Remarks that x and y, or the rows of their weights, have their pairs in different orders.
///
/// `assumed`: the stated layout. If a remedy leads to another layout, it tells the user to state
/// the new one.
void order_remark(const Explanation& e, std::optional<PairLayout> assumed,
                  std::vector<Advice>& result);
/// Remarks that the rotated dimensions are not the first ones in a head.
void part_remark(const Explanation& e, std::vector<Advice>& result);
/// Remarks on unusual positions. `given`: whether the positions were stated.
void position_remark(const Explanation& e, bool given, std::vector<Advice>& result);
void direction_remark(const Explanation& e, std::vector<Advice>& result);
/// Recognises the factor by which every θ_i is wrong if pairs are counted from 1 or from −1.
bool counting_remark(const RotaryEmbedding& found, std::vector<Advice>& result);
/// Recognises an exponent that is 0 in every pair: the base found is then 1, whatever base was
/// meant.
bool one_angle_remark(const Spectrum& found, std::vector<Advice>& result);

}  // namespace rope
