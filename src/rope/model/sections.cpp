#include "rope/model/sections.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "rope/model/class_defaults.hpp"
#include "rope/rotary/axes.hpp"

namespace rope {
namespace {

/// By the model type, or by the flag.
SectionOrder order_of(const SectionFacts& facts) {
  const auto begins = [&](std::string_view text) {
    return facts.model_type.starts_with(text) || facts.outer_type.starts_with(text) ||
           facts.text_type.starts_with(text);
  };
  if (begins("ernie4_5_vl")) return SectionOrder::time_last;
  if (begins("qwen3_vl") || begins("qwen3_omni") || begins("qwen3_5"))
    return SectionOrder::interleaved;
  return facts.interleaved.value_or(false) ? SectionOrder::interleaved : SectionOrder::contiguous;
}

/// HunYuan-VL deals out dimensions, not pairs: the two of a pair turn by different axes of an
/// image.
std::string note_on_hunyuan(const LayerRope& layer) {
  return std::to_string(layer.sections.size()) +
         " sections assign the dimensions to axes of an image, which is not shown: text has one"
         " " +
         "position for all of them and is rotated as shown";
}

std::string note_on(const LayerRope& layer, SectionOrder order, bool of_class) {
  std::string text;
  for (const std::int64_t section : layer.sections)
    text += (text.empty() ? "" : " + ") + std::to_string(section);
  return "M-RoPE, " + std::string(order == SectionOrder::interleaved ? "interleaved, " : "") +
         "sections of " + text + " pairs for " +
         (order == SectionOrder::time_last ? "height and width (alternating) and time"
                                           : "time, height and width") +
         (of_class ? ", taken from the class because the file gives none" : "") +
         ": a text token has one position for all three and is rotated as shown";
}

}  // namespace

std::string take_sections(LayerRope& layer, const SectionFacts& facts) {
  const bool even = layer.rotary_dim % 2 == 0;
  const auto pairs = static_cast<std::int64_t>(layer.rotary_dim / 2);
  const auto sum = [](const auto& sections) {
    return std::accumulate(sections.begin(), sections.end(), std::int64_t{0});
  };
  const bool of_class = layer.sections.empty();
  if (const auto own = class_sections(facts.text_type);
      of_class && own && even && sum(*own) == pairs)
    layer.sections.assign(own->begin(), own->end());
  if (layer.sections.empty()) return {};
  if (facts.text_type.starts_with("hunyuan") || facts.model_type.starts_with("hunyuan")) {
    std::string note = note_on_hunyuan(layer);
    layer.sections.clear();
    return note;
  }
  const SectionOrder order = order_of(facts);
  std::vector<std::size_t> sections(layer.sections.begin(), layer.sections.end());
  // ERNIE's file lists height, width, time.
  if (order == SectionOrder::time_last && sections.size() == 3)
    std::rotate(sections.begin(), sections.begin() + 2, sections.end());
  if (even && sum(layer.sections) == pairs && sections.size() >= 2 && sections.size() <= kMaxAxes)
    layer.axes = section_axes(sections, layer.rotary_dim / 2, order);
  return note_on(layer, order, of_class);
}

}  // namespace rope
