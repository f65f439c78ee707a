#pragma once

// What to do about a finding, under a stable name: Diagnosis::best_fit holds one.

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "rope/print.hpp"

namespace rope {

/// How a remedy depends on whether y is your own output or the reference.
enum class RemedySides {
  one,      ///< the remedy is the same in both cases
  both,     ///< the remedy has two parts: "if y is your own, …; if it is the reference, …"
  question  ///< the remedy changes nothing, but suggests where to look
};

/// "one", "both" or "question".
constexpr std::string_view name(RemedySides sides) {
  if (sides == RemedySides::one) return "one";
  return sides == RemedySides::both ? "both" : "question";
}

struct KnownRemedy {
  std::string_view name;
  RemedySides sides;
};

/// Every remedy that a diagnosis may give. For each remedy, a test plants the mistake that the
/// remedy fixes, applies the remedy as printed, and diagnoses again; a remedy without such a test
/// case makes the test fail.
inline constexpr auto kRemedies = std::to_array<KnownRemedy>({
    // For an explanation.
    {"direction", RemedySides::both},
    {"pair-order", RemedySides::both},
    {"heads-in-one-axis", RemedySides::one},
    {"interleaved-to-half", RemedySides::both},
    {"half-to-interleaved", RemedySides::both},
    {"reordered-again", RemedySides::one},
    {"reordered-back", RemedySides::one},
    {"y-reordered-twice", RemedySides::one},
    {"x-reordered-twice", RemedySides::one},
    {"rotated-part", RemedySides::both},
    {"axis-at-zero", RemedySides::both},
    {"rounded-positions", RemedySides::both},
    {"one-position", RemedySides::both},
    {"counted-positions", RemedySides::both},
    {"backward-positions", RemedySides::both},
    {"striped-positions", RemedySides::both},
    {"position-runs", RemedySides::both},
    {"unrotated-tokens", RemedySides::both},
    {"axis-positions", RemedySides::both},
    {"position-offset", RemedySides::both},
    {"start", RemedySides::both},
    {"base-in-16-bits", RemedySides::both},
    {"exponent-over-head", RemedySides::both},
    {"exponent-k", RemedySides::both},
    {"exponent-4k", RemedySides::both},
    {"exponent-linspace", RemedySides::both},
    {"exponent-over-hidden", RemedySides::both},
    {"exponent-zero", RemedySides::both},
    {"counted-pairs", RemedySides::both},
    {"radians-as-degrees", RemedySides::both},
    {"degrees-as-radians", RemedySides::both},
    {"radians-as-half-turns", RemedySides::both},
    {"half-turns-as-radians", RemedySides::both},
    {"radians-as-turns", RemedySides::both},
    {"turns-as-radians", RemedySides::both},
    {"doubled-angles", RemedySides::both},
    {"position-steps", RemedySides::both},
    {"ntk-power", RemedySides::both},
    {"inv-freq-in-16-bits", RemedySides::one},
    {"angles-in-16-bits", RemedySides::one},
    {"scores-divided", RemedySides::both},
    {"each-side-divided", RemedySides::both},
    {"powers-of-two", RemedySides::both},
    {"factor-squared", RemedySides::both},
    {"yarn-factor", RemedySides::both},
    {"yarn-factor-squared", RemedySides::both},
    // For differences between an explanation and what is stated.
    {"layout", RemedySides::both},
    {"blocks", RemedySides::both},
    {"rotary-dim", RemedySides::both},
    {"pairs-over-head", RemedySides::both},
    {"pairs-in-part", RemedySides::both},
    {"base", RemedySides::both},
    {"linear-inverted", RemedySides::both},
    {"dynamic-length", RemedySides::both},
    {"longrope-list", RemedySides::both},
    {"rule", RemedySides::both},
    {"cast-frequencies", RemedySides::both},
    {"frequencies", RemedySides::both},
    {"axes", RemedySides::both},
    {"sections", RemedySides::both},
    {"no-axes", RemedySides::both},
    {"several-frequencies", RemedySides::both},
    {"near-frequencies", RemedySides::both},
    {"attention-factor", RemedySides::both},
    {"tables-exchanged", RemedySides::one},
    {"token-axis", RemedySides::both},
    {"table-columns", RemedySides::both},
    // For a mistake after which y is not a plain rotation of x.
    {"half-with-interleaved-tables", RemedySides::one},
    {"interleaved-with-half-tables", RemedySides::one},
    {"half-without-minus", RemedySides::one},
    {"interleaved-without-minus", RemedySides::one},
    {"wrong-signs", RemedySides::one},
    {"halves-exchanged", RemedySides::one},
    {"nothing-exchanged", RemedySides::one},
    {"half-in-place", RemedySides::one},
    {"interleaved-in-place", RemedySides::one},
    {"first-half-written", RemedySides::one},
    {"first-numbers-written", RemedySides::one},
    {"half-without-sines", RemedySides::one},
    {"interleaved-without-sines", RemedySides::one},
    {"whole-head-turned", RemedySides::one},
    {"half-tables-exchanged", RemedySides::one},
    {"interleaved-tables-exchanged", RemedySides::one},
    {"table-reads", RemedySides::one},
    {"scattered-numbers", RemedySides::question},
    {"block-of-numbers", RemedySides::question},
    {"foreign-numbers", RemedySides::one},
    {"bug-half-turns", RemedySides::one},
    {"bug-degrees", RemedySides::one},
    {"bug-from-degrees", RemedySides::one},
    {"norm", RemedySides::both},
    {"token-factor", RemedySides::both},
    {"odd-heads", RemedySides::both},
    {"vector-factors", RemedySides::both},
    {"xpos", RemedySides::both},
    {"weighted-norm", RemedySides::both},
    {"weight", RemedySides::both},
    {"norm-behind", RemedySides::one},
    {"weight-behind", RemedySides::one},
    {"weight-across", RemedySides::one},
    {"bias", RemedySides::both},
    {"bias-behind", RemedySides::one},
    {"reordered-over-heads", RemedySides::one},
    {"head-order", RemedySides::one},
    {"reshape", RemedySides::one},
    {"heads-as-one-vector", RemedySides::one},
    {"rounded-frequencies", RemedySides::one},
    {"rounded-angles", RemedySides::one},
    {"everything-rounded", RemedySides::one},
    {"angle-products", RemedySides::one},
    {"frequency-products", RemedySides::one},
    {"angle-sums", RemedySides::one},
    {"rotation-products", RemedySides::one},
    {"cache", RemedySides::one},
    {"x-in-fewer-digits", RemedySides::one},
    {"fast-functions", RemedySides::one},
    {"matrix-noise", RemedySides::one},
    {"float32-between", RemedySides::one},
    {"second-rotation", RemedySides::one},
    {"axis-sections", RemedySides::both},
    // For numbers that the rotation did not write.
    {"unwritten", RemedySides::one},
    {"unrotated", RemedySides::one},
    {"foreign-tail", RemedySides::one},
    // For weights.
    {"rows-converted", RemedySides::one},
    {"rows-in-order", RemedySides::one},
    {"transposed", RemedySides::one},
});

/// The name of one of kRemedies; any other name fails to compile. Empty if there is nothing to do.
class RemedyName {
 public:
  constexpr RemedyName() = default;
  consteval RemedyName(const char* name) : name_(name) {  // NOLINT(google-explicit-constructor)
    if (std::ranges::find(kRemedies, name_, &KnownRemedy::name) == kRemedies.end())
      throw std::invalid_argument("not one of kRemedies");
  }
  constexpr std::string_view text() const { return name_; }

 private:
  std::string_view name_;
};

/// What to do about a finding: a sentence without a full stop; empty if nothing can be done.
struct Remedy {
  Remedy() = default;
  Remedy(RemedyName of, std::string words) : name(of), text(std::move(words)) {}

  RemedyName name;
  std::string text;
};

}  // namespace rope
