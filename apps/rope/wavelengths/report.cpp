#include "wavelengths/report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

#include "rope/documents/pairs.hpp"
#include "rope/documents/wavelengths.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "rope/words/embedding_text.hpp"
#include "shown/pair_tables.hpp"
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

}  // namespace

void print_wavelengths(const Variants& variants, bool kinds, bool details, const Console& console) {
  if (kinds && !details) {
    std::vector<PairsOfKind> all;
    for (const RotaryVariant& variant : variants) {
      console.say_answer(answer(variant, true));
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
    console.say_answer(answer(variant, variants.size() > 1));
    console.say(describe(variant));
    print_pairs(wavelength_columns(variant), marks_of(variant), details, console);
  }
}

}  // namespace rope::app
