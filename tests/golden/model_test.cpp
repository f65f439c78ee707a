// Models' files against what Hugging Face transformers makes of them, and the presets against the
// published facts.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "golden/reference_file.hpp"
#include "rope/attention/context_bound.hpp"
#include "rope/error.hpp"
#include "rope/io/csv.hpp"
#include "rope/model/presets.hpp"
#include "rope/model/read_model.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

constexpr double kFrequencyTolerance = 1e-14;  // the float64 run's own rounding is 3.5e-15 at most
constexpr double kFactorTolerance = 1e-15;

void expect_row(const std::string& name, const LayerRope& layer, const io::Json& row) {
  const auto expected = row.at("inv_freq").get<std::vector<double>>();
  const std::vector<double>& theta = layer.scaled.frequencies.theta;
  ASSERT_EQ(theta.size(), expected.size()) << name;
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_TRUE(std::abs(theta[k] - expected[k]) <= kFrequencyTolerance * expected[k])
        << name << ", pair " << k << ": " << test::show(theta[k]) << ", expected "
        << test::show(expected[k]);
  const auto factor = row.at("attention_factor").get<double>();
  EXPECT_TRUE(std::abs(layer.scaled.attention_factor - factor) <= kFactorTolerance * factor)
      << name << ": " << test::show(layer.scaled.attention_factor) << ", expected "
      << test::show(factor);
}

TEST(Models, HaveTheFrequenciesOfHuggingFaceInBothSchemas) {
  std::size_t read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ROPE_REFERENCE_DIR "/hf_params")) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = entry.path().stem().string();
    const io::Json reference = test::reference_json("hf_params/" + name + ".json");
    for (const io::Json& row : reference.at("results"))
      for (const char* style : {"config_old", "config_new"}) {
        if (!reference.contains(style)) continue;
        ++read;
        ReadOptions options;
        if (!row.at("seq_len").is_null()) options.seq_len = row.at("seq_len").get<std::int64_t>();
        const std::string label = name + " " + style;
        const ModelRope model = read_model(reference.at(style).dump(), label, options);
        ASSERT_EQ(model.layers.size(), 1U) << label;
        const LayerRope& layer = model.layers.front();
        EXPECT_EQ(layer.head_dim, reference.at("head_dim").get<std::size_t>()) << label;
        EXPECT_EQ(layer.rotary_dim, reference.at("rotary_dim").get<std::size_t>()) << label;
        EXPECT_EQ(model.schema,
                  std::string(style) == "config_old" ? "rope_scaling" : "rope_parameters");
        expect_row(label, layer, row);
      }
  }
  EXPECT_EQ(read, 119U);  // 60 rows in both schemas, but for one that only the new one has
}

TEST(Models, AreRefusedWhereTransformers5Refuses) {
  for (const io::Json& one : test::reference_json("models/refused.json")) {
    const auto name = one.at("name").get<std::string>();
    const bool accepted = one.at("v5.15.0").get<std::string>().starts_with("accepted");
    try {
      const ModelRope model = read_model(one.at("config").dump(), name);
      EXPECT_TRUE(accepted) << name;
      EXPECT_GE(model.all_warnings().size(), 2U) << name;  // of the layout, and of this
    } catch (const Error& error) {
      EXPECT_FALSE(accepted) << name << ": " << error.what();
      EXPECT_EQ(error.kind(), ErrorKind::invalid_input) << name;
      EXPECT_NE(error.remedy(), "") << name;
    }
  }
}

TEST(Presets, AgreeWithThePublishedFacts) {
  const io::CsvTable facts = io::parse_csv(test::reference_bytes("models/facts.csv"), "facts.csv");
  const auto text = [&](std::size_t row, const char* name) {
    return std::string(facts.cell(row, facts.column(name)));
  };
  const auto number = [&](std::size_t row, const char* name) {
    return facts.numbers(facts.column(name)).at(row);
  };
  std::vector<std::string> named;
  for (std::size_t row = 0; row < facts.rows(); ++row) {
    const std::string name = text(row, "preset");
    if (named.empty() || named.back() != name) named.push_back(name);
    ASSERT_TRUE(find_preset(name)) << name;
    const ModelRope model = preset_model(name);
    const auto layer = std::ranges::find(model.layers, text(row, "layers"), &LayerRope::name);
    ASSERT_NE(layer, model.layers.end()) << name;
    EXPECT_EQ(static_cast<double>(layer->head_dim), number(row, "head_dim")) << name;
    EXPECT_EQ(static_cast<double>(layer->rotary_dim), number(row, "rotary_dim")) << name;
    EXPECT_EQ(layer->base, number(row, "base")) << name;
    EXPECT_EQ(std::string(rope::name(layer->layout)), text(row, "layout")) << name;
    EXPECT_EQ(layer->rope_type, text(row, "rope_type")) << name;
    EXPECT_EQ(model.context.value_or(0), static_cast<std::int64_t>(number(row, "context"))) << name;
    const auto factor = layer->spec.numbers.find("factor");
    EXPECT_EQ(factor == layer->spec.numbers.end() ? "" : number_text(factor->second),
              text(row, "factor"))
        << name;
    EXPECT_EQ(layer->original_context ? std::to_string(*layer->original_context) : "",
              text(row, "original"))
        << name;
  }
  std::ranges::sort(named);
  EXPECT_EQ(named, preset_names());
}

TEST(Presets, HaveTheLayoutThatTheReaderKnowsForTheirType) {
  for (const std::string& name : preset_names())
    for (const std::string& warning : preset_model(name).all_warnings())
      EXPECT_EQ(warning.find("which dimensions form a pair"), std::string::npos) << warning;
}

std::vector<std::ptrdiff_t> bands(const LayerRope& layer) {
  return {std::ranges::count(layer.scaled.bands, Band::kept),
          std::ranges::count(layer.scaled.bands, Band::blended),
          std::ranges::count(layer.scaled.bands, Band::scaled)};
}

TEST(Presets, HaveThePublishedBands) {
  using Counts = std::vector<std::ptrdiff_t>;
  EXPECT_EQ(bands(preset_model("llama-3.2-1b").layers[0]), (Counts{15, 3, 14}));
  EXPECT_EQ(bands(preset_model("llama-3.1-8b").layers[0]), (Counts{29, 6, 29}));
  EXPECT_EQ(bands(preset_model("llama-4-scout").layers[0]), (Counts{35, 0, 29}));
}

double fact(const LayerRope& layer, std::string_view name) {
  for (const auto& [fact_name, value] : layer.scaled.facts)
    if (fact_name == name) return value;
  return std::nan("");
}

TEST(Presets, HaveTheRampOfGptOss) {
  const ModelRope model = preset_model("gpt-oss");
  // vLLM issue 28244 quotes them.
  EXPECT_NEAR(fact(model.layers[0], "ramp_low"), 8.092779115512402, 1e-14);
  EXPECT_NEAR(fact(model.layers[0], "ramp_high"), 17.39802450158856, 2e-14);
  EXPECT_NEAR(model.layers[0].scaled.attention_factor, 1.3465735902799727, 1e-15);
  EXPECT_NEAR(preset_model("deepseek-v2").layers[0].softmax_factor, 1.5896261651, 1e-10);
  EXPECT_NEAR(preset_model("deepseek-v3").layers[0].softmax_factor, 1.8738542071, 1e-10);
}

TEST(ContextBound, FirstNegativeSumOfCosines) {
  struct Row {
    std::size_t dim;
    double base;
    std::int64_t distance;
    double root;
  };
  // 50 digits by mpmath, from a recomputation of Men et al.
  for (const Row& row : {Row{128, 10000, 1707, 1706.0578287792145},
                         {128, 500000, 18438, 18437.783642466206},
                         {128, 1000000, 27115, 27114.42},
                         {64, 10000, 725, 724.09216867073071},
                         {128, 26000, 2353, 2352.7714399318414},
                         {4, 10000, 22, 3.1104877758314785},
                         {2, 10000, 2, 1.5707963267948966}}) {
    const FirstNegative found = first_negative(geometric_frequencies(row.base, row.dim), 100000);
    EXPECT_EQ(found.distance, row.distance) << row.base;
    ASSERT_TRUE(found.root) << row.base;
    EXPECT_NEAR(*found.root, row.root, row.base == 1000000 ? 0.005 : 1e-9) << row.base;
  }
}

TEST(ContextBound, OfPublishedModels) {
  const auto distance = [](const char* name) {
    return first_negative(preset_model(name).layers[0].scaled.frequencies, 200000).distance;
  };
  EXPECT_EQ(distance("llama-3.1-8b"), 85133);
  EXPECT_EQ(distance("llama-3.2-1b"), 110699);
  EXPECT_EQ(distance("qwen2.5-7b-yarn"), 66234);
  EXPECT_EQ(distance("gemma-7b"), 2653);
  EXPECT_EQ(distance("gemma-3-1b"), 71627);
  EXPECT_EQ(distance("phi-3-mini-4k"), 1046);
  EXPECT_EQ(distance("phi-4"), 12318);
  EXPECT_EQ(distance("gpt-oss"), 64255);
  EXPECT_EQ(distance("deepseek-v3"), 4119);
  EXPECT_EQ(distance("gpt-j-6b"), 725);
  EXPECT_EQ(distance("qwen3-30b-a3b-2507"), 144660);
}

}  // namespace
}  // namespace rope
