#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rope/precision/bounds.hpp"
#include "rope/rotary/measured.hpp"
#include "rope/verify/reference.hpp"
#include "rope/verify/scheme.hpp"

namespace rope {

/// Comparison of tables with the true e^{ipθ_i}. The identity holds for every family of rotations,
/// including R = I and a wrong base; this check distinguishes the correct family from all others.
struct Faithfulness {
  double max_table_error = 0;  ///< largest |ŵ_{p,i} − e^{ipθ_i}|
  /// Largest ratio of an error to its bound; the next four members describe that entry.
  double max_ratio = 0;
  double error = 0;
  double bound = 0;
  std::size_t pair = 0;
  std::int64_t position = 0;
  std::size_t entries = 0;  ///< how many table entries were compared
  std::size_t violations = 0;
};

/// A table entry of one of the three rotors of a scheme, with its error and bound.
struct ComparedEntry : Measured {
  const Rotor* rotor = nullptr;
  std::int64_t position = 0;
  std::size_t pair = 0;
};

/// Compares many schemes with the true rows at some positions. MPFR computes these rows once.
class FaithfulnessCheck {
 public:
  FaithfulnessCheck(const RotaryEmbedding& embedding, std::vector<std::int64_t> positions);

  /// Compares the query, key and relative rotors of a scheme with the true rotation of the claimed
  /// pipeline's embedding.
  Faithfulness check(const Scheme& scheme, const ErrorBounds& bounds) const;

  /// The same, but passes each entry to `take`.
  void compare(const Scheme& scheme, const ErrorBounds& bounds,
               const std::function<void(const ComparedEntry&)>& take) const;

 private:
  std::vector<std::int64_t> positions_;
  std::vector<std::vector<ReferenceRotation::Entry>> rows_;
  RotaryEmbedding embedding_;
};

/// A table entry that is beyond its bound.
struct UnfaithfulEntry {
  std::int64_t position = 0;
  std::size_t pair = 0;
  double error = 0, bound = 0;
};

/// The worst entry beyond its bound, at the first of the positions 1 to 65536 that has such an
/// entry, judged by the library's own exact rotation. Nothing if there is no such entry.
std::optional<UnfaithfulEntry> first_unfaithful(const Scheme& scheme,
                                                const RotaryEmbedding& embedding,
                                                const ErrorBounds& bounds);

/// Where the two dimensions of one embedding's pair lie among the pairs of another embedding's
/// rotor.
struct PairSource {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t first, second;  ///< the pairs to which the two dimensions belong; kNone: the
                              ///< dimension passes through
  bool together;              ///< whether they form a pair there too, in this order
};

/// One PairSource for each pair of `claimed`: where its dimensions lie in `own`. `additive`: `own`
/// rotates nothing.
std::vector<PairSource> pair_sources(const RotaryEmbedding& own, const RotaryEmbedding& claimed,
                                     bool additive);

/// A block [cos −upper; lower other_cos]: what a rotor does to one pair of the claimed embedding,
/// whatever pairs the rotor itself forms.
struct EffectiveBlock {
  double cos, upper, lower, other_cos;

  friend bool operator==(const EffectiveBlock&, const EffectiveBlock&) = default;
};
std::vector<EffectiveBlock> effective_blocks(const Rotor& rotor, const Rotor::Row& row,
                                             const RotaryEmbedding& claimed);

}  // namespace rope
