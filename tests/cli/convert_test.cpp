// rope convert, as a porting engineer types it.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/run.hpp"
#include "rope/io/json.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/safetensors.hpp"
#include "rope/io/tensor.hpp"

namespace rope::test {
namespace {

using Names = std::vector<std::string>;

class ConvertTest : public CliTest {
 protected:
  /// A checkpoint of one layer: 4 query heads and 2 key heads of 8, hidden size 6; any bits.
  static std::string checkpoint() {
    io::SafetensorsHeader header;
    header.metadata = {{"format", "pt"}};
    std::size_t bytes = 0;
    for (const auto& [name, rows] : std::vector<std::pair<std::string, std::size_t>>{
             {"embed.weight", 9},
             {"layers.0.self_attn.k_proj.weight", 16},
             {"layers.0.self_attn.q_proj.weight", 32},
             {"layers.0.self_attn.v_proj.weight", 16}}) {
      io::SafetensorsEntry entry;
      entry.name = name;
      entry.dtype = "BF16";
      entry.shape = {rows, 6};
      header.tensors.push_back(entry);
      bytes += 2 * rows * 6;
    }
    std::string data;
    for (std::size_t i = 0; i < bytes; ++i) data += static_cast<char>(i * 197 + i / 7);
    return io::safetensors_header(header) + data;
  }

  std::string refusal(const Names& arguments) const {
    Names all = {"convert"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome run = rope(all);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 2) << run.err;
    const std::string prefix = "rope convert: ";
    EXPECT_TRUE(run.err.starts_with(prefix)) << run.err;
    return run.err.substr(prefix.size(), run.err.find('\n') - prefix.size());
  }
};

const Names kThere = {"--from", "interleaved", "--to", "half"};
const Names kBack = {"--from", "half", "--to", "interleaved"};

Names with(Names arguments, const Names& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_F(ConvertTest, AWholeCheckpointThereAndBackIsTheSameFile) {
  write("meta.safetensors", checkpoint());
  const Outcome there = rope(with(
      {"convert", "meta.safetensors", "--heads", "4", "--kv-heads", "2", "-o", "hf.safetensors"},
      kThere));
  EXPECT_EQ(there.exit_code, 0) << there.err;
  EXPECT_EQ(there.err, "");
  EXPECT_NE(
      there.out.find("From interleaved to half layout: 2 tensors converted, 8 dimensions of each "
                     "head;\n2 copied as they are.\n"),
      std::string::npos)
      << there.out;
  EXPECT_NE(read("hf.safetensors"), read("meta.safetensors"));
  ASSERT_EQ(rope(with({"convert", "hf.safetensors", "--heads", "4", "--kv-heads", "2", "-o",
                       "again.safetensors"},
                      kBack))
                .exit_code,
            0);
  EXPECT_EQ(read("again.safetensors"), read("meta.safetensors"));
  // One of its tensors alone is the same.
  ASSERT_EQ(rope(with({"convert", "meta.safetensors:layers.0.self_attn.q_proj.weight", "--heads",
                       "4", "-o", "q.npy"},
                      kThere))
                .exit_code,
            0);
  const std::string alone = read("q.npy"), whole = read("hf.safetensors");
  EXPECT_NE(whole.find(alone.substr(alone.size() - 32 * 6 * 2)), std::string::npos);
}

TEST_F(ConvertTest, VectorsWeightsAndBiases) {
  const std::vector<double> counting{0, 1, 2, 3, 4, 5, 6, 7};
  const auto expect = [&](const io::Shape& shape, const Names& options,
                          const std::vector<double>& expected) {
    write("x.npy", io::to_npy(shape, counting));
    const Outcome run = rope(with(with({"convert", "x.npy", "-o", "y.npy"}, options), kThere));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(io::open_tensor(path("y.npy")).doubles(), expected);
  };
  expect({1, 8}, {"--axis", "1"}, {0, 2, 4, 6, 1, 3, 5, 7});
  expect({2, 4}, {"--axis", "1"}, {0, 2, 1, 3, 4, 6, 5, 7});
  expect({1, 2, 4}, {}, {0, 2, 1, 3, 4, 6, 5, 7});
  expect({8}, {"--axis", "0"}, {0, 2, 4, 6, 1, 3, 5, 7});
  expect({1, 8}, {"--axis", "1", "--rotary-dim", "4"}, {0, 2, 1, 3, 4, 5, 6, 7});
  expect({8}, {"--heads", "2"}, {0, 2, 1, 3, 4, 6, 5, 7});
  expect({4, 2}, {"--heads", "1"}, {0, 1, 4, 5, 2, 3, 6, 7});
  expect({2, 4}, {"--heads", "1", "--axis", "-1"}, {0, 2, 1, 3, 4, 6, 5, 7});
  expect({8, 1}, {"--heads", "1", "--head-dim", "4"}, {0, 2, 1, 3, 4, 5, 6, 7});
}

TEST_F(ConvertTest, RefusesToGuessWhetherATensorHoldsVectorsOrAWeight) {
  const auto refused = [&](const io::Shape& shape, const Names& options) {
    write("x.npy", io::to_npy(shape, std::vector<double>(*io::element_count(shape))));
    const Outcome run = rope(with(with({"convert", "x.npy", "-o", "y.npy"}, options), kThere));
    EXPECT_EQ(run.exit_code, 2) << io::shape_text(shape);
    EXPECT_EQ(files(), Names{"x.npy"});
    return run.err;
  };
  for (const io::Shape& shape : {io::Shape{256, 32}, {32, 256}, {1, 8}, {4, 1024}})
    for (const Names& options : {Names{}, {"--rotary-dim", "4"}, {"--head-dim", "8"}})
      EXPECT_NE(refused(shape, options)
                    .find("For a projection weight of H heads, give --heads H; for vectors of a "
                          "single head, --axis 1."),
                std::string::npos);
  EXPECT_NE(refused({8}, {}).find(
                "For a bias of H heads, give --heads H; for a vector of a single head, --axis 0."),
            std::string::npos);
}

TEST_F(ConvertTest, TellsWhatItWouldDo) {
  write("meta.safetensors", checkpoint());
  const Outcome run = rope(
      with({"convert", "meta.safetensors", "--heads", "4", "--kv-heads", "2", "--json"}, kThere));
  EXPECT_EQ(run.exit_code, 0);
  const io::Json document = io::parse_json(run.out, "out");
  EXPECT_EQ(document.at("schema"), "rope.convert/1");
  EXPECT_EQ(document.at("tensors").size(), 2U);
  EXPECT_EQ(document.at("tensors").at(0).at("role"), "key");
  EXPECT_EQ(document.at("tensors").at(0).at("heads"), 2);
  EXPECT_EQ(document.at("copied"), 2);
  EXPECT_EQ(files(), Names{"meta.safetensors"});
}

TEST_F(ConvertTest, RefusesWhatIsWrongInOneLineAndSaysWhatToDo) {
  write("meta.safetensors", checkpoint());
  write("x.npy", io::to_npy({2, 6}, std::vector<double>(12)));
  write("odd.npy", io::to_npy({2, 7}, std::vector<double>(14)));
  write("scalar.npy", io::to_npy({}, std::vector<double>(1)));
  const Names out = {"-o", "y.npy"}, whole = {"-o", "y.safetensors"};
  EXPECT_EQ(refusal(kThere), "X: expected a file, got none");
  EXPECT_EQ(refusal({"x.npy"}), "--from: expected interleaved or half, got none");
  EXPECT_EQ(refusal({"x.npy", "--from", "half"}), "--to: expected interleaved or half, got none");
  EXPECT_EQ(refusal({"x.npy", "--from", "fairseq", "--to", "half"}),
            "--from: expected interleaved or half, got 'fairseq'");
  EXPECT_EQ(refusal({"x.npy", "--from", "half", "--to", "half"}),
            "--to: expected the other layout, got 'half'");
  for (const char* half : {"hf", "neox"})
    EXPECT_EQ(refusal({"x.npy", "--from", half, "--to", "half"}),
              "--to: expected the other layout, got 'half'");
  for (const char* interleaved : {"meta", "gptj"})
    EXPECT_EQ(refusal({"x.npy", "--from", "interleaved", "--to", interleaved}),
              "--to: expected the other layout, got 'interleaved'");
  EXPECT_EQ(refusal(with({"x.npy"}, kThere)), "-o: expected a file to write, got none");
  EXPECT_EQ(refusal(with(with({"x.npy", "--rotary-dim", "3"}, kThere), out)),
            "--rotary-dim: expected an even integer, got 3");
  EXPECT_EQ(refusal(with(with({"x.npy", "--axis", "1", "--rotary-dim", "8"}, kThere), out)),
            "--rotary-dim: expected an even integer from 2 to the head size 6, got 8");
  EXPECT_EQ(refusal(with(with({"odd.npy", "--axis", "1"}, kThere), out)),
            "odd.npy: expected heads of an even size, found 7 along axis 1 of shape (2, 7)");
  EXPECT_EQ(rope(with(with({"convert", "odd.npy", "--axis", "1", "--json"}, kThere), out)).out, "");
  EXPECT_EQ(refusal(with(with({"odd.npy", "--axis", "1", "--head-dim", "5"}, kThere), out)),
            "--head-dim: expected an even integer, got 5");
  EXPECT_EQ(refusal(with(with({"scalar.npy"}, kThere), out)),
            "scalar.npy: expected an axis of heads, found ()");
  EXPECT_EQ(refusal(with(with({"x.npy", "--heads", "5"}, kThere), out)),
            "--heads: expected a divisor of 2, the length of axis 0, got 5");
  EXPECT_EQ(refusal(with(with({"x.npy", "--heads", "0"}, kThere), out)),
            "--heads: expected an integer from 1 to 1048576, got '0'");
  EXPECT_EQ(refusal(with(with({"x.npy", "--kv-heads", "1"}, kThere), out)),
            "--kv-heads: expected a whole .safetensors file with it, got one tensor");
  EXPECT_EQ(refusal(with(with({"x.npy", "--axis", "2"}, kThere), out)),
            "--axis: expected an axis from -2 to 1, got '2'");
  EXPECT_EQ(refusal(with(with({"x.npy", "--heads", "3", "--head-dim", "2"}, kThere), out)),
            "x.npy: expected at least 3 heads of 2 along axis 0, found shape (2, 6)");
  EXPECT_EQ(refusal(with(with({"meta.safetensors"}, kThere), whole)),
            "--heads: expected the number of query heads for a whole file, got none");
  EXPECT_EQ(refusal(with(with({"meta.safetensors", "--heads", "4"}, kThere), out)),
            "-o: expected a .safetensors file, like the input, got 'y.npy'");
  EXPECT_EQ(refusal(with(with({"meta.safetensors", "--heads", "4", "--axis", "0"}, kThere), whole)),
            "--axis: expected one tensor with it, got a whole file");
  EXPECT_EQ(refusal(with(with({"meta.safetensors", "--heads", "4"}, kThere), whole)),
            "meta.safetensors: expected 16 rows in 'layers.0.self_attn.q_proj.weight', 4 heads of "
            "4, found shape (32, 6)");
  EXPECT_EQ(files(), (Names{"meta.safetensors", "odd.npy", "scalar.npy", "x.npy"}));
}

TEST_F(ConvertTest, AFusedTensorAloneInAFileIsRefusedUnlessItIsNamed) {
  io::SafetensorsHeader header;
  io::SafetensorsEntry entry;
  entry.name = "layers.0.qkv_proj.weight";
  entry.dtype = "BF16";
  entry.shape = {32, 6};
  header.tensors.push_back(entry);
  write("fused.safetensors", io::safetensors_header(header) + std::string(2 * 32 * 6, 'x'));
  const Names options = with(kThere, {"--heads", "2", "-o", "y.safetensors"});
  EXPECT_EQ(refusal(with({"fused.safetensors"}, options)),
            "fused.safetensors: expected queries and keys in separate tensors, found "
            "'layers.0.qkv_proj.weight'");
  EXPECT_EQ(
      rope(with({"convert", "fused.safetensors:layers.0.qkv_proj.weight"}, options)).exit_code, 0);
}

TEST_F(ConvertTest, AFailureLeavesTheOldFile) {
  write("meta.safetensors", checkpoint());
  write("hf.safetensors", "old");
  const Outcome limited = shell(
      "ulimit -f 1; rope convert meta.safetensors --from interleaved --to half --heads 4 "
      "--kv-heads 2 -o hf.safetensors");
  EXPECT_EQ(limited.exit_code, 3) << limited.err;
  EXPECT_EQ(read("hf.safetensors"), "old");
  EXPECT_EQ(files(), (Names{"hf.safetensors", "meta.safetensors"}));
}

}  // namespace
}  // namespace rope::test
