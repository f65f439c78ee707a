#include "wavelengths/report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "named/rotary_text.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "shown/pair_columns.hpp"
#include "shown/rotary_json.hpp"

namespace rope::app {
namespace {

using Variants = std::vector<RotaryVariant>;
using Context = std::optional<std::int64_t>;

std::string incomplete_text(const Frequencies& frequencies, std::int64_t context) {
  const std::vector<std::size_t> incomplete = incomplete_pairs(frequencies, context);
  if (incomplete.empty())
    return fmt::format("every pair completes a turn within {} tokens\n", context);
  return fmt::format("{} of {} pairs never complete a turn within {} tokens (k = {})\n",
                     incomplete.size(), frequencies.pairs(), context, ranges_text(incomplete));
}

Columns columns_of(const RotaryVariant& variant, const Context& context) {
  const Frequencies& frequencies = variant.embedding.frequencies;
  return pair_columns(frequencies,
                      context ? turns_within(frequencies, *context) : std::vector<double>());
}

/// The fields that describe one embedding.
io::JsonValue embedding_json(const RotaryVariant& variant, const Context& context) {
  return {{"rotary", rotary_json(variant.embedding)},
          {"attention_factor", variant.embedding.attention_factor},
          {"pairs", json_rows(columns_of(variant, context))}};
}

}  // namespace

std::string wavelengths_report(const Variants& variants, const Context& context,
                               const Console& console) {
  std::string text;
  for (const RotaryVariant& variant : variants) {
    if (!text.empty()) text += "\n";
    text += console.paint(Ink::strong, describe(variant)) + "\n";
    text += pair_table(columns_of(variant, context));
    if (context) text += incomplete_text(variant.embedding.frequencies, *context);
  }
  return text;
}

std::string wavelengths_csv(const Variants& variants, const Context& context) {
  std::size_t pairs = 0;
  std::vector<ColumnsOfOne> all;
  for (const RotaryVariant& variant : variants) {
    pairs = std::max(pairs, variant.embedding.pairs());
    all.push_back({variants.size() > 1 ? fmt::format("[{}]", variant.label) : "",
                   columns_of(variant, context)});
  }
  return csv_text(file_column("pair", indices(pairs)), all);
}

std::string wavelengths_json(const Variants& variants, const Context& context) {
  io::JsonValue document = {{"schema", "rope.wavelengths/2"}, {"context", context}};
  document.add(embedding_json(variants.front(), context));
  // Several: all of them stand here, the first again.
  if (variants.size() > 1)
    document.add("embeddings", io::json_list(variants, [&](const RotaryVariant& variant) {
                   io::JsonValue embedding = {{"label", variant.label}};
                   embedding.add(embedding_json(variant, context));
                   return embedding;
                 }));
  return document.document();
}

namespace {

/// What a logarithmic axis of wavelengths cannot show: a pair that does not turn has none.
std::string still_pairs(const Variants& variants) {
  std::size_t all = 0;
  std::string text;
  for (const RotaryVariant& variant : variants) {
    std::vector<std::size_t> still;
    const std::vector<double>& wavelength = variant.embedding.frequencies.wavelength;
    for (std::size_t k = 0; k < wavelength.size(); ++k)
      if (!std::isfinite(wavelength[k])) still.push_back(k);
    all += still.size();
    if (!still.empty()) text += (text.empty() ? "" : "; ") + ranges_text(still);
  }
  if (all == 0) return {};
  return fmt::format(
      "without {} (k = {}), λ = ∞",
      all == 1 ? "the pair that never turns" : fmt::format("the {} pairs that never turn", all),
      text);
}

}  // namespace

plot::Figure wavelengths_figure(const Variants& variants, const Context& context) {
  plot::Panel panel;
  panel.x.label = plot::Text::markup("pair k");
  panel.x.whole = true;
  panel.y.label = plot::Text::markup("wavelength λ_k (tokens)");
  panel.y.scale = plot::Scale::log10;
  for (const RotaryVariant& variant : variants) {
    const Frequencies& frequencies = variant.embedding.frequencies;
    plot::Series series;
    series.label = variants.size() > 1 ? plot::Text::plain(variant.label) : plot::Text();
    series.kind = plot::SeriesKind::line_points;
    for (std::size_t k = 0; k < frequencies.pairs(); ++k)
      series.x.push_back(static_cast<double>(k));
    series.y = frequencies.wavelength;
    panel.series.push_back(std::move(series));
  }
  if (context) {
    const auto tokens = static_cast<double>(*context);
    panel.lines.push_back({plot::Direction::horizontal, tokens,
                           plot::Text::plain(fmt::format("context {}", *context))});
    panel.regions.push_back({plot::Direction::horizontal, tokens,
                             std::numeric_limits<double>::infinity(),
                             plot::Text::plain("never completes a turn")});
  }
  plot::Figure figure;
  figure.title = plot::Text::plain("Wavelengths of a rotary position embedding");
  std::string subtitle = describe(variants);
  const std::string still = still_pairs(variants);
  if (!still.empty()) subtitle += (subtitle.empty() ? "" : "; ") + still;
  figure.subtitle = plot::Text::plain(subtitle);
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace rope::app
