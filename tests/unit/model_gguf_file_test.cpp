// GGUF files as they are: keys and divisors, read as the text that gguf-dump prints of them.

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "rope/io/input_file.hpp"
#include "rope/model/gguf_file.hpp"
#include "unit/model_reading.hpp"

namespace rope::test {
namespace {

/// The bytes of a file, written as the format's specification says.
class Gguf {
 public:
  template <typename Number>
  static std::string bytes(Number value) {
    std::string text(sizeof value, '\0');
    std::memcpy(text.data(), &value, sizeof value);
    return text;
  }
  static std::string text(const std::string& value) {
    return bytes(std::uint64_t{value.size()}) + value;
  }

  void key(const std::string& name, std::uint32_t type, const std::string& value) {
    keys_ += text(name) + bytes(type) + value;
    ++key_count_;
  }
  void word(const std::string& name, const std::string& value) { key(name, 8, text(value)); }
  void whole(const std::string& name, std::uint32_t value) { key(name, 4, bytes(value)); }
  void real(const std::string& name, float value) { key(name, 6, bytes(value)); }
  void words(const std::string& name, const std::vector<std::string>& values) {
    std::string list = bytes(std::uint32_t{8}) + bytes(std::uint64_t{values.size()});
    for (const std::string& value : values) list += text(value);
    key(name, 9, list);
  }
  void tensor(const std::string& name, const std::vector<float>& values) {
    tensors_ += text(name) + bytes(std::uint32_t{1}) + bytes(std::uint64_t{values.size()}) +
                bytes(std::uint32_t{0}) + bytes(std::uint64_t{data_.size()});
    for (const float value : values) data_ += bytes(value);
    pad(data_);
    ++tensor_count_;
  }

  std::string file(std::uint32_t version = 3) const {
    std::string all =
        "GGUF" + bytes(version) + bytes(tensor_count_) + bytes(key_count_) + keys_ + tensors_;
    pad(all);
    return all + data_;
  }

 private:
  static void pad(std::string& text) { text.resize((text.size() + 31) / 32 * 32, '\0'); }

  std::string keys_, tensors_, data_;
  std::uint64_t key_count_ = 0, tensor_count_ = 0;
};

/// A file of Llama 3.1, its vocabulary shortened; without divisors where none are given.
Gguf llama_31(const std::vector<float>& divisors) {
  Gguf gguf;
  gguf.word("general.architecture", "llama");
  gguf.words("tokenizer.ggml.tokens", {"a", "b c", ""});
  gguf.whole("llama.context_length", 131072);
  gguf.whole("llama.attention.key_length", 128);
  gguf.real("llama.rope.freq_base", 500000);
  if (!divisors.empty()) gguf.tensor("rope_freqs.weight", divisors);
  gguf.tensor("output.weight", {1, 2, 3});
  return gguf;
}

/// What divides each frequency, by the formula of Llama 3.1.
std::vector<float> divisors_of_llama_31() {
  std::vector<float> divisors;
  for (int k = 0; k < 64; ++k) {
    const double wavelength = 2 * std::acos(-1.0) * std::pow(500000, k / 64.0);
    const double smooth = std::clamp((8192 / wavelength - 1) / 3, 0.0, 1.0);
    divisors.push_back(static_cast<float>(1 / ((1 - smooth) / 8 + smooth)));
  }
  return divisors;
}

TEST(GgufFile, IsReadAsTheTextOfItsKeys) {
  const ModelRope file = read(llama_31({}).file());
  const ModelRope text = read(
      "general.architecture = llama\nllama.context_length = 131072\n"
      "llama.attention.key_length = 128\nllama.rope.freq_base = 500000\n");
  EXPECT_EQ(file.layers.front().scaled.frequencies.theta,
            text.layers.front().scaled.frequencies.theta);
  EXPECT_EQ(file.layers.front().layout, text.layers.front().layout);
  EXPECT_EQ(file.context, text.context);
  EXPECT_EQ(file.warnings, text.warnings);
  EXPECT_EQ(read(llama_31({}).file(2)).context, file.context) << "version 2 is laid out alike";
}

TEST(GgufFile, HoldsTheDivisorsThatItsTextLacks) {
  const std::string bytes = llama_31(divisors_of_llama_31()).file();
  const ModelRope model = read(bytes);
  EXPECT_TRUE(model.warnings.empty()) << model.warnings.front();
  EXPECT_TRUE(
      notes_hold(model, "each frequency is divided by the matching number in rope_freqs.weight"));
  const LayerRope config = only_layer(
      R"({"model_type": "llama", "head_dim": 128, "rope_theta": 500000.0,
          "max_position_embeddings": 131072, "rope_scaling": {"rope_type": "llama3", "factor": 8.0,
          "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 8192}})");
  const std::vector<double>& found = model.layers.front().scaled.frequencies.theta;
  const std::vector<double>& expected = config.scaled.frequencies.theta;
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k)  // a divisor is rounded to 24 bits
    EXPECT_NEAR(found[k] / expected[k], 1, std::ldexp(1, -24) * 1.01) << k;
  // Cut off behind its header it still lists the tensor, whose numbers are then missed.
  const ModelRope cut = read(bytes.substr(0, bytes.size() - 256));
  ASSERT_EQ(cut.warnings.size(), 1U);
  EXPECT_NE(cut.warnings[0].find("rope_freqs.weight"), std::string::npos);
}

TEST(GgufFile, OfLongropeHasBothLists) {
  Gguf gguf;
  gguf.word("general.architecture", "phi3");
  gguf.whole("phi3.context_length", 131072);
  gguf.whole("phi3.rope.scaling.original_context_length", 4096);
  gguf.whole("phi3.rope.dimension_count", 4);
  gguf.whole("phi3.attention.key_length", 4);
  gguf.real("phi3.rope.freq_base", 10000);
  gguf.real("phi3.rope.scaling.attn_factor", 1.25F);
  gguf.tensor("rope_factors_long.weight", {2, 4});
  gguf.tensor("rope_factors_short.weight", {1, 1.5F});
  const LayerRope near = only_layer(gguf.file(), {.seq_len = 4096});
  const LayerRope far = only_layer(gguf.file(), {.seq_len = 4097});
  EXPECT_EQ(near.scaled.frequencies.theta[0], 1);
  EXPECT_EQ(far.scaled.frequencies.theta[0], 0.5);
  EXPECT_DOUBLE_EQ(far.scaled.frequencies.theta[1], 0.01 / 4);
  EXPECT_EQ(far.scaled.attention_factor, 1.25);
}

TEST(GgufFile, ThatIsDamagedIsRefusedOrRead) {
  const std::string whole = llama_31(divisors_of_llama_31()).file();
  const std::size_t header = whole.size() - 64 * 4 - 32;
  std::size_t refused = 0;
  const auto try_it = [&](const std::string& bytes) {
    try {
      read(bytes);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_input) << error.what();
      ++refused;
    }
  };
  for (std::size_t i = 4; i < header; ++i)
    for (const int change : {1, 0x80, 0xff}) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ change);
      try_it(changed);
    }
  // Less than the header; the 32 bytes before its end may be no more than padding.
  for (std::size_t size = 4; size + 32 < header; ++size)
    EXPECT_THROW(read(whole.substr(0, size)), Error) << size;
  EXPECT_GT(refused, header / 2);
  EXPECT_THROW(read(llama_31({}).file(1)), Error);
  EXPECT_THROW(read(llama_31({}).file(0x03000000)), Error) << "big-endian";
}

}  // namespace
}  // namespace rope::test
