#include <algorithm>
#include <array>
#include <cstddef>

#include "rope/model/known_models.hpp"

namespace rope {
namespace {

/// The text model that the class of a larger one makes, where it is not as the text model's own
/// class has it.
struct Made {
  std::string_view whole;
  double theta;
  std::size_t head_dim;  ///< 0: the quotient of the sizes
  std::int64_t hidden_size;
  std::int64_t num_attention_heads;
  std::int64_t max_position_embeddings;
  bool beside_its_own;  ///< a text_config in the file is completed from this, too
};

// configuration_*.py of transformers 5.16.0.dev0 (decba1d2ea4e).
constexpr std::array<Made, 9> kMade = {{
    {"glmasr", 10000, 0, 2048, 16, 8192, true},
    {"got_ocr2", 1000000, 0, 1024, 16, 32768, false},
    {"idefics2", 10000, 0, 4096, 32, 32768, false},
    {"lighton_ocr", 1000000, 128, 1024, 16, 40960, false},
    {"mistral3", 1000000000, 128, 5120, 32, 131072, false},
    {"pp_chart2table", 1000000, 0, 1024, 16, 32768, false},
    {"qwen3_asr", 10000, 128, 2048, 16, 65536, false},
    {"voxtral", 100000000, 128, 3072, 32, 131072, true},
    {"voxtral_realtime", 1000000, 128, 3072, 32, 131072, true},
}};
static_assert(std::ranges::is_sorted(kMade, {}, &Made::whole));

KnownModel text_model_of(const Made& made) {
  KnownModel model = *find_known_model(text_type(made.whole));
  model.theta = made.theta;
  model.head_dim = made.head_dim;
  model.hidden_size = made.hidden_size;
  model.num_attention_heads = made.num_attention_heads;
  model.max_position_embeddings = made.max_position_embeddings;
  return model;
}

}  // namespace

const KnownModel* find_made_text_model(std::string_view whole, std::string_view own_type,
                                       bool beside_its_own) {
  static const auto models = [] {
    std::array<KnownModel, kMade.size()> all{};
    std::ranges::transform(kMade, all.begin(), text_model_of);
    return all;
  }();
  const auto* const made = std::ranges::lower_bound(kMade, whole, {}, &Made::whole);
  if (made == kMade.end() || made->whole != whole || (beside_its_own && !made->beside_its_own))
    return nullptr;
  const KnownModel& model = models.at(static_cast<std::size_t>(made - kMade.begin()));
  return own_type == whole || own_type == model.model_type ? &model : nullptr;
}

}  // namespace rope
