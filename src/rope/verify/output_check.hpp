#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rope/precision/bounds.hpp"
#include "rope/verify/output_report.hpp"
#include "rope/verify/reference.hpp"

namespace rope {

/// The number of roundings allowed for frequencies that a scaling rule computed. It is a
/// hypothesis: in 60 rows of 42 configurations (data/reference/hf_params), transformers is off by
/// at most 32 roundings in float64 and 12 in float32; a wrong parameter has the effect of thousands
/// of roundings.
inline constexpr double kRuleRoundings = 32;

/// The bounds that the outputs of an implementation must meet. They differ from those of the
/// emulated pipeline: the implementation may cast its result, and the roundings of its own
/// computation of scaled frequencies are allowed for (kRuleRoundings, and two per factor for
/// repeated products).
///
/// `result`: the type of the implementation's results; a cast to it is allowed for if the policy's
/// store format is wider.
struct OutputBounds {
  OutputBounds(const Policy& named, const RotaryEmbedding& embedding,
               Format result = Format::float64, Hypotheses assumed = {});

  Hypotheses hypotheses;
  Policy policy;  ///< with the cast to the type of the results
  bool narrowed;  ///< whether that cast is narrower than the policy's own
  ErrorBounds bounds;
};

/// Judges the outputs of an implementation: for the inputs it was given, are they within what a
/// rounding policy allows?
///
///     OutputCheck check(*find_policy("float32"), embedding, Format::float32);
///     for (…) check.add_vector(token, position, x, y);
///     check.report().verdict(embedding)
///
/// The exact result is computed from 256-bit frequencies; MPFR is used where the library's own
/// double-precision rotation cannot decide.
class OutputCheck {
 public:
  OutputCheck(const Policy& policy, const RotaryEmbedding& embedding,
              Format result = Format::float64, Hypotheses assumed = {});

  /// Compares y with R_m x; `position` is m, with one number or one per axis.
  ///
  /// Shapes    x and y: (d).
  /// Throws    ShapeError if the sizes disagree; DomainError if x contains a number that is not
  ///           finite or that the policy's format cannot represent, because such an x is not what
  ///           the implementation was given.
  void add_vector(std::uint64_t vector, const Position& position, std::span<const double> x,
                  std::span<const double> y);

  /// Compares a row of a cos and a sin table with A·cos(mθ_i) and A·sin(mθ_i).
  ///
  /// Shapes    cos and sin: (r/2), or (r) with one entry for each rotated dimension, in the order
  ///           of the dimensions.
  void add_row(std::uint64_t row, const Position& position, std::span<const double> cos,
               std::span<const double> sin);

  const OutputReport& report() const { return report_; }
  const OutputBounds& granted() const { return granted_; }

  /// Skips everything after the first violation, for callers that only need to know whether there
  /// is one.
  void stop_at_violation() { stops_ = true; }

  /// From now on keeps the errors of the vector added last: those of all pairs, then those of the
  /// dimensions that pass through.
  void keep_last() { keeps_ = true; }
  const std::vector<OutputError>& last() const { return last_; }

 private:
  struct Judged : Measured {
    CosSin found;
    CosSin expected;
  };
  void take(const Judged& judged, std::uint64_t vector, std::size_t pair, bool passes_through);
  const RotationRow& row_at(const Position& position);
  bool stopped() const { return stops_ && !report_.passed(); }
  std::int64_t position_of(std::size_t pair) const;
  const std::vector<ReferenceRotation::Entry>& reference_at(const Position& position);
  Judged judge_pair(std::size_t pair, CosSin x, CosSin found, double bound);
  void weigh(std::size_t pair, CosSin x, double bound);
  void check_input(std::span<const double> x) const;

  RotaryEmbedding embedding_;
  Format input_, result_;
  OutputBounds granted_;
  ReferenceRotation reference_;
  OutputReport report_;
  bool stops_ = false, keeps_ = false;
  std::vector<OutputError> last_;
  Position position_;
  bool has_row_ = false, has_reference_ = false;
  RotationRow row_;
  std::vector<ReferenceRotation::Entry> reference_row_;
  std::vector<double> limits_;
};

}  // namespace rope
