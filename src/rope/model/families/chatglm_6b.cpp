#include <array>
#include <nlohmann/json.hpp>

#include "rope/model/families/family.hpp"
#include "rope/model/vision.hpp"
#include "rope/rotary/axial.hpp"

namespace rope {
namespace {

constexpr const char* kInPlane = "position_encoding_2d";

/// ChatGLM-6B and VisualGLM. ChatGLM 2 and later have other code under the same model_type, and
/// neither key.
bool is_chatglm_6b(const io::Json& config) {
  return is_of_type(config, "chatglm") &&
         (config.contains(kInPlane) || config.contains("inner_hidden_size"));
}

/// A token has a place in the prompt, and one in what is written behind it: each half of a head
/// turns by one of them, in the half layout of its own block.
///
/// Source    THUDM/chatglm-6b, modeling_chatglm.py (as in greensheng/chatglm-6b 8b7d335),
///           SelfAttention.
void read_chatglm_6b(const Fields& root, const ReadOptions& /*options*/, ModelRope& model) {
  constexpr double kBase = 10000;
  model.context = root.positive_integer("max_sequence_length");
  const std::size_t head = head_of(root, {"hidden_size", 4096}, {"num_attention_heads", 32});
  model.notes.emplace_back("the code of ChatGLM-6B rounds θ_i to float16, which is not shown");
  if (!root.flag(kInPlane).value_or(true)) {
    model.layers.push_back(unscaled_layer(head, kBase, PairLayout::half));
    return;
  }
  if (head % 4 != 0)
    root.refuse("hidden_size", "heads with a multiple of 4 dimensions",
                "Each of the two positions turns the pairs in half a head.");
  const std::array<std::size_t, 2> dims = {head / 2, head / 2};
  RotaryEmbedding embedding =
      axial_embedding(head, kBase, dims, PairLayout::half, AxisSeries::restarted, true);
  embedding.axes.names = {"prompt", "block"};
  model.layers.push_back(layer_of(embedding));
  model.notes.emplace_back(
      "each token has two positions: for a prompt token, its place in the prompt and block 0; for "
      "a generated token, the place of the mask and a block number counted from 1");
}

}  // namespace

constinit const Family chatglm_6b_family = {is_chatglm_6b, read_chatglm_6b};

}  // namespace rope
