#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "named/rotary_options.hpp"
#include "rope/documents/pairs.hpp"
#include "rope/documents/wavelengths.hpp"
#include "rope/language/said.hpp"
#include "rope/pictures/wavelengths.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "rope/words/embedding_text.hpp"
#include "shown/pair_tables.hpp"
#include "shown/text.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

using Variants = std::vector<RotaryVariant>;

/// "pair 0 completes a turn every 6.28319 tokens"
std::string turn_text(const std::vector<double>& wavelength, std::size_t pair, Language language) {
  return std::isfinite(wavelength[pair])
             ? said(language, "pair {} completes a turn every {} tokens", pair,
                    six_digits(wavelength[pair]))
             : said(language, "pair {} does not turn", pair);
}

/// The pairs at which something else begins.
std::vector<std::size_t> marks_of(const RotaryVariant& variant) {
  return pair_marks(variant.embedding.bands,
                    variant.reach ? incomplete_pairs(variant.embedding.frequencies, *variant.reach)
                                  : std::vector<std::size_t>());
}

/// What the wavelengths tell, in a sentence.
std::string turns_text(const RotaryVariant& variant, Language language) {
  const Frequencies& frequencies = variant.embedding.frequencies;
  const std::vector<double>& wavelength = frequencies.wavelength;
  const std::size_t pairs = frequencies.pairs();
  if (variant.reach) {
    const std::vector<std::size_t> incomplete = incomplete_pairs(frequencies, *variant.reach);
    if (incomplete.empty())
      return said(language, "every pair completes a turn within {} tokens.", *variant.reach);
    const std::string all = counted(pairs, "pair", language), which = ranges_text(incomplete);
    return incomplete.size() == 1
               ? said(language, "{} of {} never completes a turn within {} tokens: pair {}.",
                      incomplete.size(), all, *variant.reach, which)
               : said(language, "{} of {} never complete a turn within {} tokens: pairs {}.",
                      incomplete.size(), all, *variant.reach, which);
  }
  if (pairs == 1) return said(language, "{}.", turn_text(wavelength, 0, language));
  return said(language, "each pair of numbers turns with the position: {}, {}.",
              turn_text(wavelength, 0, language), turn_text(wavelength, pairs - 1, language));
}

/// The sentence for one of several embeddings, which begins with what tells it from the rest.
std::string answer(const RotaryVariant& variant, bool several, Language language) {
  const std::string text = turns_text(variant, language);
  return several ? said(language, "{}: {}", variant.label, text) : sentence(text, language);
}

/// `details`: every pair of every embedding. `kinds`: they are those of the kinds of layers of one
/// model, which otherwise stand beside each other in one table.
void print_wavelengths(const Variants& variants, bool kinds, bool details, const Console& console) {
  const Language language = console.language();
  if (kinds && !details) {
    std::vector<PairsOfKind> all;
    for (const RotaryVariant& variant : variants) {
      console.say_answer(answer(variant, true, language));
      console.say(describe(variant, language));
      all.push_back({variant.label.substr(variant.label.rfind(' ') + 1),
                     &variant.embedding.frequencies, variant.reach, turns_of(variant),
                     marks_of(variant)});
    }
    print_kinds(all, console);
    return;
  }
  for (const RotaryVariant& variant : variants) {
    if (&variant != &variants.front()) console.print("\n");
    console.say_answer(answer(variant, variants.size() > 1, language));
    console.say(describe(variant, language));
    print_pairs(wavelength_columns(variant), marks_of(variant), details, console);
  }
}

struct Wavelengths final : Invocation {
  static constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                          Format::svg, Format::pdf,  Format::gp};
  static constexpr std::array<std::string_view, 2> kExamples = {
      "rope wavelengths --dim 128 --context 4096",
      "rope wavelengths --base 10000 --base 500000 -o bases.svg"};
  static constexpr auto kColumns =
      std::to_array<std::string_view>({"pair", "theta", "wavelength", "turns", "axis"});
  static constexpr auto kTerms =
      std::to_array<std::string_view>({"pair", "θ_i", "λ_i", "turn", "base", "attention factor"});

  std::optional<std::int64_t> context;
  RotaryOptions rotary{Times::many};
  OutputOptions output{kFormats, kReportAndPicture};

  void declare(OptionSet& options) override {
    options.group("Context");
    options.integer("--context N", "context length over which turns are counted, in tokens",
                    context, {.low = 1, .high = std::int64_t{1} << 53, .tokens = true},
                    "the model's, if one is named");
    rotary.other_length = "; turns are counted over the N tokens of --context";
    rotary.declare(options);
    output.declare(options);
    output.declare_tidy(options);
    output.declare_details(options);
    options.often_used({"--context"});
  }

  ExitCode run(Console& console) override {
    std::vector<RotaryVariant> variants = rotary_variants(rotary, console);
    for (RotaryVariant& variant : variants) {
      if (context)
        variant.context = variant.reach = context;
      else if (variant.serves && variant.reach)
        variant.context = variant.reach = variant.serves;
    }
    const OutputPlan plan = plan_output(output, {"wavelengths", kColumns});
    const bool kinds = rotary.models.size() + rotary.configs.size() == 1 && variants.size() > 1;
    Products products;
    products.report = [&](const Console& out) {
      print_wavelengths(variants, kinds, output.details, out);
    };
    products.csv = [&] { return wavelengths_csv(variants, output.csv_form()); };
    products.json = [&] { return wavelengths_json(variants); };
    products.figure = [&] { return wavelengths_figure(variants); };
    write_output(plan, products, console);
    return ExitCode::done;
  }
};

}  // namespace

extern constinit const Command wavelengths_command = command_of<Wavelengths>(
    "wavelengths", kStudy, "Show how many tokens each pair needs to complete a turn.");

}  // namespace rope::app
