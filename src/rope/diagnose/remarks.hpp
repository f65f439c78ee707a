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

/// Heads that follow one another in one axis; true if there are any: differences in the frequencies
/// then do not count.
bool heads_remark(const Explanation& e, std::vector<Advice>& result);
/// x and y, or the rows of their weights, in different orders of pairs.
///
/// `assumed`: the stated layout, to which a remedy leads.
void order_remark(const Explanation& e, std::optional<PairLayout> assumed,
                  std::vector<Advice>& result);
/// The rotated dimensions are not the first ones of a head.
void part_remark(const Explanation& e, std::vector<Advice>& result);
/// `given`: the positions were stated.
void position_remark(const Explanation& e, bool given, std::vector<Advice>& result);
void direction_remark(const Explanation& e, std::vector<Advice>& result);
/// Recognises the factor by which every θ_i is wrong if pairs are counted from 1 or from −1.
bool counting_remark(const RotaryEmbedding& found, std::vector<Advice>& result);

}  // namespace rope
