#include "rope/words/certification_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rope/words/policy_text.hpp"
#include "rope/words/sentence.hpp"

namespace rope {
namespace {

/// The position furthest from 0 of a pair that is the worst of its kind.
std::int64_t furthest_position(std::span<const Certification* const> parts) {
  std::int64_t furthest = 0;
  for (const Certification* const part : parts)
    for (const OutputError& one : part->report.per_pair)
      furthest = std::max(furthest, one.position < 0 ? -one.position : one.position);
  return furthest;
}

/// All parts together.
struct Total {
  std::uint64_t compared = 0, violations = 0, vacuous = 0;
  const Certification* worst = nullptr;  ///< the part that holds the worst
  bool whole = true;                     ///< no dimension passes through
};

Total total_of(std::span<const Certification* const> parts) {
  Total total;
  for (const Certification* const part : parts) {
    const OutputReport& report = part->report;
    if (total.worst == nullptr || report.worst.worse_than(total.worst->report.worst))
      total.worst = part;
    total.compared += report.compared;
    total.violations += report.violations;
    total.vacuous += report.vacuous;
    const RotaryEmbedding& embedding = part->embedding;
    total.whole = total.whole && (part->of_tables || embedding.rotary_dim() == embedding.head_dim);
  }
  return total;
}

}  // namespace

std::string_view verdict_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "PASS";
    case Verdict::fail:
      return "FAIL";
    case Verdict::inconclusive:
      return "INCONCLUSIVE";
    case Verdict::self_test_failed:
      break;
  }
  return "SELF-TEST FAILED";
}

std::string_view vector_noun(const Certification& certification) {
  return certification.of_tables ? "row" : "vector";
}

std::string place_text(const Certification& certification, const OutputError& one) {
  const std::string at =
      fmt::format("{} {} at position {}", vector_noun(certification), one.vector, one.position);
  if (one.passes_through)
    return fmt::format("{}, dimension {}, which passes through", at, one.pair);
  const auto [i, j] = certification.embedding.dimensions(one.pair);
  return fmt::format("{}, pair {} (dimensions {}, {})", at, one.pair, i, j);
}

std::string error_text(const OutputError& one) {
  const std::string numbers =
      one.passes_through
          ? fmt::format("found {:.9g}, given {:.9g}", one.found.cos, one.expected.cos)
          : fmt::format("found ({:.9g}, {:.9g}), exact ({:.9g}, {:.9g})", one.found.cos,
                        one.found.sin, one.expected.cos, one.expected.sin);
  return fmt::format("{}: off by {:.3g} where {:.3g} is allowed", numbers, one.error, one.bound);
}

std::string verdict_text(Verdict verdict, std::span<const Certification* const> parts,
                         std::optional<double> sufficient_libm_ulp) {
  const Total total = total_of(parts);
  const Policy& policy = parts.front()->policy;
  const char* const noun = total.whole ? "pair" : "place";
  const OutputError& worst = total.worst->report.worst;
  const std::string place = place_text(*total.worst, worst);
  const std::string off =
      fmt::format("off by {:.3g} where {:.3g} is allowed", worst.error, worst.bound);
  const std::string beyond =
      fmt::format("{} of {} {} beyond what {} allows", total.violations,
                  counted(total.compared, noun), total.violations == 1 ? "is" : "are", policy.name);
  if (verdict == Verdict::fail) return fmt::format("{}, furthest {}, {}", beyond, place, off);
  if (verdict == Verdict::pass)
    return fmt::format("{} within what {} allows; nearest to it is {}, {}",
                       total.compared == 1
                           ? fmt::format("the one {} is", noun)
                           : fmt::format("all {} are", counted(total.compared, noun)),
                       policy.name, place, off);
  if (sufficient_libm_ulp)
    return fmt::format(
        "{}, but none with cos and sin off by up to {} ulp instead of {}: another library's would "
        "explain it",
        beyond, *sufficient_libm_ulp, parts.front()->hypotheses.libm_ulp);
  const std::string collide =
      total.vacuous > 0 ? collision_text(policy, furthest_position(parts)) : std::string();
  return fmt::format("{}{} is beyond what {} allows, but not every pair is proved right", collide,
                     collide.empty() ? "nothing" : "Nothing", policy.name);
}

}  // namespace rope
