#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/remedies.hpp"

namespace rope {

inline constexpr const char* kKeepWide =
    "keep inv_freq in float32: half(), to(dtype) and autocast of a module cast its buffers too";

HeadShape shape_of(const Explanation& e);

// What is unusual whether or not something else is assumed. Each adds what it finds to `result`.

/// Heads that stand behind each other in one axis; true where that is so: then no difference of
/// the frequencies counts.
bool heads_remark(const Explanation& e, std::vector<Advice>& result);
/// x and y, or the rows of their weights, in different orders of pairs.
///
/// `assumed`: the layout that was stated, which is what a remedy leads to.
void order_remark(const Explanation& e, std::optional<PairLayout> assumed,
                  std::vector<Advice>& result);
/// The rotated dimensions are not the first ones of a head.
void part_remark(const Explanation& e, std::vector<Advice>& result);
/// `given`: the positions were stated.
void position_remark(const Explanation& e, bool given, std::vector<Advice>& result);
void direction_remark(const Explanation& e, std::vector<Advice>& result);
/// Recognises the factor by which every θ_i is wrong where pairs are counted from 1, or from −1.
bool counting_remark(const RotaryEmbedding& found, std::vector<Advice>& result);

}  // namespace rope
