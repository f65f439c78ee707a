#include "rope/words/embedding_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

/// Where the frequencies come from.
std::string origin(const RotaryVariant& variant) {
  const RotaryEmbedding& embedding = variant.embedding;
  if (variant.family == Family::linear) return "linear family";
  if (variant.family == Family::quadratic) return "quadratic family";
  if (embedding.base) return fmt::format("base {}", *embedding.base);
  constexpr std::size_t kMostPrinted = 4;
  if (embedding.pairs() > kMostPrinted)
    return fmt::format("{} given frequencies", embedding.pairs());
  return fmt::format("frequencies {}", fmt::join(embedding.frequencies.theta, ", "));
}

/// What describes an embedding, each in its place; empty where there is nothing to say.
using Parts = std::array<std::string, 6>;
Parts parts(const RotaryVariant& variant) {
  const RotaryEmbedding& embedding = variant.embedding;
  const bool partial = embedding.rotary_dim() != embedding.head_dim;
  return {fmt::format("head_dim {}", embedding.head_dim),
          partial ? fmt::format("rotary_dim {}", embedding.rotary_dim()) : std::string(),
          origin(variant),
          fmt::format("layout {}", name(embedding.layout)),
          describe_scaling(embedding),
          describe_axes(embedding.axes)};
}

}  // namespace

std::string describe_scaling(const RotaryEmbedding& embedding) {
  if (embedding.scaling.rule == "default") return {};
  std::vector<std::string> parts;
  for (const auto& [key, value] : embedding.scaling.numbers)
    parts.push_back(fmt::format("{} {}", key, value));
  for (const auto& [key, values] : embedding.scaling.lists)
    parts.push_back(fmt::format("{} {} numbers", key, values.size()));
  if (embedding.max_positions)
    parts.push_back(fmt::format("max_positions {}", *embedding.max_positions));
  if (embedding.seq_len) parts.push_back(fmt::format("seq_len {}", *embedding.seq_len));
  const bool divided = has_one_list(embedding.scaling);
  std::string text =
      "scaling " + (divided ? brief_scaling_text(embedding.scaling) : embedding.scaling.rule);
  if (!parts.empty() && !divided) text += fmt::format(" ({})", fmt::join(parts, ", "));
  if (embedding.attention_factor != 1)
    text += fmt::format(", attention factor {:.6g}", embedding.attention_factor);
  return text;
}

std::string describe(const RotaryVariant& variant) { return describe(std::span(&variant, 1)); }

std::string describe(const RotaryEmbedding& embedding) {
  return describe(RotaryVariant{{}, embedding, Family::geometric});
}

std::string describe(std::span<const RotaryVariant> variants) {
  const Parts first = parts(variants.front());
  const std::string& model = variants.front().model;
  const bool one_model =
      !model.empty() && std::ranges::all_of(variants, [&](const RotaryVariant& variant) {
        return variant.model == model;
      });
  std::string text;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const bool shared = std::ranges::all_of(variants, [&](const RotaryVariant& variant) {
      return parts(variant).at(i) == first.at(i);
    });
    if (!shared || first.at(i).empty()) continue;
    text += (text.empty() ? "" : ", ") + first.at(i);
  }
  if (one_model) text = text.empty() ? model : fmt::format("{}: {}", model, text);
  return text;
}

std::string describe_axes(const Axes& axes) {
  if (!axes.several()) return {};
  const bool in_rows = std::ranges::is_sorted(axes.of_pair);
  std::vector<std::size_t> sizes;
  for (std::size_t axis = 0; axis < axes.count(); ++axis)
    sizes.push_back(axes.pairs_of(axis) * (axes.own_series ? 2 : 1));
  return fmt::format("{} of {} {} ({})",
                     axes.own_series ? "axes"
                     : in_rows       ? "sections"
                                     : "interleaved sections",
                     fmt::join(sizes, " + "), axes.own_series ? "dimensions" : "pairs",
                     fmt::join(axes.names, ", "));
}

}  // namespace rope
