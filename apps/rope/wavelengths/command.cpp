#include <algorithm>
#include <array>

#include "named/rotary_options.hpp"
#include "rope/documents/wavelengths.hpp"
#include "rope/pictures/wavelengths.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"
#include "wavelengths/report.hpp"

namespace rope::app {
namespace {

struct Wavelengths final : Invocation {
  static constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                          Format::svg, Format::pdf,  Format::gp};
  static constexpr std::array<std::string_view, 2> kExamples = {
      "rope wavelengths --dim 128 --context 4096",
      "rope wavelengths --base 10000 --base 500000 -o bases.svg"};
  static constexpr auto kColumns =
      std::to_array<std::string_view>({"pair", "theta", "wavelength", "turns", "axis"});
  static constexpr auto kTerms =
      std::to_array<std::string_view>({"pair", "θ_k", "λ_k", "turn", "base", "attention factor"});

  std::optional<std::int64_t> context;
  RotaryOptions rotary{Times::many};
  OutputOptions output{kFormats};

  void declare(OptionSet& options) override {
    options.group("Context");
    options.integer("--context N", "context length over which turns are counted, in tokens",
                    context, {.low = 1, .high = std::int64_t{1} << 53, .tokens = true},
                    "the model's, where one is named");
    rotary.other_length = "; turns are counted in the tokens of --context N";
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
