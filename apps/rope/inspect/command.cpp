#include <array>

#include "inspect/report.hpp"
#include "named/model_option.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "usage/command.hpp"
#include "usage/numbers.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                 Format::svg, Format::pdf,  Format::gp};
constexpr std::array<std::string_view, 3> kExamples = {"rope inspect gpt-oss",
                                                       "rope inspect llama-3.1-8b -o llama.png",
                                                       "rope inspect qwen2.5-7b qwen2.5-7b-yarn"};

void declare(OptionSet& options) {
  options.operands("FILE|PRESET [FILE|PRESET]",
                   "a config.json, a params.json, the keys of a GGUF file as gguf-dump prints "
                   "them, a folder with a config.json, or a preset; two are compared",
                   2);
  options.group("Model");
  options.add_flag("--list", "list the presets");
  options.add("--seq-len", "N", "the length at hand, for rules that depend on it, in tokens");
  options.add("--engine", "ENGINE",
              "whose reading: hf, ggml, vllm, gpt-oss, llama-models, longrope (Microsoft's), yarn "
              "(its authors') or yarn-paper (default: hf, and where others differ)");
  declare_output_options(options, kFormats);
}

ReadOptions read_options(const Arguments& arguments) {
  ReadOptions options;
  if (const auto text = arguments.value("--seq-len"))
    options.seq_len = integer_option("--seq-len", *text, "a number of tokens from 1 to 2^53", 1,
                                     std::int64_t{1} << 53);
  if (const auto text = arguments.value("--engine")) {
    const std::optional<Engine> engine = engine_of(*text);
    if (!engine) refuse_choice("--engine", kEngineNames, *text);
    options.engine = *engine;
  }
  return options;
}

ExitCode list_presets(const Arguments& arguments, const Console& console) {
  if (!arguments.operands().empty())
    refuse("--list", "no model beside it", io::in_quotes(arguments.operands().front()),
           "Leave --list out to inspect the model.");
  if (!arguments.values("--output").empty())
    refuse("--list", "no file", io::in_quotes(arguments.values("--output").front()),
           "Send standard output into one; --json gives a document.");
  console.print(arguments.given("--json") ? preset_json() : preset_report());
  return ExitCode::done;
}

ExitCode run(const Arguments& arguments, Console& console) {
  if (arguments.given("--list")) return list_presets(arguments, console);
  const ReadOptions options = read_options(arguments);
  if (arguments.operands().empty())
    throw Error(ErrorKind::invalid_input, "expected a file or the name of a preset, got nothing",
                "For example rope inspect config.json; rope inspect --list shows the presets.");
  const OutputPlan plan = plan_output(arguments, kFormats);
  std::vector<NamedInspection> inspections;
  for (const std::string& word : arguments.operands())
    inspections.push_back({inspect(named_model(word), options), io::printable(word, 60)});
  for (const NamedInspection& inspection : inspections) warn_of(inspection.model, console);
  const bool two = inspections.size() == 2;
  if (plan.report())
    console.print(two ? difference_report(inspections[0], inspections[1], console)
                      : inspect_report(inspections[0], console));
  Products products;
  products.csv = [&] { return inspect_csv(inspections); };
  products.json = [&] {
    return two ? difference_json(inspections[0], inspections[1]) : inspect_json(inspections[0]);
  };
  products.figure = [&] { return inspect_figure(inspections); };
  write_output(plan, products, console);
  return ExitCode::done;
}

}  // namespace

extern constinit const Command inspect_command = {
    "inspect", "Show the rotary embedding that a model's file or a preset really asks for.",
    kExamples, declare, run};

}  // namespace rope::app
