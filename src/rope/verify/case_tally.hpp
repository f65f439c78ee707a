#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "rope/verify/case_check.hpp"
#include "rope/verify/random_case.hpp"
#include "rope/verify/scheme.hpp"
#include "rope/verify/verification.hpp"

namespace rope {

/// The claimed pipeline and the scheme that is judged, for one layout of the embedding.
struct Judged {
  Judged(const VerifyOptions& options, PairLayout layout)
      : claimed(options.policy, with_layout(options.embedding, layout), options.cpu_level),
        scheme(options.policy,
               options.control ? options.control->plant(claimed.embedding())
                               : right_scheme(claimed.embedding()),
               options.cpu_level),
        check(scheme, claimed, options.hypotheses) {}
  Judged(const Judged&) = delete;
  Judged& operator=(const Judged&) = delete;

  static RotaryEmbedding with_layout(RotaryEmbedding embedding, PairLayout layout) {
    embedding.layout = layout;
    return embedding;
  }

  Pipeline claimed;
  Scheme scheme;
  CaseCheck check;
};

/// A case that was judged. Its vectors are not kept, since they can be made again from its number.
struct Trial {
  VerifyCase given;
  RotationForm form = RotationForm::elementwise;
  std::size_t turn = 0;  // the index of its layout
  CaseResult result;
};

/// The maker of the cases of a run.
CaseMaker case_maker(const VerifyOptions& options);

/// Tallies the cases in order: how many there are, how many violate a bound, and the worst of each
/// kind. The report is updated with every case; medians are added at the end.
class CaseTally {
 public:
  CaseTally(const VerifyOptions& options, const std::vector<std::unique_ptr<Judged>>& judged,
            VerifyReport& report)
      : options_(options), judged_(judged), report_(report) {}

  void take(const Trial& trial);
  void finish_medians();

  /// The layout whose left and right operators differ most, if any were compared.
  std::optional<std::size_t> worst_defect() const { return worst_defect_; }

 private:
  void trace_not_finite(const Trial& trial);
  void add_identity(const Trial& trial);
  void add_probable(const Trial& trial);
  void add_defect(const Trial& trial);
  void add_form(const Trial& trial);
  NotableCase notable(const Trial& trial) const;
  VerifyCase with_vectors(const Trial& trial) const;

  const VerifyOptions& options_;
  const std::vector<std::unique_ptr<Judged>>& judged_;
  VerifyReport& report_;
  std::vector<float> ratios_, a_priori_ratios_, certificate_ratios_;
  std::optional<std::size_t> worst_defect_;
};

}  // namespace rope
