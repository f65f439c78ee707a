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
#include "shown/text.hpp"

namespace rope::app {
namespace {

using Variants = std::vector<RotaryVariant>;

/// "pair 0 completes a turn every 6.28319 tokens"
std::string turn_text(const std::vector<double>& wavelength, std::size_t pair) {
  return std::isfinite(wavelength[pair]) ? fmt::format("pair {} completes a turn every {} tokens",
                                                       pair, six_digits(wavelength[pair]))
                                         : fmt::format("pair {} does not turn", pair);
}

/// The turns of each pair within the reach; empty without one.
std::vector<double> turns_of(const RotaryVariant& variant) {
  return variant.reach ? turns_within(variant.embedding.frequencies, *variant.reach)
                       : std::vector<double>();
}

/// The pairs at which something else begins.
std::vector<std::size_t> marks_of(const RotaryVariant& variant) {
  return pair_marks(variant.embedding.bands,
                    variant.reach ? incomplete_pairs(variant.embedding.frequencies, *variant.reach)
                                  : std::vector<std::size_t>());
}

/// What the wavelengths tell, in a sentence.
std::string turns_text(const RotaryVariant& variant) {
  const Frequencies& frequencies = variant.embedding.frequencies;
  const std::vector<double>& wavelength = frequencies.wavelength;
  const std::size_t pairs = frequencies.pairs();
  if (variant.reach) {
    const std::vector<std::size_t> incomplete = incomplete_pairs(frequencies, *variant.reach);
    if (incomplete.empty())
      return fmt::format("every pair completes a turn within {} tokens.", *variant.reach);
    return fmt::format("{} of {} never {} a turn within {} tokens: {} {}.", incomplete.size(),
                       counted(pairs, "pair"), incomplete.size() == 1 ? "completes" : "complete",
                       *variant.reach, incomplete.size() == 1 ? "pair" : "pairs",
                       ranges_text(incomplete));
  }
  if (pairs == 1) return turn_text(wavelength, 0) + ".";
  return fmt::format("{}, {}.", turn_text(wavelength, 0), turn_text(wavelength, pairs - 1));
}

/// The sentence for one of several embeddings, which begins with what tells it from the rest.
std::string answer(const RotaryVariant& variant, bool several) {
  const std::string text = turns_text(variant);
  return several ? variant.label + ": " + text : sentence(text);
}

Columns columns_of(const RotaryVariant& variant) {
  Columns columns = pair_columns(variant.embedding.frequencies, turns_of(variant));
  if (const Axes& axes = variant.embedding.axes; axes.several()) {
    std::vector<std::string> names;
    for (const std::uint8_t axis : axes.of_pair) names.push_back(axes.names[axis]);
    columns.push_back(column("axis", "axis", std::move(names)));
  }
  return columns;
}

/// The fields that describe one embedding.
io::JsonValue embedding_json(const RotaryVariant& variant) {
  return {{"rotary", rotary_json(variant.embedding)},
          {"attention_factor", variant.embedding.attention_factor},
          {"pairs", json_rows(columns_of(variant))}};
}

}  // namespace

void print_wavelengths(const Variants& variants, bool kinds, bool details, const Console& console) {
  if (kinds && !details) {
    std::vector<PairsOfKind> all;
    for (const RotaryVariant& variant : variants) {
      console.say(console.paint(Ink::strong, answer(variant, true)));
      console.say(describe(variant));
      all.push_back({variant.label.substr(variant.label.rfind(' ') + 1),
                     &variant.embedding.frequencies, variant.reach, turns_of(variant),
                     marks_of(variant)});
    }
    print_kinds(all, console);
    return;
  }
  for (const RotaryVariant& variant : variants) {
    if (&variant != &variants.front()) console.print("\n");
    console.say(console.paint(Ink::strong, answer(variant, variants.size() > 1)));
    console.say(describe(variant));
    print_pairs(columns_of(variant), marks_of(variant), details, console);
  }
}

std::string wavelengths_csv(const Variants& variants) {
  std::size_t pairs = 0;
  std::vector<ColumnsOfOne> all;
  for (const RotaryVariant& variant : variants) {
    pairs = std::max(pairs, variant.embedding.pairs());
    all.push_back(
        {variants.size() > 1 ? fmt::format("[{}]", variant.label) : "", columns_of(variant)});
  }
  return csv_text(file_column("pair", indices(pairs)), all);
}

std::string wavelengths_json(const Variants& variants) {
  io::JsonValue document = {{"schema", "rope.wavelengths/2"}, {"context", common_reach(variants)}};
  document.add(embedding_json(variants.front()));
  // Several: all of them stand here, the first again.
  if (variants.size() > 1)
    document.add("embeddings", io::json_list(variants, [&](const RotaryVariant& variant) {
                   io::JsonValue embedding = {{"label", variant.label}, {"context", variant.reach}};
                   embedding.add(embedding_json(variant));
                   return embedding;
                 }));
  return document.document();
}

}  // namespace rope::app
