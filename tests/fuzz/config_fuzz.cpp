// The model reader takes or refuses any text, and what it takes is an embedding or says why not.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "rope/error.hpp"
#include "rope/model/read_model.hpp"

namespace {

void check_layers(const rope::ModelRope& model) {
  if (model.layers.empty()) std::abort();
  for (const rope::LayerRope& layer : model.layers) {
    if (!layer.rotates()) continue;
    try {
      const rope::RotaryEmbedding embedding = rope::embedding_of(layer);
      if (embedding.rotary_dim() > embedding.head_dim || embedding.pairs() == 0) std::abort();
      for (const double theta : embedding.frequencies.theta)
        if (!std::isfinite(theta)) std::abort();
      if (!std::isfinite(embedding.attention_factor)) std::abort();
    } catch (const rope::Error&) {
      // An odd rotated size, for example.
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  for (const bool with_length : {false, true}) {
    try {
      rope::ReadOptions options;
      if (with_length) {
        options.seq_len = 100000;
        // As another engine reads it: which one, the length of the input says.
        options.engine = static_cast<rope::Engine>(size % rope::kEngineNames.size());
      }
      check_layers(rope::read_model(text, "config.json", options));
    } catch (const rope::Error& error) {
      if (std::string(error.what()).find('\n') != std::string::npos) std::abort();  // one line
    }
  }
  return 0;
}
