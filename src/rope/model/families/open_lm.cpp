#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "rope/io/quote.hpp"
#include "rope/model/families/family.hpp"
#include "rope/model/rotation_signs.hpp"
#include "rope/rotary/frequencies.hpp"
#include "rope/rotary/layout.hpp"

namespace rope {
namespace {

constexpr const char* kKind = "positional_embedding_type";

bool is_open_lm(const io::Json& config) {
  const bool named = config.contains("model_type") || config.contains("architectures");
  return !named && config.contains("hidden_dim") && config.contains("n_heads") &&
         (config.contains("post_embed_norm") || config.contains(kKind));
}

/// The quotient is cut off, as its code has it.
std::size_t head_of_quotient(const Fields& root) {
  const auto width = root.positive_integer("hidden_dim");
  const auto heads = root.positive_integer("n_heads");
  if (!width || !heads || *width < *heads ||
      *width / *heads > static_cast<std::int64_t>(kMaxRotaryDim))
    root.refuse("hidden_dim", "a width of at least n_heads and at most 65536 times that",
                "hidden_dim / n_heads is the size of a head.");
  if (*width % *heads != 0)
    root.warn(root.path() + "hidden_dim: " + std::to_string(*width) + " is not a multiple of " +
              std::to_string(*heads) +
              ", the number of heads: the model's code truncates the quotient to " +
              std::to_string(*width / *heads));
  return static_cast<std::size_t>(*width / *heads);
}

/// Source    mlfoundations/open_lm 9bb92ef1, open_lm/model.py and open_lm/positional_embedding.
void read_open_lm(const Fields& root, const ReadOptions& /*options*/, ModelRope& model) {
  constexpr double kBase = 10000;
  const std::string kind = root.text(kKind).value_or("rotary");
  const std::string says = root.path() + kKind + " is " + io::in_quotes(kind, 40);
  model.context = root.positive_integer("seq_len");
  if (kind == "none") {
    model = without_rotation(std::move(model), says);
    return;
  }
  if (kind == "head_rotary") {
    model = without_rotation(
        std::move(model),
        says + ", which turns each head by the head's number, regardless of the token's position");
    return;
  }
  if (kind != "rotary" && kind != "llama_rotary")
    root.refuse(kKind, "rotary, llama_rotary, head_rotary or none",
                "The code of open_lm accepts only these.");
  model.layers.push_back(
      unscaled_layer(head_of_quotient(root), kBase,
                     kind == "rotary" ? PairLayout::half : PairLayout::interleaved));
  if (root.find(kKind) == nullptr)
    model.notes.push_back("rotary, open_lm's default, is used because " + std::string(kKind) +
                          " is missing");
}

}  // namespace

constinit const Family open_lm_family = {is_open_lm, read_open_lm};

}  // namespace rope
