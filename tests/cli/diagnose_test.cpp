// `rope diagnose` as a user runs it.

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/run.hpp"
#include "rope/io/arrange.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/safetensors.hpp"
#include "rope/io/tensor.hpp"
#include "rope/precision/format.hpp"
#include "rope/precision/rounding.hpp"

namespace rope::test {
namespace {

class DiagnoseTest : public CliTest {
 protected:
  /// Writes x.npy and y.npy: 40 tokens, 2 heads, head size 64, as `rope apply` rotates them.
  void make(const std::vector<std::string>& options = {"--layout", "half"}) {
    std::vector<float> x(40 * 2 * 64);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<float>(std::sin(static_cast<double>(i * i % 1009) + 0.3));
    write("x.npy", io::to_npy({40, 2, 64}, x));
    std::vector<std::string> arguments = {"apply", "x.npy", "-o", "y.npy", "--policy", "float32"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    ASSERT_EQ(rope(arguments).exit_code, 0);
  }
  /// One head of size 32, one number of y wrong: that of dimension 3 of token 9.
  void make_with_wrong_number(std::size_t tokens, const std::vector<std::string>& options = {}) {
    std::vector<float> x(tokens * 32);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<float>(std::sin(static_cast<double>(i * i % 1009) + 0.3));
    write("x.npy", io::to_npy({tokens, 32}, x));
    std::vector<std::string> arguments = {"apply",    "x.npy",   "-o",       "y.npy",
                                          "--policy", "float32", "--layout", "half"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    ASSERT_EQ(rope(arguments).exit_code, 0);
    std::string y = read("y.npy");
    const std::size_t at = y.size() - (x.size() - (9 * 32 + 3)) * sizeof(float);
    float wrong = 0;
    std::copy_n(y.data() + at, sizeof(float), reinterpret_cast<char*>(&wrong));
    wrong += 0.01F;
    y.replace(at, sizeof(float), reinterpret_cast<const char*>(&wrong), sizeof(float));
    write("y.npy", y);
  }
  Outcome diagnose(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"diagnose", "--input", "x.npy", "--result", "y.npy"});
    return rope(more);
  }
};

TEST_F(DiagnoseTest, FindsWhatApplyDid) {
  make({"--layout", "half", "--base", "500000", "--start", "17"});
  const Outcome run = diagnose({"--json"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  const nlohmann::json document = nlohmann::json::parse(run.out);
  EXPECT_EQ(document["schema"], "rope.diagnose/2");
  EXPECT_EQ(document["verdict"], "unique");
  ASSERT_EQ(document["explanations"].size(), 1U);
  const nlohmann::json& e = document["explanations"][0];
  EXPECT_EQ(e["layout"], "half");
  EXPECT_EQ(e["direction"], "counter-clockwise");
  EXPECT_EQ(e["base"], 500000.0);
  EXPECT_EQ(e["position_offset"], 17);
  EXPECT_EQ(e["rotary_dim"], 64);
  EXPECT_EQ(e["attention_factor"], 1.0);
  EXPECT_LE(e["error"].get<double>(), e["bound"].get<double>());
  EXPECT_EQ(e["numbers"], 40 * 2 * 64);
  EXPECT_EQ(document["storage"], "f32");
}

/// The axes of an engine's y need not be those of x, and its file may hold nothing but numbers.
TEST_F(DiagnoseTest, TakesTheTensorsAsTheyLie) {
  make();
  const io::Tensor y = io::open_tensor(path("y.npy"));
  const io::Arranged heads_first = *io::arranged(y, {1, 2, 40, 64});
  std::vector<float> values(y.count());
  const std::vector<double> exact = heads_first.tensor.doubles();
  std::ranges::transform(exact, values.begin(), [](double v) { return static_cast<float>(v); });
  write("heads_first.npy", io::to_npy({1, 2, 40, 64}, values));
  write("packed.npy", io::to_npy({40, 128}, y.floats()));
  for (const char* name : {"x", "y"}) {
    const std::string npy = read(std::string(name) + ".npy");
    write(std::string(name) + ".bin", npy.substr(npy.size() - y.count() * sizeof(float)));
  }
  for (const std::vector<std::string>& files :
       std::vector<std::vector<std::string>>{{"x.npy", "heads_first.npy"},
                                             {"x.npy", "packed.npy"},
                                             {"x.bin", "y.bin", "--raw", "f32:40,2,64"},
                                             {"x.bin", "y.bin", "--raw", "f32:ne=64,2,40"}}) {
    std::vector<std::string> words = {"diagnose"};
    words.insert(words.end(), files.begin(), files.end());
    const Outcome run = rope(words);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(run.out.starts_with("One convention explains these tensors along axis 0: half"))
        << run.out;
    EXPECT_EQ(run.err.find("read in the order 2, 1, 3") != std::string::npos,
              files[1] == "heads_first.npy")
        << run.err;
  }
  for (const char* raw :
       {"f32", "f32:", "q4:40,2,64", "f32:40,-2,64", "f32:40,2,0", "f32:a", "f32:2.5"})
    EXPECT_EQ(rope({"diagnose", "x.bin", "y.bin", "--raw", raw}).exit_code, 2) << raw;
  EXPECT_EQ(rope({"diagnose", "x.bin", "y.bin", "--raw", "f32:40,2,65"}).exit_code, 2);
}

/// Of two rotated traces the reference is turned back: what the port did otherwise is named, what
/// it did alike is right, and a port that did nothing is told so.
TEST_F(DiagnoseTest, ComparesAPortWithAReferenceBothRotated) {
  const std::vector<std::string> stated = {"--base", "500000", "--layout", "half"};
  make(stated);
  struct Port {
    std::vector<std::string> made;  ///< of x; nothing: it is x
    int exit_code;
    std::string said;
  };
  const std::vector<Port> ports = {
      {{"--base", "500000", "--layout", "half"}, 0, "What you state fits"},
      {{"--base", "10000", "--layout", "half"}, 1, "The base is 10000; you assume 500000."},
      {{"--base", "400000", "--layout", "half"}, 1, "The base is 400000; you assume 500000."},
      {{"--base", "499000", "--layout", "half"}, 1, "The base is 499000; you assume 500000."},
      {{"--base", "500000", "--layout", "half", "--start", "1"},
       1,
       "Positions are 1 higher than the given ones."},
      {{"--base", "500000", "--layout", "half", "--scaling", "linear:factor=4"},
       1,
       "scaling linear:factor=4"},
      {{"--base", "500000", "--layout", "half", "--rotary-dim", "32"},
       1,
       "32 dimensions are rotated; you assume 64."},
      {{"--base", "500000"}, 1, "layout interleaved, rotary_dim 64, base 500000"},
      {{"--base", "500000", "--layout", "half", "--inverse"}, 1, "clockwise"},
      {{}, 1, "The port's vectors are not rotated: rotated as stated, they equal the reference."}};
  for (const Port& port : ports) {
    std::string file = "x.npy";
    if (!port.made.empty()) {
      std::vector<std::string> apply = {"apply", "x.npy", "-o", "port.npy", "--policy", "float32"};
      apply.insert(apply.end(), port.made.begin(), port.made.end());
      if (port.made.back() == "--inverse") apply[5] = "exact";
      ASSERT_EQ(rope(apply).exit_code, 0);
      file = "port.npy";
    }
    std::vector<std::string> words = {"diagnose", "--reference", "y.npy", "--port", file};
    words.insert(words.end(), stated.begin(), stated.end());
    const Outcome run = rope(words);
    EXPECT_EQ(run.exit_code, port.exit_code) << port.said << "\n" << run.out << run.err;
    EXPECT_NE(run.out.find(port.said), std::string::npos) << run.out;
    // However the pairs of the port lie across those whose rounding the reference carries.
    EXPECT_EQ(run.out.starts_with("One convention explains these tensors, not the one you assume"),
              port.exit_code == 1 && !port.made.empty())
        << run.out;
    EXPECT_EQ(run.out.find("What you state fits") == std::string::npos, port.exit_code == 1);
    words.emplace_back("--json");
    EXPECT_EQ(nlohmann::json::parse(rope(words).out)["trace"],
              port.made.empty() ? "port not rotated" : "reference turned back");
  }
  const Outcome unstated = rope({"diagnose", "--reference", "y.npy", "--port", "y.npy"});
  EXPECT_EQ(unstated.exit_code, 2);
  EXPECT_NE(unstated.err.find("--layout"), std::string::npos) << unstated.err;
  EXPECT_EQ(rope({"diagnose", "--reference", "y.npy", "--layout", "half"}).exit_code, 2);
}

/// One file is enough where the names of its tensors say which is before and which after.
TEST_F(DiagnoseTest, TakesOneFileWhoseTensorsSayWhichIsWhich) {
  make({"--layout", "half", "--start", "3"});
  const std::vector<float> x = io::open_tensor(path("x.npy")).floats();
  const std::vector<float> y = io::open_tensor(path("y.npy")).floats();
  const auto put = [&](const std::vector<std::pair<std::string, const std::vector<float>*>>& all,
                       bool positions) {
    io::SafetensorsHeader header;
    std::string bytes;
    for (const auto& [name, values] : all) {
      header.tensors.push_back({name, "F32", {40, 2, 64}, 0, 0});
      bytes.append(reinterpret_cast<const char*>(values->data()), values->size() * sizeof(float));
    }
    if (positions) {
      header.tensors.push_back({"position_ids", "I64", {40}, 0, 0});
      for (std::int64_t position = 3; position < 43; ++position)
        bytes.append(reinterpret_cast<const char*>(&position), sizeof position);
    }
    write("c.safetensors", io::safetensors_header(header) + bytes);
  };
  for (const auto& [before, after] :
       std::vector<std::pair<std::string, std::string>>{{"q_pre", "q_rot"},
                                                        {"q", "q_embed"},
                                                        {"x", "y"},
                                                        {"layers.0.k.input", "layers.0.k.output"}})
    for (const bool positions : {false, true}) {
      put({{before, &x}, {after, &y}}, positions);
      const Outcome run = rope({"diagnose", "c.safetensors"});
      EXPECT_EQ(run.exit_code, 0) << before << run.err;
      EXPECT_NE(run.out.find(positions ? "positions as given" : "positions from 3"),
                std::string::npos)
          << run.out;
      EXPECT_EQ(rope({"verify", "c.safetensors", "--layout", "half", "--start", "3"}).exit_code, 0);
    }
  put({{"q_pre", &x}, {"q_rot", &y}}, true);
  EXPECT_NE(flowing(rope({"verify", "c.safetensors", "--layout", "interleaved"}).out)
                .find("rope diagnose c.safetensors:q_pre c.safetensors:q_rot"),
            std::string::npos);
  EXPECT_NE(flowing(rope({"verify", "c.safetensors", "--layout", "interleaved"}).out)
                .find("--positions c.safetensors:position_ids"),
            std::string::npos);
  put({{"q_pre", &x}, {"q_rot", &y}, {"k_pre", &x}, {"k_rot", &y}}, true);
  EXPECT_NE(rope({"diagnose", "c.safetensors"}).out.find("rotated in the same way"),
            std::string::npos);
  EXPECT_EQ(rope({"verify", "c.safetensors", "--layout", "half"}).exit_code, 2) << "which of two?";
  for (const auto& names : std::vector<std::pair<std::string, std::string>>{
           {"a", "b"}, {"q_pre", "k_rot"}, {"q", "k"}, {"q_rot", "q_out"}}) {
    put({{names.first, &x}, {names.second, &y}}, false);
    const Outcome run = rope({"diagnose", "c.safetensors"});
    EXPECT_EQ(run.exit_code, 2) << names.first;
    EXPECT_NE(run.err.find("expected names that say which"), std::string::npos) << run.err;
  }
  put({{"q_pre", &x}, {"q_rot", &y}, {"q_out", &y}}, false);
  EXPECT_EQ(rope({"diagnose", "c.safetensors"}).exit_code, 2) << "which of two after?";
}

TEST_F(DiagnoseTest, NamesWhatDiffersFromWhatIsAssumed) {
  make({"--layout", "interleaved", "--model", "llama-3.1-8b", "--dim", "64"});
  const Outcome run = diagnose({"--layout", "half", "--base", "10000"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  for (const char* words :
       {"One convention explains these tensors along axis 0, not the one you assume: interleaved "
        "layout (2i, "
        "2i+1), base "
        "500000",
        "The pairs are interleaved (2i, 2i+1); you assume half",
        "The base is 500000; you assume 10000. If y is your own, make its base 10000; if it is the "
        "reference, set rope_theta to 500000.",
        "The frequencies follow llama3"})
    EXPECT_NE(flowing(run.out).find(words), std::string::npos) << words << "\n" << run.out;
  const Outcome same =
      diagnose({"--layout", "interleaved", "--model", "llama-3.1-8b", "--dim", "64", "--quiet"});
  EXPECT_TRUE(flowing(same.out).starts_with(
      "What you state fits along axis 0: interleaved layout (2i, 2i+1), base 500000"))
      << same.out;
}

TEST_F(DiagnoseTest, WhateverContradictsIsADifference) {
  const auto differs = [&](const std::vector<std::string>& made,
                           const std::vector<std::string>& assumed, const char* words) {
    make(made);
    std::vector<std::string> options = assumed;
    const Outcome run = diagnose(options);
    EXPECT_EQ(run.out.find("What you state fits"), std::string::npos)
        << words << run.out << run.err;
    options.emplace_back("--json");
    const nlohmann::json differences =
        nlohmann::json::parse(diagnose(options).out)["explanations"][0]["differences"];
    ASSERT_FALSE(differences.empty()) << words;
    EXPECT_NE(differences[0]["finding"].get<std::string>().find(words), std::string::npos)
        << differences.dump();
  };
  differs({"--layout", "half", "--start", "3"}, {"--layout", "half", "--start", "2"}, "1 higher");
  differs({"--layout", "half", "--inverse"}, {"--layout", "half"}, "−mθ");
  differs({"--layout", "half", "--scaling", "yarn:factor=4,original=2048"}, {"--layout", "half"},
          "the attention factor is 1.13863");
  differs({"--layout", "half", "--rotary-dim", "32"}, {"--base", "10000"}, "32 dimensions");
  std::string frequencies = "0.5";
  for (int k = 1; k < 32; ++k) frequencies += "," + std::to_string(std::pow(10000.0, -k / 32.0));
  differs({"--layout", "half"}, {"--frequencies", frequencies, "--layout", "half"},
          "θ_0 is 1; you assume 0.5");
}

TEST_F(DiagnoseTest, HeadsOfAnotherSizeAreNotOfThatModel) {
  ASSERT_EQ(rope({"apply", "--golden", "g_", "--dim", "64", "--layout", "half"}).exit_code, 0);
  const std::string said =
      flowing(rope({"diagnose", "g_x.npy", "g_y.npy", "--model", "llama-3.1-8b"}).out);
  EXPECT_NE(
      said.find("These tensors have heads of size 64, but your model has heads of size 128: they "
                "do not come from that model."),
      std::string::npos)
      << said;
  EXPECT_EQ(said.find("rotate 128"), std::string::npos) << said;
  EXPECT_NE(said.find("The frequencies follow no scaling rule; you assume llama3:"),
            std::string::npos)
      << said;
}

// A model may have several kinds of layers; the tensors of any are right.
TEST_F(DiagnoseTest, EachKindOfLayersOfAModelIsCompared) {
  const auto apply = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"apply", "--golden", "k_"});
    ASSERT_EQ(rope(options).exit_code, 0);
  };
  const auto diagnose_as = [&](const std::string& model) {
    return rope(
        {"diagnose", "k_x.npy", "k_y.npy", "--positions", "k_positions.npy", "--model", model});
  };
  const std::vector<std::string> full = {
      "--dim", "256", "--base", "1000000", "--scaling", "linear:factor=8", "--layout", "half"};
  const std::vector<std::string> sliding = {"--dim", "256", "--base", "10000", "--layout", "half"};
  for (const auto& [options, kind] :
       {std::pair(full, "full_attention"), {sliding, "sliding_attention"}}) {
    apply(options);
    const Outcome run = diagnose_as("gemma-3-12b");
    EXPECT_EQ(run.exit_code, 0) << run.out;
    EXPECT_NE(flowing(run.out).find("What you state fits"), std::string::npos) << run.out;
    EXPECT_NE(flowing(run.err).find("y is compared with those of gemma-3-12b " + std::string(kind)),
              std::string::npos)
        << run.err;
  }
  // Of what fits no kind, the differences from the nearest kind are told.
  apply({"--dim", "64", "--base", "160000", "--layout", "interleaved", "--scaling",
         "yarn:factor=16,original=65536"});
  const Outcome run = diagnose_as("deepseek-v4");
  EXPECT_EQ(flowing(run.out).find("you assume 10000"), std::string::npos) << run.out;
  EXPECT_NE(flowing(run.out).find("The attention factor is 1.27726"), std::string::npos) << run.out;
  EXPECT_NE(flowing(run.err).find("deepseek-v4 compress"), std::string::npos) << run.err;
}

// The axes of a dump in ggml's order, or of another array whose heads do not stand last.
TEST_F(DiagnoseTest, AxesOfWhichTheLastIsNoHeadOfTheModelAreRefused) {
  ASSERT_EQ(
      rope({"apply", "--golden", "g_", "--model", "llama-3.1-8b", "--positions", "0:23"}).exit_code,
      0);
  const io::Tensor x = io::open_tensor(path("g_x.npy")), y = io::open_tensor(path("g_y.npy"));
  const std::vector<std::size_t> back(x.shape().rbegin(), x.shape().rend());
  const auto bytes = [](const io::Tensor& tensor) {
    const std::vector<double> numbers = tensor.doubles();
    return std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * 8);
  };
  write("x.raw", bytes(x));
  write("y.raw", bytes(y));
  write("x.npy", io::to_npy(back, x.doubles()));
  write("y.npy", io::to_npy(back, y.doubles()));
  std::string sizes;
  for (const std::size_t size : back) sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
  const std::string positions = "0:" + std::to_string(x.shape()[0] - 1);
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, std::vector<std::string>{"--positions", positions}}) {
    std::vector<std::string> raw = {"diagnose",     "x.raw",   "y.raw",       "--raw",
                                    "f64:" + sizes, "--model", "llama-3.1-8b"};
    raw.insert(raw.end(), more.begin(), more.end());
    for (std::vector<std::string> asked :
         {raw, std::vector<std::string>{"diagnose", "x.npy", "y.npy", "--model", "llama-3.1-8b"}}) {
      const Outcome refused = rope(asked);
      EXPECT_EQ(refused.exit_code, 2) << refused.out;
      EXPECT_NE(flowing(refused.err).find("expected a last axis of 128, the head size of the"),
                std::string::npos)
          << refused.err;
      EXPECT_NE(flowing(refused.err).find("--raw TYPE:ne=" + sizes), std::string::npos)
          << refused.err;
    }
    raw[4] = "f64:ne=" + sizes;
    EXPECT_TRUE(rope(raw).out.starts_with("What you state fits"));
  }
}

// Right code whose positions are not given is not blamed, and an offset is not passed over.
TEST_F(DiagnoseTest, PositionsThatAreNotGivenAndStartLateAreSaidFirst) {
  for (const char* const start : {"1", "7", "4711"}) {
    make({"--layout", "half", "--base", "500000", "--start", start});
    const std::string said =
        std::string("What you state fits along axis 0 if positions start at ") + start +
        ", not 0: half layout (i, i+32), base 500000";
    const Outcome quiet = diagnose({"--layout", "half", "--base", "500000", "-q"});
    EXPECT_TRUE(flowing(quiet.out).starts_with(said)) << quiet.out;
    EXPECT_EQ(quiet.exit_code, 0);
    const Outcome given = diagnose({"--layout", "half", "--base", "500000", "--start", start});
    EXPECT_TRUE(flowing(given.out).starts_with("What you state fits along axis 0: half layout"))
        << given.out;
    const nlohmann::json json = nlohmann::json::parse(
        diagnose({"--layout", "half", "--base", "500000", "--json"}).out)["explanations"][0];
    EXPECT_EQ(json["remarks"][0]["remedy_id"], "start");
    EXPECT_EQ(json["position_offset"], std::stoi(start));
  }
  make({"--layout", "half", "--base", "500000"});
  EXPECT_TRUE(flowing(diagnose({"--layout", "half", "--base", "500000"}).out)
                  .starts_with("What you state fits along axis 0: half layout"));
}

// As a GGUF file has them in rope_freqs.weight.
TEST_F(DiagnoseTest, OneListOfDivisorsForAnyLengthIsCalledDivisors) {
  std::string list = "1";
  for (int k = 1; k < 32; ++k) list += k < 16 ? ";1" : ";8";
  const std::string one =
      "longrope:short=" + list + ",long=" + list + ",original=4096,attention_factor=1";
  make({"--layout", "half", "--scaling", one});
  const std::vector<std::string> stated = {"--layout", "half", "--scaling", one};
  std::vector<std::string> verify = {"verify", "x.npy", "y.npy"};
  verify.insert(verify.end(), stated.begin(), stated.end());
  for (const Outcome& run : {diagnose(stated), rope(verify)}) {
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_NE(flowing(run.out).find("scaling divisors (32, one per pair)"), std::string::npos)
        << run.out;
    EXPECT_EQ(run.out.find("longrope"), std::string::npos) << run.out;
    EXPECT_EQ(run.err.find("--seq-len"), std::string::npos) << run.err;
  }
  std::vector<std::string> two = verify;
  two.back() = "longrope:short=" + list + ",long=" + list + "1,original=4096,attention_factor=1";
  EXPECT_NE(rope(two).err.find("--seq-len: taken as 40"), std::string::npos);
}

TEST_F(DiagnoseTest, GivenPositionsAreComparedWith) {
  make({"--layout", "half", "--start", "3"});
  EXPECT_NE(flowing(diagnose({"--start", "2"}).out).find("positions 1 higher than given"),
            std::string::npos);
  EXPECT_NE(flowing(diagnose({"--positions", "3:42"}).out).find("positions as given,"),
            std::string::npos);
  EXPECT_EQ(diagnose({"--positions", "3:41"}).exit_code, 2);
}

// Two rows of 20 tokens, and as many positions as there are heads.
TEST_F(DiagnoseTest, PositionsOfAllRowsAreNotThoseOfAsManyHeads) {
  std::vector<float> x(40 * 40 * 16);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(std::sin(static_cast<double>(i * i % 1009) + 0.3));
  write("x.npy", io::to_npy({40, 40, 16}, x));
  const char* positions = "0:19,5:24";
  ASSERT_EQ(rope({"apply", "x.npy", "-o", "y.npy", "--policy", "float32", "--layout", "half",
                  "--positions", positions})
                .exit_code,
            0);
  for (const char* name : {"x.npy", "y.npy"}) {
    std::string file = read(name);
    const std::string flat = "(40, 40, 16), }   ", rows = "(2, 20, 40, 16), }";
    file.replace(file.find(flat), flat.size(), rows);
    write(name, file);
  }
  const Outcome run = diagnose({"--layout", "half", "--base", "10000", "--positions", positions});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_NE(flowing(run.out).find("tokens run along axis 1, and every row"), std::string::npos)
      << run.out;
}

TEST_F(DiagnoseTest, QAndKAreCompared) {
  make();
  ASSERT_EQ(rope({"apply", "x.npy", "-o", "k.npy", "--policy", "float32", "--layout", "half",
                  "--base", "20000"})
                .exit_code,
            0);
  const Outcome run = diagnose({"--input", "x.npy", "--result", "k.npy"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_EQ(diagnose({"--input", "x.npy", "--result", "y.npy"}).exit_code, 0);
  EXPECT_NE(flowing(run.out).find(
                "Tensors 1 and 2 differ in frequencies: default, base 10000 and default, "
                "base 20000"),
            std::string::npos)
      << run.out;
  const nlohmann::json document =
      nlohmann::json::parse(diagnose({"--input", "x.npy", "--result", "k.npy", "--json"}).out);
  ASSERT_EQ(document["tensors"].size(), 2U);
  EXPECT_EQ(document["tensors"][1]["disagreements"].size(), 1U);
}

TEST_F(DiagnoseTest, AnyAxisMayHoldTheTokens) {
  make();
  std::vector<float> x(3 * 30 * 16);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(std::cos(static_cast<double>(i * i % 997)));
  write("x.npy", io::to_npy({3, 30, 16}, x));
  ASSERT_EQ(
      rope({"apply", "x.npy", "-o", "y.npy", "--policy", "float32", "--token-axis", "1"}).exit_code,
      0);
  const Outcome run = diagnose();
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_NE(run.out.find("tokens run along axis 1"), std::string::npos);
  const Outcome of_heads = diagnose({"--token-axis", "0", "--layout", "interleaved"});
  EXPECT_NE(of_heads.out.find("not the one you assume"), std::string::npos) << of_heads.out;
  EXPECT_NE(of_heads.out.find("The positions run along axis 1, not along the token axis"),
            std::string::npos);
  EXPECT_EQ(diagnose({"--token-axis", "2"}).exit_code, 2);
}

TEST_F(DiagnoseTest, HeadsInOneAxisAreSplit) {
  make();
  const std::string bytes = read("x.npy");
  std::vector<float> x(40 * 2 * 64);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(std::sin(static_cast<double>(i * i % 1009) + 0.3));
  write("x.npy", io::to_npy({40, 128}, x));
  std::string y = read("y.npy");
  // The same numbers under another shape: only the header differs.
  const std::string payload = y.substr(y.size() - 40 * 128 * 4);
  const std::string other = read("x.npy");
  write("y.npy", other.substr(0, other.size() - payload.size()) + payload);
  const Outcome whole = diagnose();
  EXPECT_EQ(whole.exit_code, 0) << whole.out;
  EXPECT_NE(flowing(whole.out).find("float32 (40, 128), read as 2 heads of 64"), std::string::npos)
      << whole.out;
  const Outcome run = diagnose({"--dim", "64"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_EQ(diagnose({"--dim", "60"}).exit_code, 2);
}

TEST_F(DiagnoseTest, VerdictsHaveTheirExitCodes) {
  make();
  const Outcome same = rope({"diagnose", "--input", "x.npy", "--result", "x.npy"});
  EXPECT_EQ(same.exit_code, 4);
  EXPECT_TRUE(same.out.starts_with("The result is the input (y is x): ")) << same.out;
  std::vector<float> noise(40 * 2 * 64);
  for (std::size_t i = 0; i < noise.size(); ++i)
    noise[i] = static_cast<float>(std::sin(static_cast<double>(i) * 1.7));
  write("n.npy", io::to_npy({40, 2, 64}, noise));
  const Outcome run = rope({"diagnose", "--input", "x.npy", "--result", "n.npy"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(
      flowing(run.out).find("No convention explains these tensors: no pairing turns every pair"),
      std::string::npos)
      << run.out;
}

/// At one position, frequencies and positions are never known apart; but the wrong layout is wrong.
TEST_F(DiagnoseTest, WhatEveryExplanationContradictsIsWrongThoughTheAnswerIsOpen) {
  make();
  std::string positions = "5";
  for (std::size_t i = 1; i < 40; ++i) positions += ",5";
  ASSERT_EQ(rope({"apply", "x.npy", "-o", "y.npy", "--layout", "half", "--positions", positions})
                .exit_code,
            0);
  const auto outcome = [&](const std::string& layout) {
    return rope({"diagnose", "x.npy", "y.npy", "--positions", positions, "--layout", layout});
  };
  const Outcome wrong = outcome("interleaved");
  EXPECT_NE(flowing(wrong.out).find("with something still open"), std::string::npos) << wrong.out;
  EXPECT_EQ(wrong.exit_code, 1) << wrong.out;
  EXPECT_EQ(outcome("half").exit_code, 0);
}

TEST_F(DiagnoseTest, WhereYIsXThePositionsGivenDecideWhatIsSaid) {
  make();
  const auto said = [&](const std::string& start) {
    const Outcome run = rope({"diagnose", "--input", "x.npy", "--result", "x.npy", "--start", start,
                              "--layout", "half", "--base", "10000"});
    EXPECT_EQ(run.exit_code, 1) << run.out << run.err;
    return flowing(run.out);
  };
  const std::string later = said("137");
  EXPECT_TRUE(
      later.starts_with("The result is the input (y is x): at the given positions "
                        "(137 … 176), a rotation would change x, so none was applied, or "
                        "its result was not written back."))
      << later;
  EXPECT_NE(later.find("at these positions and not at 0"), std::string::npos) << later;
  EXPECT_EQ(later.find("Take y after the rotation"), std::string::npos) << later;
}

TEST_F(DiagnoseTest, TokensThatAreNotFiniteAreLeftOutAndSaidSo) {
  make();
  std::string x = read("x.npy");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  x.replace(x.size() - 4, 4, reinterpret_cast<const char*>(&nan), 4);
  write("x.npy", x);
  const Outcome run = diagnose();
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_NE(run.out.find("Token 39 contains a NaN or an infinity and is not counted"),
            std::string::npos)
      << run.out;
  write("x.npy", io::to_npy({1, 2}, std::vector<float>{nan, nan}));
  write("y.npy", io::to_npy({1, 2}, std::vector<float>{nan, nan}));
  EXPECT_EQ(diagnose().exit_code, 2);
}

TEST_F(DiagnoseTest, TokensOfYAloneThatAreNotFiniteLeaveItOpen) {
  make();
  std::string y = read("y.npy");
  const float infinity = std::numeric_limits<float>::infinity();
  y.replace(y.size() - (40 - 7) * 2 * 64 * 4, 4, reinterpret_cast<const char*>(&infinity), 4);
  write("y.npy", y);
  const Outcome run = diagnose({"--layout", "half"});
  EXPECT_EQ(run.exit_code, 4) << run.out;
  EXPECT_TRUE(flowing(run.out).starts_with(
      "One convention explains these tensors, with something still open: half layout"))
      << run.out;
  EXPECT_NE(flowing(run.out).find("open: token 7: y holds a NaN or an infinity where x is finite"),
            std::string::npos)
      << run.out;
  EXPECT_EQ(run.out.find("What you state fits"), std::string::npos) << run.out;
}

TEST_F(DiagnoseTest, OneWrongNumberIsNamed) {
  make_with_wrong_number(16);
  const Outcome run = diagnose({"--start", "0"});
  EXPECT_EQ(run.exit_code, 1) << run.out;
  for (const char* words :
       {"No convention explains these tensors: all but 1 of 16 tokens follow one convention "
        "(exceptions: 9).",
        "layout half, rotary_dim 32, base 10000", "no scaling, positions as given",
        "1 of 512 numbers beyond the bounds", "token 9, pair 3, dimension 3"})
    EXPECT_NE(flowing(run.out).find(words), std::string::npos) << words << "\n" << run.out;
  for (const char* words : {"Give the positions of the tokens", "no rotation"})
    EXPECT_EQ(flowing(run.out).find(words), std::string::npos) << words << "\n" << run.out;
  const nlohmann::json nearest = nlohmann::json::parse(diagnose({"--json"}).out)["nearest"];
  EXPECT_EQ(nearest["broken_tokens"], nlohmann::json::array({9}));
  EXPECT_EQ(nearest["pair"], 3);
  EXPECT_TRUE(nearest["runs"].empty());
}

TEST_F(DiagnoseTest, AWrongNumberInPackedSequencesIsNamedAlone) {
  make_with_wrong_number(24, {"--lengths", "18,6"});
  const Outcome run = diagnose({});
  EXPECT_EQ(run.exit_code, 1) << run.out;
  for (const char* words :
       {"all but 1 of 24 tokens follow one convention (exceptions: 9)", "positions in 2 runs",
        "tokens 0 … 17: positions 0 … 17", "tokens 18 … 23: positions 0 … 5"})
    EXPECT_NE(flowing(run.out).find(words), std::string::npos) << words << "\n" << run.out;
  const nlohmann::json nearest = nlohmann::json::parse(diagnose({"--json"}).out)["nearest"];
  EXPECT_EQ(nearest["runs"][1]["first_token"], 18);
  EXPECT_EQ(nearest["runs"][1]["position"], 0);
}

TEST_F(DiagnoseTest, ZerosAreCalledZeros) {
  make();
  write("zero.npy", io::to_npy({40, 2, 64}, std::vector<float>(40 * 2 * 64)));
  const auto says = [&](const char* x, const char* y, int exit_code, const char* words) {
    const Outcome run = rope({"diagnose", "--input", x, "--result", y});
    EXPECT_EQ(run.exit_code, exit_code) << run.out;
    EXPECT_NE(flowing(run.out).find(words), std::string::npos) << run.out;
  };
  says("x.npy", "zero.npy", 1, "y is zero everywhere and x is not");
  says("zero.npy", "y.npy", 1, "x is zero everywhere and y is not");
  says("zero.npy", "zero.npy", 4, "x and y are zero everywhere");
}

TEST_F(DiagnoseTest, TablesAndFrequenciesAreTaken) {
  std::vector<double> cos, sin, theta;
  for (int k = 0; k < 16; ++k) theta.push_back(std::pow(10000.0, -k / 16.0));
  for (int t = 0; t < 30; ++t)
    for (const double value : theta) {
      cos.push_back(std::cos(t * value));
      sin.push_back(std::sin(t * value));
    }
  write("c.npy", io::to_npy({1, 30, 16}, cos));
  write("s.npy", io::to_npy({1, 30, 16}, sin));
  write("f.npy", io::to_npy({16}, theta));
  const Outcome tables = rope({"diagnose", "--cos", "c.npy", "--sin", "s.npy", "--json"});
  EXPECT_EQ(tables.exit_code, 0) << tables.err;
  EXPECT_EQ(nlohmann::json::parse(tables.out)["explanations"][0]["base"], 10000.0);
  EXPECT_TRUE(nlohmann::json::parse(tables.out)["explanations"][0]["layout"].is_null());
  const Outcome exchanged =
      rope({"diagnose", "--cos", "s.npy", "--sin", "c.npy", "--base", "10000"});
  EXPECT_NE(exchanged.out.find("The tables are exchanged"), std::string::npos) << exchanged.out;
  EXPECT_EQ(exchanged.out.find("What you state fits"), std::string::npos) << exchanged.out;
  const Outcome frequencies = rope({"diagnose", "--inv-freq", "f.npy", "--base", "500000"});
  EXPECT_EQ(frequencies.exit_code, 1) << frequencies.err;
  EXPECT_NE(flowing(frequencies.out).find("The base is 10000; you assume 500000"),
            std::string::npos)
      << frequencies.out;
}

TEST_F(DiagnoseTest, FittedNumbersHaveTheirIntervals) {
  std::vector<double> theta;
  for (int k = 0; k < 32; ++k)
    theta.push_back(round_to(Format::bfloat16, std::pow(33333.0, -k / 32.0) / 3.7));
  write("f.npy", io::to_npy({32}, theta));
  const Outcome linear = rope({"diagnose", "--inv-freq", "f.npy"});
  EXPECT_NE(flowing(linear.out).find("base 33334 (33332."), std::string::npos) << linear.out;
  EXPECT_NE(flowing(linear.out).find("linear:factor=3.7 (3.699"), std::string::npos) << linear.out;
  std::vector<double> x, y;
  for (int t = 0; t < 40; ++t) {
    const double a = round_to(Format::float16, std::sin(1.0 + t));
    const double b = round_to(Format::float16, std::cos(2.0 * t));
    x.insert(x.end(), {a, b});
    for (const double value :
         {a * std::cos(t) - b * std::sin(t), a * std::sin(t) + b * std::cos(t)})
      y.push_back(round_to(Format::float16, 1.2345678 * value));
  }
  write("x.npy", io::to_npy({40, 2}, x));
  write("y.npy", io::to_npy({40, 2}, y));
  const Outcome scaled = rope({"diagnose", "--input", "x.npy", "--result", "y.npy"});
  EXPECT_NE(flowing(scaled.out).find("attention factor 1.23"), std::string::npos) << scaled.out;
  const Outcome json = rope({"diagnose", "--input", "x.npy", "--result", "y.npy", "--json"});
  const nlohmann::json interval =
      nlohmann::json::parse(json.out)["explanations"][0]["attention_factor_interval"];
  EXPECT_LT(interval[0], 1.2345678);
  EXPECT_GT(interval[1], 1.2345678);
  EXPECT_NE(scaled.out.find(" … 1.24", scaled.out.find("attention factor")), std::string::npos)
      << scaled.out;
}

TEST_F(DiagnoseTest, FilesShowTheErrors) {
  make();
  const Outcome run = diagnose({"-o", "e.csv", "-o", "e.json", "-o", "e.png"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(read("e.csv").starts_with("token,position,pair,error\n0,0,0,0\n"));
  EXPECT_TRUE(read("e.png").starts_with("\x89PNG"));
  EXPECT_EQ(nlohmann::json::parse(read("e.json"))["verdict"], "unique");
}

TEST_F(DiagnoseTest, WrongCombinationsAreRefused) {
  make();
  const auto refused = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> all = {"diagnose"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome run = rope(all);
    EXPECT_EQ(run.exit_code, 2) << run.out;
    EXPECT_TRUE(run.err.starts_with("rope diagnose: ")) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 2) << run.err;
  };
  refused({});
  refused({"--input", "x.npy"});
  refused({"--result", "y.npy"});
  refused({"--cos", "x.npy"});
  refused({"--input", "x.npy", "--result", "y.npy", "--inv-freq", "x.npy"});
  refused({"--input", "x.npy", "--result", "y.npy", "--noise", "-1"});
  refused({"--input", "x.npy", "--result", "y.npy", "--noise", "x"});
  refused({"--input", "x.npy", "--result", "y.npy", "--positions", "0:3"});
  write("short.npy", io::to_npy({1, 64}, std::vector<float>(64)));
  refused({"--input", "x.npy", "--result", "short.npy"});
  write("empty.npy", io::to_npy({0, 64}, std::vector<float>()));
  refused({"--input", "empty.npy", "--result", "empty.npy"});
  EXPECT_EQ(rope({"diagnose", "--input", "gone.npy", "--result", "y.npy"}).exit_code, 3);
  // What a message names was given, and what it tells to do can be done.
  write("scalar.npy", io::to_npy({}, std::vector<float>(1)));
  const std::string tokens = std::to_string(io::npy_tensor(read("x.npy"), "x").shape()[0]);
  for (const auto& [arguments, expected] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"x.npy", "y.npy", "-o", "e.npy"},
            "-o: expected a document or a picture with X and Y, got 'e.npy'"},
           {{"scalar.npy", "scalar.npy"},
            "scalar.npy: expected vectors [..., head_dim], found a single number"},
           {{"--inv-freq", "x.npy"}, "x.npy: expected frequencies along one axis"},
           {{"-", "-"}, "expected one file on standard input, got - twice"},
           {{"x.npy", "y.npy", "--positions", "0:" + tokens},
            "A:B includes both ends: 0:" + std::to_string(std::stoi(tokens) - 1) + " is " + tokens +
                " positions."}}) {
    refused(arguments);
    std::vector<std::string> all = {"diagnose"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const std::string message = flowing(rope(all).err);
    EXPECT_NE(message.find(expected), std::string::npos) << message;
  }
}

TEST_F(DiagnoseTest, EndsAtBothEndsOfThePositionsItTakes) {
  EXPECT_EQ(rope({"apply", "--golden", "g_", "--dim", "8", "--positions", "0:11"}).exit_code, 0);
  const auto diagnosed = [&](const char* start) {
    const std::string option = std::string("--start=") + start;
    EXPECT_EQ(rope({"apply", "g_x.npy", option, "-o", "y.npy"}).exit_code, 0) << start;
    return rope({"diagnose", "g_x.npy", "y.npy", option});
  };
  for (const char* start : {"-2305843009213693951", "2305843009213693940"}) {
    const Outcome run = diagnosed(start);
    EXPECT_EQ(run.exit_code, 4) << start << run.err;  // other bases come to the same angles there
    EXPECT_TRUE(flowing(run.out).starts_with(
        "9 conventions explain these tensors, and the numbers cannot distinguish them; the most "
        "common is: interleaved layout (2i, 2i+1), base 10000, positions as given. "))
        << run.out;
    EXPECT_NE(flowing(run.out).find(
                  "layout interleaved, rotary_dim 8, base 10000, no scaling, positions as "
                  "given"),
              std::string::npos)
        << run.out;
  }
  for (const char* start : {"-9223372036854775808", "-2305843009213693952", "2305843009213693941",
                            "9223372036854775796"}) {
    const Outcome run = diagnosed(start);
    EXPECT_EQ(run.exit_code, 2) << start;
    EXPECT_NE(run.err.find("positions: expected magnitudes below 2^61, got "), std::string::npos)
        << run.err;
  }
}

TEST_F(DiagnoseTest, TakesTwoFilesAsInputAndResult) {
  EXPECT_EQ(rope({"apply", "--golden", "g_", "--dim", "8"}).exit_code, 0);
  const Outcome named = rope({"diagnose", "--input", "g_x.npy", "--result", "g_y.npy"});
  EXPECT_EQ(rope({"diagnose", "g_x.npy", "g_y.npy"}).out, named.out);
  EXPECT_EQ(
      rope({"diagnose", "g_x.npy"}).err,
      "rope diagnose: X Y: expected two files, or --input and --result, got one file\n"
      "For example rope diagnose x.npy y.npy, or a .safetensors file with q_pre and q_rot.\n");
  EXPECT_EQ(rope({"diagnose", "g_x.npy", "g_y.npy", "--input", "g_x.npy"}).exit_code, 2);
}

}  // namespace
}  // namespace rope::test
