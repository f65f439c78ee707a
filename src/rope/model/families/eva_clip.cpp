#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "rope/model/families/family.hpp"
#include "rope/model/rotation_signs.hpp"
#include "rope/model/vision.hpp"
#include "rope/rotary/axial.hpp"

namespace rope {
namespace {

bool is_eva_clip(const io::Json& config) {
  const auto vision = config.find("vision_cfg");
  return vision != config.end() && vision->is_object() && vision->contains("eva_model_name");
}

/// The rows and columns of patches, laid on the places of those that the model was pretrained with.
///
/// Source    baaivision/EVA 5623d08, EVA-CLIP/rei/eva_clip: model.py (CLIPVisionCfg), rope.py,
///           eva_vit_model.py.
void read_eva_clip(const Fields& root, const ReadOptions& /*options*/, ModelRope& model) {
  const Fields vision = *root.inner("vision_cfg");
  if (!vision.flag("rope").value_or(false)) {
    model = without_rotation(std::move(model), vision.path() + "rope is not true");
    return;
  }
  constexpr double kBase = 10000;
  const std::int64_t width = vision.positive_integer("width").value_or(768);
  const std::int64_t heads = width / vision.positive_integer("head_width").value_or(64);
  if (heads < 1)
    vision.refuse("head_width", "at most width", "width / head_width is the number of heads.");
  const auto head = static_cast<std::size_t>(width / heads);
  const std::array<std::int64_t, 2> image = {
      vision.positive_integer("image_size").value_or(224),
      vision.positive_integer("patch_size").value_or(16),
  };
  const std::int64_t patches = image[0] / image[1];
  const std::int64_t places = vision.positive_integer("pt_hw_seq_len").value_or(16);
  if (patches < 1)
    vision.refuse("patch_size", "at most image_size", "The image is cut into patches.");
  const bool spread = vision.flag("intp_freq").value_or(false);
  const double unit = spread ? static_cast<double>(places) / static_cast<double>(patches) : 1;
  const std::array<ExtendedAxis, 2> axes = {ExtendedAxis{head / 2, 1, unit},
                                            ExtendedAxis{head / 2, 1, unit}};
  model.layers.push_back(layer_of(axial_embedding(head, kBase, axes, PairLayout::interleaved)));
  if (patches != places && spread)
    model.notes.push_back("intp_freq: " + std::to_string(patches) + " patches are spread over " +
                          std::to_string(places) + " places, so θ_i is " + std::to_string(places) +
                          "/" + std::to_string(patches) + " of its usual value");
  model.notes.emplace_back(
      "this is the vision part; the text part and the class token are not rotated");
}

}  // namespace

constinit const Family eva_clip_family = {is_eva_clip, read_eva_clip};

}  // namespace rope
