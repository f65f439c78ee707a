// What policy.hpp promises: the policies by name, and policies stated stage by stage.

#include "rope/precision/policy.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>

#include "rope/error.hpp"
#include "support/outcome.hpp"

namespace rope {
namespace {

using enum Format;

/// Everything but the words.
auto stages(const Policy& p) {
  return std::tuple(p.frequency, p.position, p.angle, p.table, p.apply, p.store, p.accumulate,
                    p.angle_rule, p.sum, p.reduced);
}

auto stages(Format frequency, Format position, Format angle, Format table, Format apply,
            Format store, Format accumulate, AngleRule rule = AngleRule::product,
            SumOrder sum = SumOrder::sequential, bool reduced = false) {
  return std::tuple(frequency, position, angle, table, apply, store, accumulate, rule, sum,
                    reduced);
}

TEST(Policy, NamesAreDifferentAndHaveAMeaning) {
  std::set<std::string> names;
  for (const Policy& policy : policies()) {
    names.insert(policy.name);
    EXPECT_FALSE(policy.summary.empty()) << policy.name;
  }
  EXPECT_EQ(names.size(), policies().size());
  EXPECT_EQ(names.size(), 20U);
}

TEST(Policy, ANameAloneIsThatPolicy) {
  for (const Policy& policy : policies()) {
    const Policy parsed = parse_policy(policy.name);
    EXPECT_EQ(stages(parsed), stages(policy)) << policy.name;
    EXPECT_EQ(parsed.name, policy.name);
    EXPECT_EQ(parsed.summary, policy.summary);
  }
}

TEST(Policy, EveryNamedPolicyCanBeStatedStageByStage) {
  const auto format = [](Format f) { return std::string(limits(f).name); };
  for (const Policy& p : policies()) {
    if (p.angle_rule == AngleRule::exact) continue;
    const std::string rule = p.angle_rule == AngleRule::product      ? "product"
                             : p.angle_rule == AngleRule::recurrence ? "recurrence"
                                                                     : "scale-power";
    const std::string text =
        "frequency=" + format(p.frequency) + ",position=" + format(p.position) +
        ",angle=" + format(p.angle) + ",table=" + format(p.table) + ",apply=" + format(p.apply) +
        ",store=" + format(p.store) + ",accumulate=" + format(p.accumulate) + ",rule=" + rule +
        ",sum=" + (p.sum == SumOrder::pairwise ? "pairwise" : "sequential") +
        ",reduced=" + (p.reduced ? "yes" : "no");
    const Policy parsed = parse_policy(text);
    EXPECT_EQ(stages(parsed), stages(p)) << text;
    EXPECT_EQ(parsed.name, text);
  }
}

TEST(Policy, StagesThatAreNotGivenFollowTheOneBeforeThem) {
  const auto parsed = [](const char* text) { return stages(parse_policy(text)); };
  EXPECT_EQ(parsed("angle=f32"),
            stages(float32, float32, float32, float32, float32, float32, float32));
  EXPECT_EQ(parsed("angle=f64"),
            stages(float64, float64, float64, float64, float64, float64, float64));
  EXPECT_EQ(parsed("angle=bf16"),
            stages(bfloat16, bfloat16, bfloat16, bfloat16, bfloat16, bfloat16, float32))
      << "accumulated in float32 at least";
  EXPECT_EQ(parsed("table=bf16"),
            stages(float32, float32, float32, bfloat16, bfloat16, bfloat16, float32));
  EXPECT_EQ(parsed("apply=f16"),
            stages(float32, float32, float32, float32, float16, float16, float32));
  EXPECT_EQ(parsed("apply=f64"),
            stages(float32, float32, float32, float32, float64, float64, float64));
  EXPECT_EQ(parsed("store=e4m3"),
            stages(float32, float32, float32, float32, float32, float8, float32));
  EXPECT_EQ(parsed("accumulate=bf16"),
            stages(float32, float32, float32, float32, float32, float32, bfloat16));
  EXPECT_EQ(parsed("frequency=bf16"),
            stages(bfloat16, float32, float32, float32, float32, float32, float32));
  EXPECT_EQ(parsed("position=tf32"),
            stages(float32, tfloat32, float32, float32, float32, float32, float32));
  EXPECT_EQ(parsed("angle=f64,table=f32"),
            stages(float64, float64, float64, float32, float32, float32, float32));
  EXPECT_EQ(parsed("angle=f32,table=bf16,apply=bf16,accumulate=f32"),
            stages(*find_policy("bfloat16-table")));
  EXPECT_EQ(parsed("rule=recurrence"), stages(*find_policy("ggml")));
  EXPECT_EQ(parsed("rule=scale-power"), stages(*find_policy("ggml-cuda")));
  EXPECT_EQ(parsed("sum=pairwise"), stages(*find_policy("float32-pairwise")));
  EXPECT_EQ(parsed("angle=f64,reduced=yes,table=f32"), stages(*find_policy("float64-reduced")));
}

TEST(Policy, ANameAndStagesIsThatPolicyWithNothingElseChanged) {
  const auto parsed = [](const char* text) { return stages(parse_policy(text)); };
  EXPECT_EQ(parsed("float32,store=bf16"), stages(*find_policy("bfloat16-store")));
  EXPECT_EQ(parsed("float32,frequency=bfloat16"), stages(*find_policy("bfloat16-frequencies")));
  EXPECT_EQ(parsed("float64,sum=pairwise"), stages(*find_policy("float64-pairwise")));
  EXPECT_EQ(parsed("float32,rule=recurrence"), stages(*find_policy("ggml")));
  EXPECT_EQ(parsed("float64-angle,reduced=yes"), stages(*find_policy("float64-reduced")));
  EXPECT_EQ(parsed("bfloat16-table,table=f32"),
            stages(float32, float32, float32, float32, bfloat16, bfloat16, float32))
      << "what follows the table stays as the name has it";
  EXPECT_EQ(parsed("bfloat16-table,angle=f64"),
            stages(float32, float32, float64, bfloat16, bfloat16, bfloat16, float32));
  EXPECT_EQ(parsed("ggml,rule=product"), stages(*find_policy("float32")));
  const Policy both = parse_policy("float32,store=bf16");
  EXPECT_EQ(both.name, "float32,store=bf16");
  EXPECT_EQ(both.summary, "as stated");
}

/// The message of the error that a text causes.
std::string error_of(const char* text) {
  return test::refusal([&] { parse_policy(text); });
}

TEST(Policy, SaysWhatIsWrongWithATextThatIsNone) {
  const auto says = [](const char* text, const std::string& part) {
    const std::string message = error_of(text);
    EXPECT_NE(message.find(part), std::string::npos) << "'" << text << "': " << message;
  };
  says("float31", "got 'float31'");
  says("float31", "exact, float64,");
  says("float31,table=f32", "got 'float31'");
  says("", "expected key=format, got ''");
  says("float32,", "expected key=format, got ''");
  says("float32,,table=f32", "expected key=format, got ''");
  says("table=f32,float32", "expected key=format, got 'float32'");
  says("float32,float64", "expected key=format, got 'float64'");
  says("tables=f32", "unknown stage 'tables'");
  says("=f32", "unknown stage ''");
  says("table=f33", "table: expected one of f64, f32, tf32, f16, bf16, e4m3, got 'f33'");
  says("table=", "got ''");
  says("table=f32=f32", "got 'f32=f32'");
  says("table=f32,table=f32", "'table' is given twice");
  says("rule=exact", "rule: expected one of product, recurrence, scale-power, got 'exact'");
  says("sum=tree", "sum: expected one of sequential, pairwise, got 'tree'");
  says("reduced=1", "reduced: expected one of yes, no, got '1'");
  says("exact,table=f32", "'exact' has no stages to change");
  says("reduced=yes", "reduced=yes needs angle=f64");
  says("angle=f64,rule=recurrence", "the same format, f32 or narrower");
  says("angle=f64,rule=scale-power", "the same format, f32 or narrower");
  says("ggml,position=f64", "the same format");
  says("ggml-cuda,frequency=bf16", "the same format");
  EXPECT_EQ(error_of("angle=bf16,rule=recurrence"), "accepted");
}

TEST(Policy, DerivesTheFormatsOfLibmAndOfTheInput) {
  EXPECT_EQ(find_policy("float64")->trig(), float64);
  EXPECT_EQ(find_policy("float64-angle")->trig(), float64);
  EXPECT_EQ(find_policy("float64-reduced")->trig(), float32) << "cosf of the rest";
  EXPECT_EQ(find_policy("bfloat16-positions")->trig(), float32);
  EXPECT_EQ(find_policy("float64")->pow(), float64);
  EXPECT_EQ(find_policy("float32-frequencies")->pow(), float32);
  EXPECT_EQ(find_policy("tf32")->pow(), float32);
  EXPECT_EQ(find_policy("bfloat16-store")->input(), bfloat16);
  EXPECT_EQ(find_policy("float8-store")->input(), float32) << "a cache alone is in float8";
}

TEST(Policy, ProductsAreExactWhereTwoSignificandsFit) {
  const std::set<std::string> exact = {"bfloat16-store",    "bfloat16-table",
                                       "float16-table",     "bfloat16-positions",
                                       "float16-positions", "float64-angle-bfloat16"};
  for (const Policy& policy : policies())
    EXPECT_EQ(policy.exact_products(), exact.contains(policy.name)) << policy.name;
  EXPECT_TRUE(parse_policy("float32,accumulate=f64").exact_products()) << "48 bits of 53";
  EXPECT_FALSE(parse_policy("bfloat16-table,accumulate=bf16").exact_products());
}

}  // namespace
}  // namespace rope
