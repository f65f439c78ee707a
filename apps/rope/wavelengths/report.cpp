#include "wavelengths/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "named/rotary_text.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/json.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "shown/rotary_json.hpp"
#include "shown/table.hpp"

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

std::string table(const Frequencies& frequencies, const Context& context) {
  std::vector<Table::Column> columns = {{"pair"}, {"θ_k (rad/token)"}, {"λ_k (tokens)"}};
  std::vector<double> turns;
  if (context) {
    columns.push_back({"turns"});
    turns = turns_within(frequencies, *context);
  }
  Table table(columns);
  const ShownRows shown = shown_rows(frequencies.pairs(), 16);
  for (std::size_t i = 0; i < shown.rows.size(); ++i) {
    if (i == shown.gap_after) table.add_row(std::vector<std::string>(columns.size(), "…"));
    const std::size_t k = shown.rows[i];
    std::vector<std::string> row = {std::to_string(k), six_digits(frequencies.theta[k]),
                                    six_digits(frequencies.wavelength[k])};
    if (context) row.push_back(six_digits(turns[k]));
    table.add_row(row);
  }
  std::string text = table.text();
  if (shown.left_out > 0)
    text += fmt::format("{} pairs are left out: -o - --format csv prints all\n", shown.left_out);
  return text;
}

}  // namespace

std::string wavelengths_report(const Variants& variants, const Context& context,
                               const Console& console) {
  std::string text;
  for (const RotaryVariant& variant : variants) {
    if (!text.empty()) text += "\n";
    text += console.paint(Ink::strong, describe(variant)) + "\n";
    text += table(variant.embedding.frequencies, context);
    if (context) text += incomplete_text(variant.embedding.frequencies, *context);
  }
  return text;
}

std::string wavelengths_csv(const Variants& variants, const Context& context) {
  std::size_t rows = 0;
  for (const RotaryVariant& variant : variants) rows = std::max(rows, variant.embedding.pairs());
  std::vector<std::int64_t> pairs;
  for (std::size_t k = 0; k < rows; ++k) pairs.push_back(static_cast<std::int64_t>(k));
  std::vector<io::CsvColumn> columns = {{"pair", std::move(pairs)}};
  const auto add = [&](const RotaryVariant& variant, const char* name, std::vector<double> cells) {
    // A variant with fewer pairs than the others leaves cells empty.
    cells.resize(rows, std::numeric_limits<double>::quiet_NaN());
    columns.push_back(
        {variants.size() > 1 ? fmt::format("{}[{}]", name, variant.label) : std::string(name),
         std::move(cells)});
  };
  for (const RotaryVariant& variant : variants) {
    const Frequencies& frequencies = variant.embedding.frequencies;
    add(variant, "theta", frequencies.theta);
    add(variant, "wavelength", frequencies.wavelength);
    add(variant, "turns", context ? turns_within(frequencies, *context) : std::vector<double>());
  }
  return io::to_csv(columns);
}

namespace {

/// The fields that describe one embedding.
void add_embedding(io::Json& object, const RotaryEmbedding& embedding, const Context& context) {
  object["rotary"] = rotary_json(embedding);
  object["attention_factor"] = embedding.attention_factor;
  const Frequencies& frequencies = embedding.frequencies;
  std::vector<double> turns;
  if (context) turns = turns_within(frequencies, *context);
  io::Json pairs = io::Json::array();
  for (std::size_t k = 0; k < embedding.pairs(); ++k) {
    io::Json pair;
    pair["pair"] = k;
    pair["theta"] = frequencies.theta[k];
    pair["wavelength"] = frequencies.wavelength[k];
    pair["turns"] = context ? io::Json(turns[k]) : nullptr;
    pairs.push_back(std::move(pair));
  }
  object["pairs"] = std::move(pairs);
}

}  // namespace

std::string wavelengths_json(const Variants& variants, const Context& context) {
  io::Json document;
  document["schema"] = "rope.wavelengths/1";
  document["context"] = context ? io::Json(*context) : nullptr;
  add_embedding(document, variants.front().embedding, context);
  // Several: all of them stand here, the first again.
  if (variants.size() > 1) {
    for (const RotaryVariant& variant : variants) {
      io::Json embedding;
      embedding["label"] = variant.label;
      add_embedding(embedding, variant.embedding, context);
      document["embeddings"].push_back(std::move(embedding));
    }
  }
  return io::to_json_text(document);
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
