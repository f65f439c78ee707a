#include "rope/model/typed_root.hpp"

#include <algorithm>
#include <array>

namespace rope {

TypedRoot::TypedRoot(const Fields& root, const std::string& model_type, const KnownModel* known)
    : root_(root),
      model_type_(model_type),
      known_(known),
      class_(known != nullptr && known->hidden_size > 0 ? known : nullptr) {}

std::string_view TypedRoot::own_base_key() const {
  if (is("gpt_neox") || is("gpt_neox_japanese")) return "rotary_emb_base";
  if (is("modernbert") || is("modernbert-decoder")) return "global_rope_theta";
  if (is("chatglm")) return "rope_ratio";
  if (is("wav2vec2-bert") || is("wav2vec2-conformer")) return "rotary_embedding_base";
  return {};
}

bool TypedRoot::is_foreign(std::string_view name) const {
  constexpr std::array<std::string_view, 5> kKeys = {"rope_base", "rope_freq_constant", "rope_pct",
                                                     "rotary_base", "rotary_embedding_base"};
  return class_ != nullptr && name != own_base_key() && std::ranges::binary_search(kKeys, name);
}

}  // namespace rope
