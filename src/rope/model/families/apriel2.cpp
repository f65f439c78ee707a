#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/families/family.hpp"
#include "rope/model/rotation_signs.hpp"

namespace rope {
namespace {

bool is_apriel2(const io::Json& config) {
  return is_of_type(config, "apriel2") || is_of_type(config, "apriel2_text");
}

/// Kinds of mixers without positions.
constexpr std::array<std::string_view, 3> kMixersWithout = {"gdn", "kda", "mamba"};

class Apriel2Reader {
 public:
  Apriel2Reader(const Fields& root, ModelRope& model) : root_(root), model_(model) {}

  void read() {
    if (const auto embeddings = root_.inner("embeddings"))
      model_.context = embeddings->positive_integer("max_position_embeddings");
    const Fields decoder = object(root_, "decoder");
    if (decoder.text("type").value_or("fixed") == "fixed") {
      read_block(object(decoder, "block"), "");
    } else {
      const Fields blocks = object(decoder, "blocks");
      for (const std::string& name : pattern(decoder)) read_block(object(blocks, name), name);
    }
    if (root_.find("vision_encoder") != nullptr)
      model_.notes.emplace_back("read from decoder; vision_encoder is not shown");
    if (!others_.empty()) model_.notes.push_back("mixers that rotate nothing: " + others_);
    if (model_.layers.empty())
      model_ = without_rotation(std::move(model_), "no mixer of decoder is an attention mixer");
  }

 private:
  static Fields object(const Fields& fields, const std::string& key) {
    if (const auto inner = fields.inner(key)) return *inner;
    fields.refuse(key, "an object",
                  "The model's own code needs this object, which describes parts of the model.");
  }

  /// The names of blocks in turn, each once.
  static std::vector<std::string> pattern(const Fields& decoder) {
    std::vector<std::string> names;
    const io::Json* const list = decoder.find("pattern");
    if (list != nullptr && list->is_array())
      for (const io::Json& name : *list)
        if (name.is_string() && std::ranges::find(names, name.get<std::string>()) == names.end())
          names.push_back(name.get<std::string>());
    if (names.empty())
      decoder.refuse("pattern", "the names of blocks in order", R"(For example ["attn", "gdn"].)");
    return names;
  }

  void read_block(const Fields& block, const std::string& name) {
    const Fields mixer = object(block, "mixer");
    if (mixer.text("type").value_or("") != "stochastic") return read_mixer(mixer, name);
    const Fields mixers = object(mixer, "mixers");
    for (const auto& [key, value] : mixers.object().items())
      read_mixer(object(mixers, key), within(name, key));
    if (const auto main = mixer.text("main_mixer_name"))
      model_.notes.push_back("of the mixers in " + (name.empty() ? "a block" : name) + ", " +
                             io::in_quotes(*main, 40) + " is the one used outside training");
  }

  static std::string within(std::string block, std::string_view mixer) {
    if (!block.empty()) block += '.';
    return block += mixer;
  }

  void read_mixer(const Fields& mixer, const std::string& name) {
    const std::string type = mixer.text("type").value_or("");
    if (std::ranges::find(kMixersWithout, type) != kMixersWithout.end()) {
      others_ += (others_.empty() ? "" : ", ") + (name.empty() ? type : name);
      return;
    }
    if (type != "attention")
      mixer.refuse("type", "attention, gdn, kda, mamba or stochastic",
                   "The code of Apriel 2 accepts only these.");
    const auto rotary = mixer.inner("rotary");
    const bool known = rotary && rotary->text("type").value_or("") == "mistral_1d";
    const auto base = known ? rotary->number("theta") : std::nullopt;
    const auto head = mixer.positive_integer("head_size");
    if (!base)
      mixer.refuse("rotary", "the type mistral_1d and its theta, which the code of Apriel 2 needs",
                   R"(For example {"type": "mistral_1d", "theta": 10000.0}.)");
    if (!head) mixer.refuse("head_size", "the size of a head", "The code of Apriel 2 needs it.");
    LayerRope layer =
        unscaled_layer(static_cast<std::size_t>(*head), *base, PairLayout::half, name);
    layer.window = mixer.positive_integer("window_size");
    model_.layers.push_back(std::move(layer));
  }

  const Fields& root_;
  ModelRope& model_;
  std::string others_;
};

/// Source    ServiceNow/Fast-LLM 7d61a1b, fast_llm_external_models/apriel2: Apriel2Attention.setup
///           and get_block_config.
void read_apriel2(const Fields& root, const ReadOptions& /*options*/, ModelRope& model) {
  Apriel2Reader(root, model).read();
}

}  // namespace

constinit const Family apriel2_family = {is_apriel2, read_apriel2};

}  // namespace rope
