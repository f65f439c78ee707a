// Vectors of one type that are turned by tables of another, as numpy and torch promote them.

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <string>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"
#include "rope/scaling/scaling.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

using test::counted;
using test::Made;

constexpr std::size_t kTokens = 24, kLanes = 2, kDim = 64;

RotaryEmbedding llama3(double base, double factor = 8) {
  return scaled_embedding(
      {"llama3", {{"factor", factor}, {"low", 1}, {"high", 4}, {"original", 8192}}, {}},
      {base, kDim, kDim, std::nullopt, std::nullopt});
}

/// What a port does, where half layout, base 500000 and factor 8 from position 0 are stated.
struct Port {
  double base = 5e5;
  int order = -1;
  std::int64_t first = 0;
  bool clockwise = false;
  double factor = 8;
  std::vector<const char*> findings;  ///< what is to be said of it, and no more
};

const char* const kBase = "the base is 10000; you assume 500000";
const char* const kLayout = "the pairs are interleaved (2i, 2i+1); you assume half";

std::vector<Port> ports() {
  std::vector<Port> all(7);
  all[1] = {.base = 1e4, .findings = {kBase}};
  all[2] = {.order = 0, .findings = {kLayout}};
  all[3] = {.base = 1e4, .order = 0, .findings = {kLayout, kBase}};
  all[4] = {.first = 1, .findings = {"positions are 1 higher than the given ones"}};
  all[5] = {.clockwise = true, .findings = {"the rotation is by −mθ"}};
  all[6] = {.base = 1e4, .first = 3, .findings = {kBase, "positions are 3 higher"}};
  return all;
}

DiagnosisRequest stating() {
  DiagnosisRequest request;
  request.positions = counted(0, kTokens);
  request.assumed = Assumption{llama3(5e5), true, true, true};
  request.assumed->embedding.layout = PairLayout::half;
  return request;
}

std::string text(const std::vector<Advice>& all) {
  std::string result;
  for (const Advice& advice : all) result += advice.finding + "\n";
  return result;
}

void expect_named(const Port& port, const test::RotatedVectors& tensors) {
  const DiagnosisRequest request = stating();
  const Diagnosis d = diagnose(tensors, request);
  ASSERT_FALSE(d.explanations.empty()) << (d.best_fit ? d.best_fit->bug : "nothing");
  const std::vector<Advice> found = differences(d.explanations.front(), *request.assumed);
  EXPECT_EQ(found.size(), port.findings.size()) << text(found);
  for (const char* const words : port.findings)
    EXPECT_NE(text(found).find(words), std::string::npos) << words << " in " << text(found);
}

TEST(MixedTypes, WhatIsNamedDoesNotDependOnThem) {
  constexpr std::array kWide = {Format::float64, Format::float32, Format::bfloat16,
                                Format::float16};
  constexpr std::array kSingle = {Format::float32, Format::bfloat16, Format::float16};
  struct Types {
    const char* policy;
    std::span<const Format> inputs;
  };
  const std::vector<Types> all = {
      {"float64,table=f32,apply=f64,store=f64", kWide},
      {"angle=f32,table=f32,apply=f64", kWide},
      {"angle=f32,table=bf16,apply=f64", std::span(kWide).first(1)},
      {"angle=f32,table=f16,apply=f64", std::span(kWide).last(1)},
      {"angle=f32,table=f32,apply=f64,store=f32", std::span(kWide).first(1)},
      {"float64-angle", std::span(kSingle).first(1)},
      {"bfloat16-cache", std::span(kSingle).first(2)},
      {"angle=f32,table=f16,apply=f32", kSingle},
      {"float32,store=f16", std::span(kSingle).last(1)},
      {"float16-table", std::span(kSingle).last(1)},
  };
  for (const Types& types : all)
    for (const Format input : types.inputs)
      for (const Port& port : ports()) {
        SCOPED_TRACE(std::string(types.policy) + " of " + std::string(limits(input).name) +
                     " vectors: " + (port.findings.empty() ? "right" : port.findings.front()));
        RandomStream random(11, 0);
        test::RotatedVectors tensors = test::random_tensors(kTokens, kLanes, kDim, input, random);
        test::rotate_into({{0, kDim, port.order, port.order},
                           llama3(port.base, port.factor),
                           parse_policy(types.policy),
                           port.clockwise},
                          counted(port.first, kTokens), tensors);
        expect_named(port, tensors);
      }
}

// In 16 bits slow pairs do not visibly turn: of interleaved ones, fewer are seen than are stated.
TEST(MixedTypes, SlowPairsOfCoarseNumbersBelongToWhatIsStated) {
  const Port port = {.base = 1e4, .order = 0, .findings = {kLayout, kBase}};
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    expect_named(port, test::made_tensors(
                           {{0, kDim, 0, 0}, llama3(1e4), *find_policy("bfloat16-store"), false},
                           counted(0, kTokens), kLanes, kDim, seed));
  }
}

/// x whose numbers differ by noise from those that were rotated.
test::RotatedVectors with_noise(const RotaryEmbedding& embedding, double noise,
                                std::uint64_t seed) {
  test::RotatedVectors tensors =
      test::made_tensors({{0, kDim, -1, -1}, embedding, *find_policy("float32"), false},
                         counted(0, kTokens), kLanes, kDim, seed);
  RandomStream random(seed, 1);
  std::vector<double> normal(tensors.x.size());
  random.fill_normal(normal);
  for (std::size_t i = 0; i < normal.size(); ++i)
    tensors.x[i] = round_to(Format::float32, tensors.x[i] * (1 + noise * normal[i]));
  return tensors;
}

TEST(Weights, AreNotSeenInFrequenciesOfAnotherBase) {
  for (const double noise : {1e-5, 1e-4, 1e-3})
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      SCOPED_TRACE(noise);
      const Diagnosis d = diagnose(with_noise(llama3(1e4), noise, seed), stating());
      ASSERT_TRUE(d.best_fit);
      EXPECT_EQ(d.best_fit->bug, "");
      ASSERT_FALSE(d.best_fit->parts.empty());
      const RotaryEmbedding& found = d.best_fit->parts.front().spectrum.embedding;
      EXPECT_EQ(found.base, 1e4);
      EXPECT_EQ(found.scaling.rule, "llama3");
    }
}

// By first order a weight on x2 in y1 and on x1 in y2 is another frequency of a slow pair.
TEST(Weights, AreNotSeenInSlowPairsOfAnyFrequency) {
  for (const double times : {0.5, 0.8, 1.3, 3.0})
    for (const double noise : {1e-6, 1e-4}) {
      SCOPED_TRACE(times);
      RotaryEmbedding embedding = llama3(5e5);
      std::vector<double> theta = embedding.frequencies.theta;
      for (std::size_t k = theta.size() / 2; k < theta.size(); ++k) theta[k] *= times;
      embedding.frequencies = given_frequencies(theta);
      embedding.base.reset();
      const Diagnosis d = diagnose(with_noise(embedding, noise, 5), stating());
      if (d.best_fit) {
        EXPECT_EQ(d.best_fit->bug, "");
      }
    }
}

}  // namespace
}  // namespace rope
