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
using Context = std::optional<std::int64_t>;

/// "pair 0 completes a turn every 6.28319 tokens"
std::string turn_text(const std::vector<double>& wavelength, std::size_t pair) {
  return std::isfinite(wavelength[pair]) ? fmt::format("pair {} completes a turn every {} tokens",
                                                       pair, six_digits(wavelength[pair]))
                                         : fmt::format("pair {} does not turn", pair);
}

/// What the wavelengths tell, in a sentence.
std::string turns_text(const Frequencies& frequencies, const Context& context) {
  const std::vector<double>& wavelength = frequencies.wavelength;
  const std::size_t pairs = frequencies.pairs();
  if (context) {
    const std::vector<std::size_t> incomplete = incomplete_pairs(frequencies, *context);
    if (incomplete.empty())
      return fmt::format("every pair completes a turn within {} tokens.", *context);
    return fmt::format("{} of {} never {} a turn within {} tokens: {} {}.", incomplete.size(),
                       counted(pairs, "pair"), incomplete.size() == 1 ? "completes" : "complete",
                       *context, incomplete.size() == 1 ? "pair" : "pairs",
                       ranges_text(incomplete));
  }
  if (pairs == 1) return turn_text(wavelength, 0) + ".";
  return fmt::format("{}, {}.", turn_text(wavelength, 0), turn_text(wavelength, pairs - 1));
}

/// The sentence for one of several embeddings, which begins with what tells it from the rest.
std::string answer(const RotaryVariant& variant, const Context& context, bool several) {
  const std::string text = turns_text(variant.embedding.frequencies, context);
  return several ? variant.label + ": " + text : sentence(text);
}

Columns columns_of(const RotaryVariant& variant, const Context& context) {
  const Frequencies& frequencies = variant.embedding.frequencies;
  Columns columns = pair_columns(
      frequencies, context ? turns_within(frequencies, *context) : std::vector<double>());
  if (const Axes& axes = variant.embedding.axes; axes.several()) {
    std::vector<std::string> names;
    for (const std::uint8_t axis : axes.of_pair) names.push_back(axes.names[axis]);
    columns.push_back(column("axis", "axis", std::move(names)));
  }
  return columns;
}

/// The fields that describe one embedding.
io::JsonValue embedding_json(const RotaryVariant& variant, const Context& context) {
  return {{"rotary", rotary_json(variant.embedding)},
          {"attention_factor", variant.embedding.attention_factor},
          {"pairs", json_rows(columns_of(variant, context))}};
}

}  // namespace

void print_wavelengths(const Variants& variants, const Context& context, bool kinds, bool details,
                       const Console& console) {
  if (kinds && !details) {
    std::vector<PairsOfKind> all;
    for (const RotaryVariant& variant : variants) {
      console.say(console.paint(Ink::strong, answer(variant, context, true)));
      console.say(describe(variant));
      const Frequencies& frequencies = variant.embedding.frequencies;
      all.push_back(
          {variant.label.substr(variant.label.rfind(' ') + 1), &frequencies,
           context ? turns_within(frequencies, *context) : std::vector<double>(),
           pair_marks(variant.embedding.bands, context ? incomplete_pairs(frequencies, *context)
                                                       : std::vector<std::size_t>())});
    }
    print_kinds(all, console);
    return;
  }
  for (const RotaryVariant& variant : variants) {
    if (&variant != &variants.front()) console.print("\n");
    const RotaryEmbedding& embedding = variant.embedding;
    console.say(console.paint(Ink::strong, answer(variant, context, variants.size() > 1)));
    console.say(describe(variant));
    const std::vector<std::size_t> incomplete =
        context ? incomplete_pairs(embedding.frequencies, *context) : std::vector<std::size_t>();
    print_pairs(columns_of(variant, context), pair_marks(embedding.bands, incomplete), details,
                console);
  }
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
