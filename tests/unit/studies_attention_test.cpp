// What positions do to attention: each equality beside the rounding that it is measured against,
// and each difference far above it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "rope/attention/layers.hpp"
#include "rope/encodings/vectors.hpp"
#include "rope/error.hpp"
#include "rope/studies/attention.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

using Words = std::vector<std::string>;

AttentionExample example(Words words, Mask mask = Mask::none, std::size_t dim = 64) {
  AttentionExample result;
  result.context.rotary = default_embedding(dim, 10000);
  result.words = std::move(words);
  result.mask = mask;
  return result;
}

EncodingSpec spec(std::string_view text) { return parse_encoding(text); }

const Words kSentence = {"dog", "bites", "man"};
const Words kTwelve = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
const std::vector<std::size_t> kReversed = {2, 1, 0};
const std::vector<std::size_t> kOrder = {5, 2, 11, 0, 8, 1, 10, 3, 7, 4, 9, 6};

std::string shown(const Measured& found) {
  return test::show(found.error) + " beside " + test::show(found.bound);
}

TEST(WordVectors, DependOnTheSpellingAndTheSeedAlone) {
  const Words words = {"the", "dog", "bites", "the", "The", "god"};
  const RowMatrix x = word_vectors(words, 32, 42);
  EXPECT_EQ(x.row(0), x.row(3));
  for (Eigen::Index a = 0; a < x.rows(); ++a)
    for (Eigen::Index b = 0; b < a; ++b) {
      if (a == 3 && b == 0) continue;
      EXPECT_GT((x.row(a) - x.row(b)).norm(), 3) << a << " " << b;
    }
  EXPECT_EQ(word_vectors(Words{"dog"}, 32, 42).row(0), x.row(1));
  EXPECT_NE(word_vectors(Words{"dog"}, 32, 43).row(0), x.row(1));
  EXPECT_NEAR(x.squaredNorm() / static_cast<double>(x.size()), 1, 0.4);
}

TEST(AttentionWeights, AddUpToOneInEveryRow) {
  for (const char* encoding : {"none", "rope", "alibi", "sinusoidal", "t5", "xpos"})
    for (const Mask mask : {Mask::none, Mask::causal})
      for (const std::size_t layers : {1U, 3U}) {
        AttentionExample read = example(kTwelve, mask);
        read.layers = layers;
        const AttentionWeights study = attention_weights_of(read, spec(encoding));
        EXPECT_FALSE(study.sum.violated()) << encoding << shown(study.sum);
        EXPECT_LE(study.sum.bound, 1e-14);
        for (Eigen::Index i = 0; i < 12; ++i)
          for (Eigen::Index j = 0; j < 12; ++j)
            if (mask == Mask::causal && j > i)
              EXPECT_EQ(study.weights(i, j), 0);
            else
              EXPECT_GT(study.weights(i, j), 0);
      }
}

TEST(AttentionWeights, AreThoseOfTheLibraryAndPointWherePositionsMoveMost) {
  const AttentionExample read = example(kSentence);
  const AttentionWeights study = attention_weights_of(read, spec("rope"));
  EXPECT_EQ(study.weights, softmax(study.scores));
  EXPECT_EQ(attention_weights_of(read, spec("none")).weights, study.without);
  const RowMatrix change = (study.weights - study.without).cwiseAbs();
  const auto at = [&](std::size_t i, std::size_t j) {
    return change(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  };
  EXPECT_EQ(at(study.query, study.key), change.maxCoeff());
  EXPECT_GT(change.maxCoeff(), 0.05);
}

TEST(AttentionWeights, OfEqualWordsDifferByPositionsAlone) {
  const AttentionExample read = example({"the", "dog", "bites", "the", "man"});
  const AttentionWeights study = attention_weights_of(read, spec("rope"));
  EXPECT_EQ(study.without.col(0), study.without.col(3));
  EXPECT_EQ(study.without.row(0), study.without.row(3));
  EXPECT_NE(study.weights.col(0), study.weights.col(3));
}

TEST(AttentionWeights, OfALaterLayerAreThoseOfItsHiddenStates) {
  // A word's vector knows nothing of the other words; its hidden state after a layer does.
  const auto score = [](const char* last, std::size_t layers) {
    AttentionExample read = example({"dog", "bites", last});
    read.layers = layers;
    return attention_weights_of(read, spec("rope")).scores(0, 1);
  };
  EXPECT_EQ(score("man", 1), score("cat", 1));
  for (const std::size_t layers : {2U, 3U})
    EXPECT_GT(std::abs(score("man", layers) - score("cat", layers)), 1e-3) << layers;
}

TEST(AttentionWeights, OfOneWordAreOne) {
  const AttentionWeights study = attention_weights_of(example({"dog"}), spec("rope"));
  EXPECT_EQ(study.weights(0, 0), 1);
  EXPECT_EQ(study.sum.error, 0);
}

TEST(AttentionWeights, RefuseWhatIsTooMuchOrNothing) {
  EXPECT_THROW(attention_weights_of(example({}), spec("rope")), ShapeError);
  EXPECT_THROW(attention_weights_of(example(Words(257, "a")), spec("rope")), ShapeError);
  EXPECT_THROW(attention_weights_of(example(kSentence, Mask::none, 514), spec("rope")), ShapeError);
  AttentionExample no_layer = example(kSentence);
  no_layer.layers = 0;
  EXPECT_THROW(attention_weights_of(no_layer, spec("rope")), DomainError);
}

TEST(OrderOf, FindsEachWordOnce) {
  EXPECT_EQ(order_of(kSentence, Words{"man", "bites", "dog"}), kReversed);
  EXPECT_EQ(order_of(Words{"the", "dog", "the"}, Words{"the", "the", "dog"}),
            (std::vector<std::size_t>{0, 2, 1}));
  EXPECT_TRUE(order_of(kSentence, Words{"man", "bites"}).empty());
  EXPECT_TRUE(order_of(kSentence, Words{"man", "bites", "man"}).empty());
}

TEST(ShuffledWords, GetTheSameOutputsWithoutPositionsAndMask) {
  for (const auto& [words, order] : {std::pair(kSentence, kReversed), std::pair(kTwelve, kOrder)}) {
    const ShuffledCase none = shuffled_order(example(words), {}, order).cases[0];
    EXPECT_FALSE(none.moved.violated()) << shown(none.moved);
    EXPECT_FALSE(none.outputs.violated()) << shown(none.outputs);
    EXPECT_FALSE(none.one_query.violated()) << shown(none.one_query);
    EXPECT_FALSE(none.pooled.violated()) << shown(none.pooled);
    // Bounds that say something: some roundoffs of numbers up to the length of a value.
    EXPECT_LE(none.moved.bound, 1e-13);
    EXPECT_LE(none.pooled.bound, 1e-12);
    // Equivariant, not invariant.
    EXPECT_GT(none.in_place.error, 0.3);
    EXPECT_TRUE(none.in_place.violated());
    for (const double change : none.of_word) EXPECT_LE(change, none.outputs.bound);
  }
}

TEST(ShuffledWords, AreToldApartByAMaskOrByPositions) {
  const std::vector<EncodingSpec> encodings = {spec("rope"), spec("sinusoidal"), spec("alibi"),
                                               spec("t5")};
  const ShuffledOrder study = shuffled_order(example(kTwelve), encodings, kOrder);
  ASSERT_EQ(study.cases.size(), 6U);
  EXPECT_EQ(study.cases[1].mask, Mask::causal);
  for (std::size_t c = 1; c < study.cases.size(); ++c) {
    const ShuffledCase& one = study.cases[c];
    EXPECT_GT(one.moved.error, 0.2) << one.title;
    EXPECT_GT(one.outputs.error, 0.2) << one.title;
    EXPECT_TRUE(one.moved.violated() && one.outputs.violated()) << one.title;
  }
  // A query behind all words sees them all, so that the mask hides nothing from it.
  EXPECT_FALSE(study.cases[1].one_query.violated()) << shown(study.cases[1].one_query);
  EXPECT_TRUE(study.cases[1].pooled.violated());
  EXPECT_TRUE(study.cases[2].one_query.violated());
}

TEST(ShuffledWords, PutBackStandWhereTheyStood) {
  const ShuffledOrder study = shuffled_order(example(kTwelve), {}, kOrder);
  const ShuffledCase& none = study.cases[0];
  EXPECT_LE((none.restored - none.weights).cwiseAbs().maxCoeff(), 1e-15);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < 12; ++j)
      EXPECT_EQ(
          none.restored(static_cast<Eigen::Index>(kOrder[i]), static_cast<Eigen::Index>(kOrder[j])),
          none.shuffled(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
}

TEST(ShuffledWords, ReadBackwardsKeepDistancesButForTheirSign) {
  const std::vector<EncodingSpec> encodings = {spec("alibi"), spec("rope")};
  const ShuffledOrder study = shuffled_order(example(kSentence), encodings, kReversed);
  EXPECT_FALSE(study.cases[2].outputs.violated()) << shown(study.cases[2].outputs);
  EXPECT_TRUE(study.cases[3].outputs.violated());
}

TEST(ShuffledWords, InTheOrderTheyHadAreTheSameForEveryEncoding) {
  std::vector<std::size_t> same(12);
  std::iota(same.begin(), same.end(), 0U);
  const std::vector<EncodingSpec> encodings = {spec("rope"), spec("sinusoidal"), spec("xpos")};
  for (const ShuffledCase& one : shuffled_order(example(kTwelve), encodings, same).cases) {
    EXPECT_EQ(one.moved.error, 0) << one.title;
    EXPECT_EQ(one.outputs.error, 0) << one.title;
    EXPECT_EQ(one.pooled.error, 0) << one.title;
  }
}

TEST(ShuffledWords, WithoutPositionsAreOneCaseAndAnOrderIsWhole) {
  const std::vector<EncodingSpec> encodings = {spec("none"), spec("rope")};
  EXPECT_EQ(shuffled_order(example(kSentence), encodings, kReversed).cases.size(), 3U);
  for (const std::vector<std::size_t>& order :
       {std::vector<std::size_t>{0, 1}, {0, 1, 1}, {0, 1, 3}, {}})
    EXPECT_THROW(shuffled_order(example(kSentence), encodings, order), ShapeError);
}

TEST(RepeatedToken, StaysEqualUnlessPositionsAreAddedToIt) {
  for (const Mask mask : {Mask::none, Mask::causal}) {
    AttentionExample repeated = example(Words(10, "dog"), mask);
    repeated.layers = 6;
    const std::vector<EncodingSpec> encodings = {
        spec("rope"), spec("none"),           spec("alibi"),      spec("t5"),
        spec("shaw"), spec("transformer-xl"), spec("sinusoidal"), spec("learned")};
    const RepeatedToken study = repeated_token(repeated, encodings);
    ASSERT_EQ(study.curves.size(), 8U);
    for (const RepeatedCurve& curve : study.curves) {
      ASSERT_EQ(curve.apart.size(), 7U);
      EXPECT_EQ(curve.explained(), !curve.at_input) << curve.title;
      if (curve.at_input) {
        EXPECT_GT(curve.apart.back(), 1) << curve.title;
        continue;
      }
      EXPECT_EQ(curve.apart.front(), 0) << curve.title;
      EXPECT_LE(curve.apart.back(), 1e-13) << curve.title << ": rounding, not drift";
    }
    EXPECT_TRUE(study.curves[6].at_input && study.curves[7].at_input);
    EXPECT_LE(study.curves[0].allowed.back(), 1e-6);
  }
}

TEST(RepeatedToken, KeepsWhatEveryLayerDid) {
  AttentionExample repeated = example(Words(4, "dog"));
  repeated.layers = 3;
  const std::vector<EncodingSpec> encodings = {spec("sinusoidal")};
  const RepeatedCurve three = repeated_token(repeated, encodings).curves[0];
  repeated.layers = 1;
  const RepeatedCurve one = repeated_token(repeated, encodings).curves[0];
  EXPECT_EQ(one.apart[0], three.apart[0]);
  EXPECT_EQ(one.apart[1], three.apart[1]);
  EXPECT_EQ(one.allowed[1], three.allowed[1]);
}

TEST(ShiftedPositions, ChangeNothingUnlessValuesAreRotatedOrPositionsAbsolute) {
  const std::vector<EncodingSpec> encodings = {spec("rope"), spec("alibi"), spec("xpos"),
                                               spec("sinusoidal")};
  const std::vector<std::int64_t> shifts = {0, 1, 100, 4096, std::int64_t{1} << 52};
  for (const Mask mask : {Mask::none, Mask::causal}) {
    const ShiftedValues study = shifted_values(example(kTwelve, mask), encodings, shifts);
    ASSERT_EQ(study.curves.size(), 12U);
    for (const ShiftedCurve& curve : study.curves) {
      EXPECT_EQ(curve.change[0].error, 0) << curve.title;
      const bool changed =
          curve.values == ValueRotation::rotated || curve.encoding.entry->name == "sinusoidal";
      for (std::size_t i = 1; i < shifts.size(); ++i) {
        EXPECT_EQ(curve.change[i].violated(), changed)
            << curve.title << " " << shifts[i] << ": " << shown(curve.change[i]);
        EXPECT_EQ(curve.change[i].error > 0.1, changed) << curve.title << " " << shifts[i];
      }
    }
    EXPECT_LE(study.curves[0].change[2].bound, 1e-10);
  }
}

/// R_−m Σ_n a_mn R_n v_n = Σ_n a_mn R_{n−m} v_n, A² times: relative, and not what plain attention
/// gives.
TEST(ShiftedPositions, OutputsThatAreTurnedBackKnowTheDistanceOfEachValue) {
  AttentionExample sentence = example(kTwelve);
  constexpr double kFactor = 1.5;
  sentence.context.rotary.attention_factor = kFactor;
  const FirstLayer plain = first_layer(sentence, spec("rope"));
  AttentionLayer layer = plain.layer;
  layer.rotated_values = {sentence.context.rotary, true};
  const LayerAttention turned = attend(layer, sentence.mask, plain.hidden, plain.hidden);
  for (Eigen::Index m = 0; m < turned.outputs.rows(); ++m) {
    std::vector<std::int64_t> away = plain.hidden.positions;
    for (std::int64_t& position : away) position -= m;
    const RowMatrix values = rotate(sentence.context.rotary, plain.attention.values, away);
    const RowMatrix expected = kFactor * weighted_values(plain.attention.weights.row(m), values);
    EXPECT_LE((turned.outputs.row(m) - expected).cwiseAbs().maxCoeff(), 1e-13) << m;
  }
  EXPECT_GT((turned.outputs - plain.attention.outputs).cwiseAbs().maxCoeff(), 0.5);
  const std::vector<EncodingSpec> encodings = {spec("rope")};
  const std::vector<std::int64_t> shifts = {100};
  EXPECT_FALSE(shifted_values(sentence, encodings, shifts).curves[2].change[0].violated());
}

TEST(ShiftedPositions, AreGrantedTheRoundingOfScoresWhereTheyAreNotTheSameBits) {
  const std::vector<EncodingSpec> encodings = {spec("rope"), spec("alibi")};
  const std::vector<std::int64_t> shifts = {0, 1, 100, 4096};
  const ShiftedValues study = shifted_values(example(kTwelve), encodings, shifts);
  const std::vector<Measured>& rope = study.curves[0].change;
  const std::vector<Measured>& alibi = study.curves[3].change;  // q·k and a whole distance
  for (std::size_t i = 1; i < shifts.size(); ++i) {
    EXPECT_GT(rope[i].bound, rope[0].bound) << shifts[i];
    EXPECT_EQ(alibi[i].bound, alibi[0].bound) << shifts[i];
    EXPECT_EQ(alibi[i].error, 0) << shifts[i];
  }
}

TEST(AttentionEntropy, HasTheSizesThatOthersMeasured) {
  EntropyRequest request;
  request.context.rotary = default_embedding(128, 10000);
  request.lengths = {200, 2000};
  const std::vector<EncodingSpec> none = {spec("none")};
  const AttentionEntropy study = attention_entropy(request, none);
  ASSERT_EQ(study.curves.size(), 2U);
  const EntropyCurve& scaled = study.curves[0];
  const EntropyCurve& unscaled = study.curves[1];
  ASSERT_TRUE(scaled.scaled && !unscaled.scaled);
  // With 300 queries, by another program: four deviations of the mean either way.
  EXPECT_NEAR(scaled.top[0], 0.053, 0.006);
  EXPECT_NEAR(scaled.top[1], 0.010, 0.0015);
  EXPECT_NEAR(unscaled.top[0], 0.834, 0.05);
  EXPECT_NEAR(unscaled.top[1], 0.792, 0.05);
  // Independent scores of deviation 1: half a nat below log₂ n.
  EXPECT_NEAR(scaled.entropy[1], std::log2(2000.0) - 0.5 / std::log(2.0), 0.05);
}

TEST(AttentionEntropy, SpreadsFromFiveHundredToThirtyThousandKeys) {
  EntropyRequest request;
  request.context.rotary = default_embedding(128, 10000);
  request.lengths = {32768, 512};
  request.queries = 100;
  request.scale = ScoreScale::scaled;
  const std::vector<EncodingSpec> none = {spec("none")};
  const AttentionEntropy study = attention_entropy(request, none);
  ASSERT_EQ(study.curves.size(), 1U);
  EXPECT_NEAR(study.curves[0].top[1], 0.027, 0.004);
  EXPECT_NEAR(study.curves[0].top[0], 0.0012, 0.0003);
  EXPECT_NEAR(study.curves[0].entropy[1], 5.79 / std::log(2.0), 0.1);
  EXPECT_NEAR(study.curves[0].entropy[0], 9.88 / std::log(2.0), 0.1);
}

TEST(AttentionEntropy, StopsGrowingWhereDistanceIsPunished) {
  EntropyRequest request;
  request.context.rotary = default_embedding(32, 10000);
  request.lengths = {1, 512, 4096};
  request.queries = 20;
  request.scale = ScoreScale::scaled;
  const std::vector<EncodingSpec> encodings = {spec("rope"), spec("alibi:head=0")};
  std::size_t done = 0;
  const AttentionEntropy study =
      attention_entropy(request, encodings, [&](std::size_t count) { done += count; });
  EXPECT_EQ(done, 40U);
  for (const EntropyCurve& curve : study.curves) {
    EXPECT_EQ(curve.entropy[0], 0);
    EXPECT_EQ(curve.top[0], 1);
  }
  EXPECT_GT(study.curves[0].entropy[2], study.curves[0].entropy[1] + 2.5);
  EXPECT_LT(study.curves[1].entropy[2], study.curves[1].entropy[1] + 0.01);
}

TEST(AttentionEntropy, IsThatOfTheNearestKeysHoweverManyThereAre) {
  EntropyRequest request;
  request.context.rotary = default_embedding(32, 10000);
  request.queries = 10;
  request.scale = ScoreScale::scaled;
  const std::vector<EncodingSpec> encodings = {spec("xpos:scale_base=64")};  // fades with distance
  const auto entropy = [&](const std::vector<std::int64_t>& lengths) {
    request.lengths = lengths;
    return attention_entropy(request, encodings).curves[0].entropy;
  };
  EXPECT_NEAR(entropy({128, 2048})[0], entropy({128})[0], 1e-9);
  EXPECT_GT(entropy({2048})[0], entropy({128})[0] + 1);
}

TEST(AttentionEntropy, RefusesLengthsWithoutRoom) {
  EntropyRequest request;
  request.context.rotary = default_embedding(128, 10000);
  const std::vector<EncodingSpec> none = {spec("none")};
  for (const std::vector<std::int64_t>& lengths :
       {std::vector<std::int64_t>{}, {0}, {-5}, {kMostEntropyNumbers / 128 + 1}}) {
    request.lengths = lengths;
    EXPECT_THROW(attention_entropy(request, none), ShapeError);
  }
  request.lengths = {16};
  request.queries = 0;
  EXPECT_THROW(attention_entropy(request, none), ShapeError);
}

TEST(AttentionStudy, TheFirstLayerIsThatOfAnExampleWithOneLayer) {
  AttentionExample example;
  example.context.rotary = default_embedding(16, 10000);
  example.words = {"dog", "bites", "man"};
  const EncodingSpec rope = parse_encoding("rope");
  const FirstLayer first = first_layer(example, rope);
  const AttentionWeights weights = attention_weights_of(example, rope);
  EXPECT_EQ(first.attention.weights, weights.weights);
  EXPECT_EQ(first.attention.scores, weights.scores);
  example.layers = 3;
  EXPECT_EQ(first_layer(example, rope).attention.weights, weights.weights);
  example.words.clear();
  EXPECT_THROW(first_layer(example, rope), ShapeError);
}

}  // namespace
}  // namespace rope
