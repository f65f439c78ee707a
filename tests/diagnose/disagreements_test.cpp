// In what do two diagnoses differ?

#include "rope/diagnose/disagreements.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace rope {
namespace {

Diagnosis diagnosis_of_half_layout() {
  Explanation explanation;
  explanation.arrangement = {0, 64, -1, -1};
  explanation.regimes.resize(1);
  explanation.regimes.front().spectrum.embedding = default_embedding(64, 10000);
  explanation.position_offset = 0;
  Diagnosis diagnosis;
  diagnosis.explanations.push_back(std::move(explanation));
  diagnosis.tokens = 40;
  return diagnosis;
}

/// The names of the parts in which the changed diagnosis differs, "; " after each.
std::string differing(const std::function<void(Explanation&)>& change, bool positions_given = false,
                      std::size_t tokens = 40) {
  Diagnosis changed = diagnosis_of_half_layout();
  changed.tokens = tokens;
  change(changed.explanations.front());
  std::string names;
  for (const ConventionPart part :
       disagreements(diagnosis_of_half_layout(), changed, positions_given))
    names.append(name(part)).append("; ");
  return names;
}

Spectrum& spectrum_of(Explanation& e) { return e.regimes.front().spectrum; }

TEST(Disagreements, AreNamedPartByPart) {
  EXPECT_EQ(differing([](Explanation&) {}), "");
  EXPECT_EQ(differing([](Explanation& e) { e.arrangement.in = e.arrangement.out = 0; }),
            "layout; ");
  EXPECT_EQ(differing([](Explanation& e) { e.arrangement.out = 0; }), "layout; ");
  EXPECT_EQ(differing([](Explanation& e) { e.arrangement.rotary_dim = 32; }), "rotary_dim; ");
  EXPECT_EQ(
      differing([](Explanation& e) { spectrum_of(e).embedding = default_embedding(64, 20000); }),
      "frequencies; ");
  EXPECT_EQ(differing([](Explanation& e) { spectrum_of(e).clockwise = true; }), "direction; ");
  EXPECT_EQ(differing([](Explanation& e) { spectrum_of(e).reversed = true; }),
            "order of the pairs; ");
  EXPECT_EQ(differing([](Explanation& e) { spectrum_of(e).embedding.attention_factor = 1.1; }),
            "attention factor; ");
  EXPECT_EQ(differing([](Explanation& e) { e.position_offset = 3; }), "position offset; ");
  EXPECT_EQ(differing([](Explanation& e) { e.position_offset.reset(); }), "position offset; ");
}

TEST(Disagreements, AreNotWithinWhatIsKnown) {
  const auto factor = [](double error) {
    return [error](Explanation& e) {
      spectrum_of(e).embedding.attention_factor = 1.001;
      spectrum_of(e).factor_error = error;
    };
  };
  EXPECT_EQ(differing(factor(0.0011)), "");
  EXPECT_EQ(differing(factor(0.0009)), "attention factor; ");
}

TEST(Disagreements, StepsOfACacheMayStandAtOtherPositions) {
  const auto shifted = [](Explanation& e) { e.position_offset = 39; };
  EXPECT_EQ(differing(shifted, false, 1), "");
  EXPECT_EQ(differing(shifted, true, 1), "position offset; ");
}

TEST(Disagreements, TablesHaveNoLayout) {
  const auto one_pair = [](bool pairs_seen) {
    return [pairs_seen](Explanation& e) {
      e.arrangement.rotary_dim = 2;
      e.pairs_seen = pairs_seen;
    };
  };
  EXPECT_EQ(differing(one_pair(true)), "layout; rotary_dim; ");
  EXPECT_EQ(differing(one_pair(false)), "rotary_dim; ");
}

TEST(Disagreements, NeedTwoExplanations) {
  EXPECT_TRUE(disagreements({}, diagnosis_of_half_layout(), false).empty());
  EXPECT_TRUE(disagreements(diagnosis_of_half_layout(), {}, false).empty());
}

}  // namespace
}  // namespace rope
