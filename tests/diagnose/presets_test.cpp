// The library and the program are one diagnosis: the same answer for every preset.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run.hpp"
#include "rope/diagnose/arrays.hpp"
#include "rope/io/npy.hpp"
#include "rope/model/known_embeddings.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

using Json = nlohmann::json;

class Presets : public test::CliTest {
 protected:
  /// The answer of the program to the tensors of both files.
  Json program(const std::vector<std::size_t>& shape, const test::RotatedVectors& tensors) const {
    const std::vector<float> x(tensors.x.begin(), tensors.x.end());
    const std::vector<float> y(tensors.y.begin(), tensors.y.end());
    const std::vector<std::uint64_t> sizes(shape.begin(), shape.end());
    write("x.npy", io::to_npy(sizes, x));
    write("y.npy", io::to_npy(sizes, y));
    const test::Outcome run = rope({"diagnose", "--input", "x.npy", "--result", "y.npy", "--json"});
    return Json::parse(run.out);
  }
};

TEST_F(Presets, AreDiagnosedByTheProgramAsByTheLibrary) {
  const std::vector<NamedEmbedding> known = known_embeddings();
  ASSERT_GE(known.size(), 75U);
  std::size_t unique = 0;
  for (const NamedEmbedding& preset : known) {
    SCOPED_TRACE(preset.name);
    const int order = preset.embedding.layout == PairLayout::interleaved ? 0 : -1;
    test::Made made = {{0, preset.embedding.rotary_dim(), order, order},
                       preset.embedding,
                       *find_policy("float32"),
                       false};
    made.embedding.layout = PairLayout::interleaved;  // of the pairs of the arrangement
    const std::size_t d = std::max(preset.embedding.head_dim, preset.embedding.rotary_dim());
    const test::RotatedVectors tensors = test::made_tensors(made, test::counted(0, 24), 2, d);
    const std::vector<std::size_t> shape = {24, 2, d};
    const Diagnosis library = diagnose(shape, tensors.x, tensors.y);
    const Json program = this->program(shape, tensors);
    EXPECT_NE(library.verdict, DiagnosisVerdict::none);
    unique += library.verdict == DiagnosisVerdict::unique ? 1 : 0;
    const bool own_name = std::ranges::any_of(library.explanations, [&](const Explanation& e) {
      return std::ranges::find(e.spectrum().also, preset.name) != e.spectrum().also.end();
    });
    // 24 tokens do not tell its base, 1000042, from 1000000.
    EXPECT_EQ(own_name, preset.name != "falcon3-7b");
    EXPECT_EQ(program["verdict"], std::string(name(library.verdict)));
    ASSERT_EQ(program["explanations"].size(), library.explanations.size());
    for (std::size_t i = 0; i < library.explanations.size(); ++i) {
      const Explanation& e = library.explanations[i];
      const Json& p = program["explanations"][i];
      EXPECT_EQ(p["layout"], name(e.arrangement));
      EXPECT_EQ(p["rotary_dim"], e.arrangement.rotary_dim);
      EXPECT_EQ(p["policy"], e.policy.name);
      EXPECT_EQ(p["also"], e.spectrum().also);
      EXPECT_EQ(p["open"], e.open);
    }
  }
  EXPECT_GE(2 * unique, known.size());
}

}  // namespace
}  // namespace rope
