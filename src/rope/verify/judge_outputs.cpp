#include "rope/verify/judge_outputs.hpp"

#include <cmath>

namespace rope {
namespace {

/// The least λ above the assumed one with which what failed would pass. The largest λ is asked for
/// first: what is wrong otherwise costs one more look.
template <typename PassesWith>
std::optional<double> sufficient_ulp(double assumed, PassesWith passes_with) {
  if (assumed >= kVectorLibmUlp || !passes_with(kVectorLibmUlp)) return std::nullopt;
  double ulp = std::floor(assumed) + 1;
  while (ulp < kVectorLibmUlp && !passes_with(ulp)) ++ulp;
  return ulp;
}

}  // namespace

Certification judge_outputs(const RotaryEmbedding& embedding, const Policy& policy, Format result,
                            const Hypotheses& assumed,
                            const std::function<void(OutputCheck&)>& add) {
  OutputCheck check(policy, embedding, result, assumed);
  add(check);
  Certification certification;
  certification.embedding = embedding;
  certification.report = check.report();
  certification.verdict = certification.report.verdict(embedding);
  certification.policy = check.granted().policy;
  certification.narrowed = check.granted().narrowed;
  certification.hypotheses = check.granted().hypotheses;
  if (certification.verdict != Verdict::fail) return certification;
  certification.sufficient_libm_ulp = sufficient_ulp(assumed.libm_ulp, [&](double ulp) {
    Hypotheses worse = assumed;
    worse.libm_ulp = ulp;
    OutputCheck again(policy, embedding, result, worse);
    again.stop_at_violation();
    add(again);
    return again.report().verdict(embedding) == Verdict::pass;
  });
  // Not proven wrong: cos and sin of a library in use would do it.
  if (certification.sufficient_libm_ulp) certification.verdict = Verdict::inconclusive;
  return certification;
}

}  // namespace rope
