#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "named/rotary_options.hpp"
#include "rope/language/language.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope::app {

/// How help texts describe a vector.
inline constexpr std::string_view kVectorHelp =
    "numbers (1,2,...); a file (.npy, .npz, .safetensors or .csv); ones; or random (from --seed)";

/// Additional words that may be given for a key.
inline constexpr std::string_view kVectorOfQueryHelp =
    "same (q itself), opposite (-q) or turned:N (R_N q, which scores best where n - m = -N)";

/// A vector as the user names it, before the size of the head is known.
struct NamedVector {
  enum class Kind {
    numbers,   ///< given as numbers or in a file
    ones,      ///< all numbers are 1, so that all pairs have the same length
    random,    ///< normal numbers
    same,      ///< q
    opposite,  ///< −q
    turned,    ///< R_N q
  };
  std::string option = {};  ///< "--query"
  Kind kind = Kind::random;
  std::string file = {};  ///< the file that held the numbers, or empty
  std::vector<double> numbers = {};
  std::int64_t turned_by = 0;

  /// Whether it is made from the query, and therefore cannot be a query itself.
  bool of_query() const {
    return kind == Kind::same || kind == Kind::opposite || kind == Kind::turned;
  }
};

/// Reads a vector, in the same way for all options.
///
///     1,2,-0.5    its numbers
///     FILE        a .npy or .safetensors file (FILE.safetensors:NAME where it holds several) of
///                 one vector, or text: .csv with one row or one column
///     ones        every number 1
///     random      normal numbers from a seed
///     same        the query; opposite: times −1; turned:N: rotated by N positions
///
/// Throws    rope::Error (invalid input) for anything else, a number that is not finite, or more
///           than kMaxRotaryDim numbers; rope::SystemError.
NamedVector read_vector(std::string_view option, const std::string& text);

/// Reads a query in the same way; a query cannot be made from another vector.
///
/// Throws    rope::Error (invalid input) also for the words same, opposite and turned.
NamedVector read_query(std::string_view option, const std::string& text);

/// Sets the head size to the size of the first vector that was given as numbers, unless a size,
/// frequencies or a model was given.
///
/// Throws    rope::Error (invalid input) if that size is odd.
void take_size(std::span<const NamedVector> vectors, RotaryOptions& rotary);

/// The setting in which the numbers of vectors are determined.
struct VectorSetting {
  const RotaryOptions& rotary;  ///< the options as the user gave them
  const RotaryEmbedding& embedding;
  std::uint64_t seed = 42;
};

/// The head_dim numbers of q.
///
/// Throws    rope::Error (invalid input) if there are more or fewer than head_dim.
std::vector<double> query_numbers(const NamedVector& query, const VectorSetting& setting);

/// The numbers of k for the query q. If k is R_N q, the rotation omits the attention factor.
///
/// Throws    what query_numbers throws.
std::vector<double> key_numbers(const NamedVector& key, const NamedVector& query,
                                const std::vector<double>& q, const VectorSetting& setting);

/// "q = (1, 2)", "q of 128 numbers", "q from q.npy", "q of ones", "q random (seed 42)", "k = −q",
/// "k = R_50 q"
std::string text_of(const NamedVector& vector, std::string_view symbol, std::uint64_t seed,
                    Language language = Language::en);

}  // namespace rope::app
