#include "rope/words/certification_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rope/language/said.hpp"
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

std::string place_text(const Certification& certification, const OutputError& one,
                       Language language) {
  const std::string at = certification.of_tables
                             ? said(language, "row {} at position {}", one.vector, one.position)
                             : said(language, "vector {} at position {}", one.vector, one.position);
  if (one.passes_through)
    return said(language, "{}, dimension {}, which passes through", at, one.pair);
  const auto [i, j] = certification.embedding.dimensions(one.pair);
  return said(language, "{}, pair {} (dimensions {}, {})", at, one.pair, i, j);
}

std::string error_text(const OutputError& one, Language language) {
  const std::string numbers =
      one.passes_through
          ? said(language, "found {:.9g}, given {:.9g}", one.found.cos, one.expected.cos)
          : said(language, "found ({:.9g}, {:.9g}), exact ({:.9g}, {:.9g})", one.found.cos,
                 one.found.sin, one.expected.cos, one.expected.sin);
  return said(language, "{}: off by {:.3g} where {:.3g} is allowed", numbers, one.error, one.bound);
}

std::string all_text(std::uint64_t compared, bool pairs, Language language) {
  if (compared != 1)
    return said(language, "all {} are", counted(compared, pairs ? "pair" : "place", language));
  return pairs ? said(language, "the one pair is") : said(language, "the one place is");
}

std::string verdict_text(Verdict verdict, std::span<const Certification* const> parts,
                         std::optional<double> sufficient_libm_ulp, Language language) {
  const Total total = total_of(parts);
  const Policy& policy = parts.front()->policy;
  const OutputError& worst = total.worst->report.worst;
  const std::string place = place_text(*total.worst, worst, language);
  const std::string off =
      said(language, "off by {:.3g} where {:.3g} is allowed", worst.error, worst.bound);
  const std::string all = counted(total.compared, total.whole ? "pair" : "place", language);
  const std::string beyond =
      total.violations == 1
          ? said(language, "{} of {} is beyond what {} allows", 1, all, policy.name)
          : said(language, "{} of {} are beyond what {} allows", total.violations, all,
                 policy.name);
  if (verdict == Verdict::fail)
    return said(language, "{}; the worst relative to its limit is {}, {}", beyond, place, off);
  if (verdict == Verdict::pass)
    return said(language, "{} within what {} allows; the closest to its limit is {}, {}",
                all_text(total.compared, total.whole, language), policy.name, place, off);
  if (sufficient_libm_ulp)
    return said(language,
                "{}, but none if cos and sin may be off by up to {} ulp instead of {}: another "
                "math library would explain the difference",
                beyond, *sufficient_libm_ulp, parts.front()->hypotheses.libm_ulp);
  const std::string collide = total.vacuous > 0
                                  ? collision_text(policy, furthest_position(parts), language)
                                  : std::string();
  return collide.empty()
             ? said(language,
                    "nothing is beyond what {} allows, but not every pair is proved correct",
                    policy.name)
             : said(language,
                    "{}Nothing is beyond what {} allows, but not every pair is proved correct",
                    collide, policy.name);
}

}  // namespace rope
