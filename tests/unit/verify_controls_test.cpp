// The self-test: planted mistakes are judged by their size, so no right policy fails it by the luck
// of a draw, and no mistake that must be seen is missed.

#include <gtest/gtest.h>

#include "rope/verify/verification.hpp"

namespace rope {
namespace {

using Outcome = ControlReport::Outcome;

std::uint64_t count(const std::vector<ControlReport>& reports, Outcome outcome) {
  std::uint64_t found = 0;
  for (const ControlReport& report : reports) found += report.outcome == outcome ? 1 : 0;
  return found;
}

/// Nothing was missed, and something was rejected.
void expect_sound(const RotaryEmbedding& embedding, const Policy& policy, std::uint64_t seed,
                  const std::string& what) {
  const std::vector<ControlReport> reports = run_controls(embedding, policy, {}, seed);
  EXPECT_EQ(count(reports, Outcome::not_rejected), 0U) << what;
  EXPECT_GT(count(reports, Outcome::rejected), 0U) << what;
}

TEST(VerifyControls, NoRightPolicyFailsTheSelfTestBySizeBaseOrSeed) {
  for (const Policy& policy : policies())
    for (const std::size_t dim : {std::size_t{2}, std::size_t{6}, std::size_t{8}})
      for (const double base : {1.5, 1e5, 1e6}) {
        const std::uint64_t seeds = policy.table == Format::bfloat16 ? 12 : 2;
        for (std::uint64_t seed = 0; seed < seeds; ++seed)
          expect_sound(default_embedding(dim, base), policy, seed,
                       policy.name + " dim " + std::to_string(dim) + " base " +
                           std::to_string(base) + " seed " + std::to_string(seed));
      }
}

TEST(VerifyControls, FrequenciesThatHardlyTurnAreNotHeldAgainstThePolicy) {
  for (const double theta : {6.283185307179586, 3.141592653589793, 12.566370614359172,
                             62.83185307179586, 1e-9, 1e-10, 1e-11, 1e-12, 1e-16, 1e-18, 1e-300}) {
    RotaryEmbedding embedding = default_embedding(2, 10000);
    embedding.base.reset();
    embedding.frequencies = given_frequencies(std::vector<double>{theta});
    for (const char* policy : {"exact", "float64", "float32", "bfloat16-table"})
      for (const std::uint64_t seed : {0U, 42U}) {
        const std::vector<ControlReport> reports =
            run_controls(embedding, *find_policy(policy), {}, seed);
        EXPECT_EQ(count(reports, Outcome::not_rejected), 0U) << policy << " " << theta;
        // A turn of exactly nothing, as of any number of tokens by 2π, has mistakes that are none.
        EXPECT_GT(count(reports, Outcome::rejected) + count(reports, Outcome::undetectable), 0U);
      }
  }
}

TEST(VerifyControls, ACheckThatMissesWhatItMustSeeFailsTheSelfTest) {
  for (const bool held : {false, true})
    for (const bool faithful : {false, true})
      for (const bool must_break : {false, true})
        for (const bool must_show : {false, true}) {
          const bool missed = (held && must_break) || (faithful && must_show);
          EXPECT_EQ(control_outcome(held, faithful, must_break, must_show),
                    missed             ? Outcome::not_rejected
                    : held && faithful ? Outcome::undetectable
                                       : Outcome::rejected);
        }
}

TEST(VerifyControls, LargeMistakesAreRejectedByTheCheckThatIsMadeForThem) {
  // Of ordinary size nothing is below rounding, even in bfloat16.
  for (const char* name : {"exact", "float32", "bfloat16-table", "float16-table"})
    for (const ControlReport& report :
         run_controls(default_embedding(128, 10000), *find_policy(name), {}, 42)) {
      EXPECT_EQ(report.outcome, Outcome::rejected) << name << " " << report.control.name;
      EXPECT_FALSE(report.faithful) << name << " " << report.control.name;
    }
}

TEST(VerifyControls, ABaseSoLargeThatNoLargerOneExistsHasMistakesToo) {
  const std::vector<ControlReport> reports =
      run_controls(default_embedding(2, 1.7e308), *find_policy("float64"), {}, 1);
  EXPECT_EQ(count(reports, Outcome::not_rejected), 0U);
  EXPECT_GT(count(run_controls(default_embedding(64, 5e305), *find_policy("float64"), {}, 1),
                  Outcome::rejected),
            14U);
}

}  // namespace
}  // namespace rope
