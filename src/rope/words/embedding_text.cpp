#include "rope/words/embedding_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "rope/language/said.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

/// Where the frequencies come from.
std::string origin(const RotaryVariant& variant, Language language) {
  const RotaryEmbedding& embedding = variant.embedding;
  if (variant.spacing == Spacing::linear) return std::string(translated("linear family", language));
  if (variant.spacing == Spacing::quadratic)
    return std::string(translated("quadratic family", language));
  if (embedding.base) return said(language, "base {}", *embedding.base);
  constexpr std::size_t kMostPrinted = 4;
  if (embedding.pairs() > kMostPrinted)
    return said(language, "{} given frequencies", embedding.pairs());
  return said(language, "frequencies {}", fmt::join(embedding.frequencies.theta, ", "));
}

/// What describes an embedding, each in its place; empty where there is nothing to say.
using Parts = std::array<std::string, 6>;
Parts parts(const RotaryVariant& variant, Language language) {
  const RotaryEmbedding& embedding = variant.embedding;
  const bool partial = embedding.rotary_dim() != embedding.head_dim;
  return {fmt::format("head_dim {}", embedding.head_dim),
          partial ? fmt::format("rotary_dim {}", embedding.rotary_dim()) : std::string(),
          origin(variant, language),
          said(language, "layout {}", translated(name(embedding.layout), language)),
          describe_scaling(embedding, language),
          describe_axes(embedding.axes, language)};
}

/// "gemma-3-27b · full_attention" of "gemma-3-27b · full attention": the kind as a config names it,
/// where no English words stand around it.
std::string with_key_of_layers(std::string model) {
  const std::size_t kind = model.find(" · ");
  if (kind != std::string::npos)
    std::replace(model.begin() + static_cast<std::ptrdiff_t>(kind) + 4, model.end(), ' ', '_');
  return model;
}

}  // namespace

std::string describe_scaling(const RotaryEmbedding& embedding, Language language) {
  if (embedding.scaling.rule == "default") return {};
  std::vector<std::string> parts;
  for (const auto& [key, value] : embedding.scaling.numbers)
    parts.push_back(fmt::format("{} {}", key, value));
  for (const auto& [key, values] : embedding.scaling.lists)
    parts.push_back(said(language, "{} {} numbers", key, values.size()));
  if (embedding.max_positions)
    parts.push_back(fmt::format("max_positions {}", *embedding.max_positions));
  if (embedding.seq_len) parts.push_back(fmt::format("seq_len {}", *embedding.seq_len));
  const bool divided = has_one_list(embedding.scaling);
  std::string text = divided ? said(language, "scaling divisors ({}, one per pair)",
                                    embedding.scaling.lists.begin()->second.size())
                             : said(language, "scaling {}", embedding.scaling.rule);
  if (!parts.empty() && !divided) text += said(language, " ({})", fmt::join(parts, ", "));
  if (embedding.attention_factor != 1)
    text += said(language, ", attention factor {:.6g}", embedding.attention_factor);
  return text;
}

std::string describe(const RotaryVariant& variant, Language language) {
  return describe(std::span(&variant, 1), language);
}

std::string describe(const RotaryEmbedding& embedding) {
  return describe(RotaryVariant{{}, embedding, Spacing::geometric});
}

std::string describe(std::span<const RotaryVariant> variants, Language language) {
  const Parts first = parts(variants.front(), language);
  const std::string& model = variants.front().model;
  const bool one_model =
      !model.empty() && std::ranges::all_of(variants, [&](const RotaryVariant& variant) {
        return variant.model == model;
      });
  std::string text;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const bool shared = std::ranges::all_of(variants, [&](const RotaryVariant& variant) {
      return parts(variant, language).at(i) == first.at(i);
    });
    if (!shared || first.at(i).empty()) continue;
    text.append(text.empty() ? "" : word({", ", "，"}, language)).append(first.at(i));
  }
  if (!one_model) return text;
  const std::string named = language == Language::en ? model : with_key_of_layers(model);
  return text.empty() ? named : said(language, "{}: {}", named, text);
}

std::string describe_axes(const Axes& axes, Language language) {
  if (!axes.several()) return {};
  const bool in_rows = std::ranges::is_sorted(axes.of_pair);
  std::vector<std::size_t> sizes;
  for (std::size_t axis = 0; axis < axes.count(); ++axis)
    sizes.push_back(axes.pairs_of(axis) * (axes.own_series ? 2 : 1));
  std::vector<std::string> names;
  names.reserve(axes.names.size());
  for (const std::string& name : axes.names) names.emplace_back(translated(name, language));
  const std::string all = fmt::format("{}", fmt::join(names, word({", ", "、"}, language)));
  const std::string counts = fmt::format("{}", fmt::join(sizes, " + "));
  if (axes.own_series) return said(language, "axes of {} dimensions ({})", counts, all);
  if (in_rows) return said(language, "sections of {} pairs ({})", counts, all);
  return said(language, "interleaved sections of {} pairs ({})", counts, all);
}

}  // namespace rope
