#include "wavelengths/report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "rope/pictures/embedding_text.hpp"
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

}  // namespace rope::app
