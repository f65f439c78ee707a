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
    "numbers 1,2,...; a file: .npy, .npz, .safetensors or .csv; ones; or random, from --seed";

/// Other words that may be given for a key.
inline constexpr std::string_view kVectorOfQueryHelp =
    "same (q itself), opposite (-q), or turned:N (R_N q, which scores best where n - m = -N)";

/// A vector as the user names it, before the size of the head is known.
struct NamedVector {
  enum class Kind {
    numbers,   ///< given one by one or in a file
    ones,      ///< every number 1, so that all pairs have the same length
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

  /// Whether it is made from the query, and so cannot be a query itself.
  bool of_query() const {
    return kind == Kind::same || kind == Kind::opposite || kind == Kind::turned;
  }
};

/// Reads a vector, the same way everywhere.
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

/// The same for a vector that is not made from another one.
///
/// Throws    rope::Error (invalid input) also for same, opposite and turned.
NamedVector read_query(std::string_view option, const std::string& text);

/// Sets the head size to that of the first vector given as numbers, unless a size, frequencies or a
/// model determine it.
///
/// Throws    rope::Error (invalid input) if that size is odd.
void take_size(std::span<const NamedVector> vectors, RotaryOptions& rotary);

/// The setting for which vectors are made.
struct VectorSetting {
  const RotaryOptions& rotary;  ///< as the user gave them
  const RotaryEmbedding& embedding;
  std::uint64_t seed = 42;
};

/// The numbers of q, head_dim of them.
///
/// Throws    rope::Error (invalid input) if there are more or fewer.
std::vector<double> query_numbers(const NamedVector& query, const VectorSetting& setting);

/// The numbers of k for the query q. If k is R_N q, q is turned without the attention factor.
///
/// Throws    what query_numbers throws.
std::vector<double> key_numbers(const NamedVector& key, const NamedVector& query,
                                const std::vector<double>& q, const VectorSetting& setting);

/// "q = (1, 2)", "q of 128 numbers", "q from q.npy", "q of ones", "q random (seed 42)", "k = −q",
/// "k = R_50 q"
std::string text_of(const NamedVector& vector, std::string_view symbol, std::uint64_t seed,
                    Language language = Language::en);

}  // namespace rope::app
