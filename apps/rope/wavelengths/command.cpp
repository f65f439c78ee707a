#include <array>

#include "named/rotary_options.hpp"
#include "usage/command.hpp"
#include "usage/numbers.hpp"
#include "usage/output.hpp"
#include "wavelengths/report.hpp"

namespace rope::app {
namespace {

constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                 Format::svg, Format::pdf,  Format::gp};
constexpr std::array<std::string_view, 2> kExamples = {
    "rope wavelengths --dim 128 --context 4096",
    "rope wavelengths --base 10000 --base 500000 -o bases.svg"};
constexpr std::int64_t kMaxContext = std::int64_t{1} << 53;

using Variants = std::vector<RotaryVariant>;
using Context = std::optional<std::int64_t>;

void declare(OptionSet& options) {
  options.group("Context");
  options.add("--context", "N", "tokens to count turns in (default: none)");
  declare_rotary_options(options, Times::many);
  declare_output_options(options, kFormats);
}

ExitCode run(const Arguments& arguments, Console& console) {
  Context context;
  if (const auto text = arguments.value("--context"))
    context = integer_option("--context", *text, "an integer from 1 to 2^53", 1, kMaxContext);
  const Variants variants = rotary_variants(arguments, console);
  const OutputPlan plan = plan_output(arguments, kFormats, "wavelengths");
  if (plan.report()) console.print(wavelengths_report(variants, context, console));
  Products products;
  products.csv = [&] { return wavelengths_csv(variants, context); };
  products.json = [&] { return wavelengths_json(variants, context); };
  products.figure = [&] { return wavelengths_figure(variants, context); };
  write_output(plan, products, console);
  return ExitCode::done;
}

}  // namespace

extern constinit const Command wavelengths_command = {
    "wavelengths", "Show how fast each pair turns, and which pairs never complete a turn.",
    kExamples, declare, run};

}  // namespace rope::app
