#include <algorithm>
#include <array>

#include "inspect/report.hpp"
#include "named/model_option.hpp"
#include "rope/documents/inspection.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/presets.hpp"
#include "rope/pictures/wavelengths.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

struct Inspect final : Invocation {
  static constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                          Format::svg, Format::pdf,  Format::gp};
  static constexpr std::array<std::string_view, 3> kExamples = {
      "rope inspect gpt-oss", "rope inspect llama-3.1-8b -o llama.png",
      "rope inspect llama-3 llama-3.1-8b"};
  static constexpr auto kTerms = std::to_array<std::string_view>(
      {"scaling rule", "band", "ramp", "attention factor", "context length", "trained length",
       "turn", "first negative distance", "effective context", "layout", "rotated dimensions"});

  std::vector<std::string> words, models, configs;
  bool list = false, strict = false;
  ReadOptions reading;
  OutputOptions output{kFormats};

  void declare(OptionSet& options) override {
    options.operands(
        "FILE|PRESET [FILE|PRESET]",
        "a config.json, a params.json, a GGUF file or its keys as gguf-dump prints "
        "them, a folder with a config.json, or a preset; if two are given, they are compared",
        2, words);
    options.group("Model");
    options.text("--model NAME", "the same as PRESET, under the name that other commands use",
                 models);
    options.text("--config FILE", "the same as FILE, under the name that other commands use",
                 configs);
    options.flag("--list", "list the presets; with a word, only those that contain it", list);
    options.flag("--strict", "exit with status 1 if there is a warning", strict);
    options.integer(
        "--seq-len N", "the current sequence length in tokens, for rules that depend on it",
        reading.seq_len, {1, std::int64_t{1} << 53, "a number of tokens from 1 to 2^53", true});
    options.bound("--engine ENGINE",
                  "read the file as this engine does: hf, hf-4 (transformers 4), ggml, vllm, "
                  "sglang, gpt-oss, llama-models, longrope (Microsoft's code), yarn (its authors' "
                  "code) or yarn-paper",
                  reading.engine, read_engine, "hf; rope reports the engines that differ");
    output.declare(options);
    output.declare_tidy(options);
    output.declare_details(options);
    options.often_used({"--list", "--seq-len", "--engine"});
    options.take_words("--model", preset_names());
    options.take_words("--engine", {kEngineNames.begin(), kEngineNames.end()});
    options.operands_take_files();
    options.operands_take(preset_names);
  }

  ExitCode run(Console& console) override {
    if (list) return list_presets(console);
    words.insert(words.end(), models.begin(), models.end());
    words.insert(words.end(), configs.begin(), configs.end());
    if (words.size() > 2)
      refuse(configs.empty() ? "--model" : "--config", "at most two models",
             std::to_string(words.size()));
    if (words.empty())
      throw Error(ErrorKind::invalid_input, "expected a file or the name of a preset, got nothing",
                  "For example rope inspect config.json; rope inspect --list shows the presets.");
    const OutputPlan plan = plan_output(output);
    std::vector<NamedInspection> inspections;
    for (const std::string& word : words)
      inspections.push_back(
          {inspect(named_model(word, console), reading), io::printable(word, 60)});
    for (const NamedInspection& inspection : inspections) warn_of(inspection.model, console);
    const bool two = inspections.size() == 2;
    Products products;
    products.report = [&](const Console& out) {
      two ? print_difference(inspections[0], inspections[1], output.details, out)
          : print_inspection(inspections[0], output.details, out);
    };
    products.csv = [&] { return inspection_csv(inspections, output.csv_form()); };
    products.json = [&] {
      return two ? difference_json(inspections[0], inspections[1])
                 : inspection_json(inspections[0]);
    };
    products.figure = [&] { return inspect_figure(inspections); };
    write_output(plan, products, console);
    const bool warned = std::ranges::any_of(inspections, [](const NamedInspection& inspection) {
      return !inspection.model.all_warnings().empty();
    });
    return strict && warned ? ExitCode::check_failed : ExitCode::done;
  }

 private:
  static Engine read_engine(const std::string& text) {
    const std::optional<Engine> engine = engine_of(text);
    if (!engine) refuse_choice("--engine", kEngineNames, text);
    return *engine;
  }

  /// The presets whose name, or other name, holds one of the words; all without a word.
  std::vector<std::string> listed() const {
    if (words.empty()) return preset_names();
    std::vector<std::string> names;
    for (const std::string& name : preset_names())
      if (std::ranges::any_of(words, [&](const std::string& word) { return called(name, word); }))
        names.push_back(name);
    if (names.empty())
      refuse("--list", "part of a preset's name", io::in_quotes(words.front()),
             "rope inspect --list shows all of them.");
    return names;
  }

  ExitCode list_presets(const Console& console) const {
    const OutputPlan plan = plan_output(output.report_alone());
    const std::vector<std::string> names = listed();
    Products products;
    products.report = [&](const Console& out) { print_presets(names, out); };
    products.json = [&] { return preset_json(names); };
    write_output(plan, products, console);
    return ExitCode::done;
  }
};

}  // namespace

extern constinit const Command inspect_command =
    command_of<Inspect>("inspect", kLookUp, "Show the rotary embedding that a model uses.");

}  // namespace rope::app
