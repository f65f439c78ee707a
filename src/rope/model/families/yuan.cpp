#include <nlohmann/json.hpp>

#include "rope/error.hpp"
#include "rope/model/families/family.hpp"

namespace rope {
namespace {

bool is_yuan(const io::Json& config) { return is_of_type(config, "yuan"); }

/// Yuan 2. Heads of Yuan 2 M32 are wider than those that its rotation is made for.
///
/// Source    IEITYuan's yuan_hf_model.py, as in intel/intel-extension-for-pytorch 6d3ba89cf9
///           (tests/cpu/hf_configs/yuan) and intel/ipex-llm's examples; that of M32 has
///           attention_projection_size.
void read_yuan(const Fields& root, const ReadOptions& /*options*/, ModelRope& model) {
  constexpr double kBase = 10000;
  if (root.flag("use_yarn").value_or(false))
    root.refuse(
        "use_yarn", "false",
        "Yuan's code for vLLM then uses its own form of YaRN, which rope does not support.");
  model.context = root.positive_integer("max_position_embeddings");
  const Size heads = {"num_attention_heads", 32};
  const std::size_t rotated = head_of(root, {"hidden_size", 2048}, heads);
  const std::size_t head = root.find("attention_projection_size") == nullptr
                               ? rotated
                               : head_of(root, {"attention_projection_size", 0}, heads);
  if (rotated > head)
    root.refuse("attention_projection_size", "at least hidden_size",
                "At most a whole head can be rotated.");
  model.layers.push_back(unscaled_layer(head, kBase, PairLayout::half, "", rotated));
}

}  // namespace

constinit const Family yuan_family = {is_yuan, read_yuan};

}  // namespace rope
