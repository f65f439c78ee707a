// What is said of the keys of the rotated fraction, held against what happens: each value is
// changed, and a key is ignored if the answer stays.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "rope/model/known_models.hpp"
#include "unit/model_reading.hpp"

namespace rope::test {
namespace {

using namespace std::string_literals;

/// Keys of a file for the fraction, with their values. That of the rule's object begins with a dot.
using Given = std::map<std::string, std::string>;

constexpr std::string_view kOwn = ".partial_rotary_factor";

/// Each with a value of its own, which is no class's.
constexpr auto kFractionKeys = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{kOwn, "0.6875"},
     {"partial_rotary_factor", "0.375"},
     {"rotary_pct", "0.4375"},
     {"rope_pct", "0.875"},
     {"rotary_emb_fraction", "0.3125"}});

struct Kind {
  std::string model_type;
  std::string more;  // members of the root
  std::string object;
  std::string rule;
  Engine engine = Engine::hf;
};

std::string file(const Kind& kind, const Given& given) {
  std::string own, root;
  for (const auto& [key, value] : given)
    (key == kOwn ? own : root) += ", \"" + key.substr(key == kOwn ? 1 : 0) + "\": " + value;
  return R"({"model_type": ")" + kind.model_type + R"(", "hidden_size": 512,
      "num_attention_heads": 4, "head_dim": 128, "num_hidden_layers": 4,
      "max_position_embeddings": 4096, )" +
         "\"" + kind.object + "\": {" + kind.rule + own + "}" + root + kind.more + "}";
}

bool holds(const Strings& all, const std::string& text) {
  return std::ranges::any_of(
      all, [&](const std::string& one) { return one.find(text) != std::string::npos; });
}

/// Whether a warning says that the key is ignored, or all that stands beside it.
bool is_told_ignored(const Strings& all, const Kind& kind, const std::string& key,
                     const std::string& value) {
  const std::string named = "x.json: "s + (key == kOwn ? kind.object : "") + key;
  return holds(all, named + ": " + value + " is ignored:") ||
         holds(all, named + ": " + value + " is ignored by rope_type") ||
         holds(all, named + ": " + value + " is ignored in favour of") ||
         holds(all, named + " is ignored") ||
         (key == kOwn ? holds(all, "x.json: " + kind.object + " is ignored: ")
                      : holds(all, key + " " + value + " at the root is ignored"));
}

/// Whether some layer turns otherwise. Of those that do no warning says that the key is ignored, or
/// that none is given.
bool expect_no_false_warning(const Kind& kind, const std::string& key, const std::string& value,
                             const ModelRope& model, const ModelRope& changed) {
  bool some = false;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const LayerRope& layer = model.layers[i];
    if (layer.scaled.frequencies.theta == changed.layers.at(i).scaled.frequencies.theta) continue;
    some = true;
    Strings all = model.warnings;
    all.insert(all.end(), layer.warnings.begin(), layer.warnings.end());
    EXPECT_FALSE(is_told_ignored(all, kind, key, value)) << testing::PrintToString(all);
    EXPECT_FALSE(holds(all, "partial_rotary_factor is missing")) << testing::PrintToString(all);
    EXPECT_FALSE(holds(all, "rotary_pct is missing")) << testing::PrintToString(all);
  }
  return some;
}

void expect_true_warnings(const Kind& kind, const Given& given) {
  const ReadOptions options{{}, kind.engine};
  const std::string text = file(kind, given);
  const ModelRope model = read(text, options);
  if (!model.layers.front().rotates()) return;
  for (const auto& [key, value] : given) {
    SCOPED_TRACE(testing::Message() << key << " in " << text);
    Given other = given;
    other[key] = "0.625";
    const bool some =
        expect_no_false_warning(kind, key, value, model, read(file(kind, other), options));
    // What version 4 reads nothing of goes without a word.
    if (kind.engine == Engine::hf4) continue;
    const Strings all = model.all_warnings();
    EXPECT_TRUE(some || is_told_ignored(all, kind, key, value)) << testing::PrintToString(all);
  }
}

/// All sets of the first so many keys.
std::vector<Given> sets(std::size_t keys) {
  std::vector<Given> all;
  for (unsigned chosen = 1; chosen < 1U << keys; ++chosen) {
    Given given;
    for (std::size_t i = 0; i < keys; ++i)
      if ((chosen >> i & 1U) != 0) given.emplace(kFractionKeys.at(i));
    all.push_back(given);
  }
  return all;
}

/// Members without which such a type rotates nothing.
std::string needed(std::string_view type) {
  if (type == "esm") return R"(, "position_embedding_type": "rotary")";
  if (type == "granitemoehybrid") return R"(, "position_embedding_type": "rope")";
  if (type.starts_with("wav2vec2")) return R"(, "position_embeddings_type": "rotary")";
  if (type == "zamba2") return R"(, "use_mem_rope": true)";
  return {};
}

std::vector<Kind> kinds_of(const std::string& model_type, const std::string& more) {
  std::vector<Kind> all;
  for (const char* const rule :
       {R"("rope_type": "default")", R"("rope_type": "linear", "factor": 2.0)"}) {
    all.push_back({model_type, more, "rope_parameters", rule});
    all.push_back({model_type, more, "rope_scaling", rule});
    all.push_back({model_type, more, "rope_scaling", rule, Engine::hf4});
  }
  return all;
}

TEST(Fractions, AreToldIgnoredWhereAndOnlyWhereAnotherValueChangesNothing) {
  std::size_t files = 0;
  const auto expect_of = [&](const std::string& type, const std::string& more, std::size_t keys) {
    for (const Kind& kind : kinds_of(type, more))
      for (const Given& given : sets(keys)) try {
          expect_true_warnings(kind, given);
          ++files;
        } catch (const Error&) {  // what is refused has no answer to hold it against
        }
  };
  for (const KnownModel& known : known_models())
    expect_of(std::string(known.model_type), needed(known.model_type), 3);
  for (const char* const type : {"brand_new", "gpt_neox", "nomic_bert", "phi"})
    expect_of(type, "", kFractionKeys.size());
  expect_of("llama", R"(, "auto_map": {"A": "b"})", kFractionKeys.size());
  EXPECT_GE(files, 7000U);
}

}  // namespace
}  // namespace rope::test
