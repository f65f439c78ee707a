#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace rope::app {

/// How help texts describe a list of positions or distances.
inline constexpr std::string_view kPositionsHelp =
    "5,2 or A:B[:STEP] or A:B:logN, mixed with commas; or a file: .npy or .safetensors (integers), "
    "or text";

inline constexpr std::size_t kMaxPositions = std::size_t{1} << 25;

struct PositionList {
  std::vector<std::int64_t> values;
  bool logarithmic = false;  ///< a part of it was spaced logarithmically
};

/// Reads positions or distances, the same way everywhere.
///
///     5            one of them
///     A:B[:STEP]   A, A+STEP, … up to and including B; STEP is 1 unless given, may be negative
///     A:B:logN     N integers from A ≥ 1 to B, spaced logarithmically, fewer where some coincide
///     X,Y,…        any of these, one after the other
///     FILE         a .npy or .safetensors file of integers, in any shape, or text: integers
///     between
///                  blanks or commas; # starts a comment. A name that reads like a list is a list:
///                  write ./5 for a file "5".
///
/// Throws    rope::Error (invalid input) for anything else, an empty part, or more than
///           kMaxPositions values.
PositionList read_positions(std::string_view option, std::string_view text);

/// Distances that need not be whole numbers of tokens.
struct DistanceList : PositionList {
  std::int64_t parts = 1;  ///< parts per token in which the values are counted
};

/// Reads what read_positions reads, and
///
///     A:B:linN     N numbers from A to B, evenly spaced, as numpy.linspace(A, B, N) has them
///
/// Throws    as read_positions; also for A and B so large that their parts are not exact.
DistanceList read_distances(std::string_view option, std::string_view text);

/// The positions m and n of q and k.
///
/// Throws    rope::Error (invalid input) unless there are exactly two.
std::pair<std::int64_t, std::int64_t> two_positions(std::string_view option,
                                                    const std::optional<PositionList>& positions);

}  // namespace rope::app
