#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/precision/bounds.hpp"
#include "rope/precision/measured.hpp"
#include "rope/verify/reference.hpp"
#include "rope/verify/verdict.hpp"

namespace rope {

/// Where something stands in what an implementation gave, and how far off it is: the error is
/// |found − exact| of the pair, as a vector in its plane.
struct OutputError : Measured {
  std::uint64_t vector = 0;  ///< number of the vector, or of the row of a table
  std::int64_t position = 0;
  std::size_t pair = 0;  ///< or the dimension, for one that passes through
  bool passes_through = false;
  CosSin found{};     ///< the two numbers of the pair (the one number and 0)
  CosSin expected{};  ///< what they are exactly, rounded to double
};

/// What the numbers of one pair can show, whatever is wrong with it.
enum class Evidence {
  none,   ///< nothing: at every position but 0 it is zero, or any turn is within what is allowed
  fixed,  ///< a turn that is off by much; but leaving the pair as it was would be within the bounds
  turn,   ///< that it turned: leaving it as it was would be beyond its bound somewhere
};

/// What comparing outputs with their bounds came to.
struct OutputReport {
  std::uint64_t compared = 0;         ///< pairs and dimensions that pass through
  std::uint64_t violations = 0;       ///< of them, those beyond their bound
  std::uint64_t vacuous = 0;          ///< of the pairs that are not zero, any turn is within
  std::uint64_t zero = 0;             ///< pairs that are zero, which turn to zero by any angle
  OutputError worst;                  ///< says the worst of what was compared
  std::optional<OutputError> first;   ///< the first one beyond its bound
  std::vector<OutputError> per_pair;  ///< the worst of each pair
  std::vector<Evidence> evidence;     ///< of each pair

  bool passed() const { return violations == 0; }

  /// The pairs of which the numbers show just so much.
  std::vector<std::size_t> pairs_that_show(Evidence wanted) const;

  /// A pass only where the numbers could have failed: none of them vacuous, something shown of
  /// every pair, and of one at least that it turned, unless none has to.
  Verdict verdict(const RotaryEmbedding& embedding) const;
};

/// What is granted to frequencies that a scaling rule made, in roundings. Hypothesis: of 60
/// published configurations (data/reference/hf_params) transformers is off by at most 32 in float64
/// and 12 in float32; a wrong parameter costs thousands.
inline constexpr double kRuleRoundings = 32;

/// The bounds that the outputs of an implementation must meet, which are not those of the
/// emulated pipeline: an implementation comes to scaled frequencies by steps of its own, which are
/// granted (kRuleRoundings, and two a factor to repeated products), and may cast its result.
///
/// `result`: the type its results are kept in; casting to it is granted where the policy's store
/// format is wider.
struct OutputBounds {
  OutputBounds(const Policy& named, const RotaryEmbedding& embedding,
               Format result = Format::float64, Hypotheses assumed = {});

  Hypotheses hypotheses;
  Policy policy;  ///< with the cast to the type of the results
  bool narrowed;  ///< that cast is narrower than the policy's own
  ErrorBounds bounds;
};

/// Judges the outputs of an implementation: does it stay within what a rounding policy allows, on
/// the inputs it was given?
///
///     OutputCheck check(*find_policy("float32"), embedding, Format::float32);
///     for (…) check.add_vector(token, position, x, y);
///     check.report().verdict(embedding)
///
/// The exact result is that of 256-bit frequencies; where the library's own double-precision
/// rotation cannot decide, MPFR does.
class OutputCheck {
 public:
  OutputCheck(const Policy& policy, const RotaryEmbedding& embedding,
              Format result = Format::float64, Hypotheses assumed = {});

  /// Compares y with R_m x.
  ///
  /// Shapes    x and y: (d).
  /// Throws    ShapeError if the sizes disagree; DomainError if x has a number that is not finite,
  ///           or that the policy's format does not hold: then it is not what the implementation
  ///           was given.
  void add_vector(std::uint64_t vector, std::int64_t position, std::span<const double> x,
                  std::span<const double> y);

  /// Compares a row of a cos and a sin table with A·cos(mθ_k) and A·sin(mθ_k).
  ///
  /// Shapes    cos and sin: (r/2), or (r): an entry for each rotated dimension, in its place.
  void add_row(std::uint64_t row, std::int64_t position, std::span<const double> cos,
               std::span<const double> sin);

  const OutputReport& report() const { return report_; }
  const OutputBounds& granted() const { return granted_; }

 private:
  struct Judged : Measured {
    CosSin found;
    CosSin expected;
  };
  void take(const Judged& judged, std::uint64_t vector, std::size_t pair, bool passes_through);
  const RotationRow& row_at(std::int64_t position);
  const std::vector<ReferenceRotation::Entry>& reference_at(std::int64_t position);
  Judged judge_pair(std::size_t pair, CosSin x, CosSin found, double bound);
  void weigh(std::size_t pair, CosSin x, double bound);
  void check_input(std::span<const double> x) const;

  RotaryEmbedding embedding_;
  Format input_, result_;
  OutputBounds granted_;
  ReferenceRotation reference_;
  OutputReport report_;
  std::int64_t position_ = 0;
  bool has_row_ = false, has_reference_ = false;
  RotationRow row_;
  std::vector<ReferenceRotation::Entry> reference_row_;
  std::vector<double> limits_;
};

}  // namespace rope
