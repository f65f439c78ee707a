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
    "a list such as 5,2, a range A:B[:STEP] or A:B:logN, or a comma-separated mix of these; or a "
    "file of integers (.npy, .safetensors or text)";

inline constexpr std::size_t kMaxPositions = std::size_t{1} << 25;

struct PositionList {
  std::vector<std::int64_t> values;
  bool logarithmic = false;  ///< whether any part of the list is spaced logarithmically
};

/// Reads positions or distances, in the same way for all options.
///
///     5            a single value
///     A:B[:STEP]   A, A+STEP, … up to and including B; STEP is 1 unless given, and may be negative
///     A:B:logN     N integers from A ≥ 1 to B, spaced logarithmically; fewer if some coincide
///     X,Y,…        any of these, one after the other
///     FILE         a .npy or .safetensors file of integers, in any shape, or text: integers
///                  between blanks or commas; # starts a comment. A name that looks like a list is
///                  read as one: write ./5 for a file "5".
///
/// Throws    rope::Error (invalid input) for anything else, an empty part, or more than
///           kMaxPositions values.
PositionList read_positions(std::string_view option, std::string_view text);

/// Distances that need not be whole numbers of tokens.
struct DistanceList : PositionList {
  std::int64_t parts = 1;  ///< how many units of `values` make up one token
};

/// Reads what read_positions reads, and
///
///     A:B:linN     N numbers from A to B, evenly spaced, as in numpy.linspace(A, B, N)
///
/// Throws    what read_positions throws; also for A and B so large that the numbers between them
///           would not be exact.
DistanceList read_distances(std::string_view option, std::string_view text);

/// The positions m and n of q and k.
///
/// Throws    rope::Error (invalid input) unless there are exactly two.
std::pair<std::int64_t, std::int64_t> two_positions(std::string_view option,
                                                    const std::optional<PositionList>& positions);

}  // namespace rope::app
