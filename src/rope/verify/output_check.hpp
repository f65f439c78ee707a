#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/precision/bounds.hpp"
#include "rope/verify/reference.hpp"

namespace rope {

/// Where something stands in what an implementation gave, and how far off it is.
struct OutputError {
  std::uint64_t vector = 0;  ///< number of the vector, or of the row of a table
  std::int64_t position = 0;
  std::size_t pair = 0;  ///< or the dimension, for one that passes through
  bool passes_through = false;
  double error = 0;  ///< |found − exact| of the pair, as a vector in its plane
  double bound = 0;
  CosSin found{};     ///< the two numbers of the pair (the one number and 0)
  CosSin expected{};  ///< what they are exactly, rounded to double

  double ratio() const { return error == 0 ? 0 : error / bound; }
};

/// What comparing outputs with their bounds came to.
struct OutputReport {
  std::uint64_t compared = 0;         ///< pairs and dimensions that pass through
  std::uint64_t violations = 0;       ///< of them, those beyond their bound
  std::uint64_t vacuous = 0;          ///< of them, those that any turn would have been within
  OutputError worst;                  ///< the largest ratio to the bound; NaN is larger than any
  std::optional<OutputError> first;   ///< the first one beyond its bound
  std::vector<OutputError> per_pair;  ///< the worst of each pair
  bool passed() const { return violations == 0; }
};

/// What is granted to frequencies that a scaling rule made, in roundings. Hypothesis: of 60
/// published configurations (data/reference/hf_params) transformers is off by at most 32 in float64
/// and 12 in float32; a wrong parameter costs thousands.
inline constexpr double kRuleRoundings = 32;

/// Judges the outputs of an implementation: does it stay within what a rounding policy allows, on
/// the inputs it was given?
///
/// The exact result is that of 256-bit frequencies; where the library's own double-precision
/// rotation cannot decide, MPFR does.
class OutputCheck {
 public:
  /// `input`: the format in which the implementation takes its numbers.
  OutputCheck(const Pipeline& claimed, Format input, Hypotheses hypotheses = {});

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
  /// `type`: what the table is kept in; a cast to it is allowed where the policy's is wider.
  void add_row(std::uint64_t row, std::int64_t position, std::span<const double> cos,
               std::span<const double> sin, Format type = Format::float64);

  const OutputReport& report() const { return report_; }

 private:
  struct Judged {
    CosSin found;
    CosSin expected;
    double error;
    double bound;
  };
  void take(const Judged& judged, std::uint64_t vector, std::size_t pair, bool passes_through);
  const RotationRow& row_at(std::int64_t position);
  const std::vector<ReferenceRotation::Entry>& reference_at(std::int64_t position);
  Judged judge_pair(std::size_t pair, double x, double y, CosSin found, double bound);
  void check_input(std::span<const double> x) const;

  Pipeline claimed_;
  Format input_;
  ErrorBounds bounds_;
  ReferenceRotation reference_;
  OutputReport report_;
  std::int64_t position_ = 0;
  bool has_row_ = false, has_reference_ = false;
  RotationRow row_;
  std::vector<ReferenceRotation::Entry> reference_row_;
  std::vector<double> limits_;
};

}  // namespace rope
