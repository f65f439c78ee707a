#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "rope/error.hpp"
#include "rope/model/families/family.hpp"
#include "rope/rotary/axes.hpp"

namespace rope {
namespace {

bool is_hunyuan_image_3(const io::Json& config) {
  const auto type = config.find("model_type");
  const bool named = type != config.end() && type->is_string() &&
                     type->get<std::string>().starts_with("hunyuan_image_3");
  return named || (config.contains("rope_type") && config.at("rope_type") == "2d" &&
                   config.contains("rope_theta"));
}

/// One series, whose pairs turn by the row and the column of an image in turn. A token of text has
/// one position for both.
///
/// Source    ByteDance-Seed/VeOmni d9774494, hunyuan_image_3 (rope_2d.py); Tencent's own code,
///           build_2d_rope. rope_scaling of the type custom is read by neither.
void read_hunyuan_image_3(const Fields& root, const ReadOptions& /*options*/, ModelRope& model) {
  constexpr double kBase = 10000;
  model.context = root.positive_integer("max_position_embeddings");
  const auto given = root.first_integer({"attention_head_dim", "head_dim"});
  const std::size_t head = given && *given <= static_cast<std::int64_t>(kMaxRotaryDim)
                               ? static_cast<std::size_t>(*given)
                               : head_of(root, {"hidden_size", 4096}, {"num_attention_heads", 32});
  if (head % 4 != 0)
    root.refuse("attention_head_dim", "a multiple of 4",
                "The row and the column each turn half of the pairs.");
  LayerRope layer =
      unscaled_layer(head, root.number("rope_theta").value_or(kBase), PairLayout::half);
  const std::array<std::size_t, 2> sections = {head / 4, head / 4};
  layer.sections.assign(sections.begin(), sections.end());
  layer.axes = section_axes(sections, head / 2, SectionOrder::interleaved);
  model.layers.push_back(std::move(layer));
  model.notes.emplace_back(
      "height and width turn alternate pairs; a text token has the same position on both axes and "
      "is rotated as shown");
  if (const auto rule = root.inner("rope_scaling"))
    if (const auto factor = rule->number("factor"); factor && *factor != 1)
      root.warn(root.path() + "rope_scaling.factor: " + shown(*factor) +
                " is ignored: the code of HunyuanImage 3 does not read rope_scaling");
}

}  // namespace

constinit const Family hunyuan_image_3_family = {is_hunyuan_image_3, read_hunyuan_image_3, true,
                                                 true};

}  // namespace rope
