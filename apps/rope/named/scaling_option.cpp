#include "named/scaling_option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/file.hpp"
#include "rope/io/json.hpp"
#include "rope/io/quote.hpp"
#include "rope/io/tensor.hpp"
#include "rope/parameters/number_text.hpp"
#include "rope/parameters/suggest.hpp"
#include "shown/text.hpp"
#include "usage/numbers.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 24;

std::string list_text(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += fmt::format("{};", value);
  return text;
}

/// The numbers of a file, as the text of a list: .npy, or text with blanks, commas, semicolons or
/// brackets between.
std::string list_from_file(const std::string& path) {
  const std::string option = "--scaling: " + io::in_quotes(path);
  std::vector<double> values;
  if (path.ends_with(".npy")) {
    values = io::open_tensor(path).doubles();
  } else {
    const std::string bytes = io::read_file(path, kMaxFileBytes);
    constexpr std::string_view kBetween = " \t\r\n,;[]";
    for (std::size_t begin = 0;;) {
      begin = bytes.find_first_not_of(kBetween, begin);
      if (begin == std::string::npos) break;
      const std::size_t end = std::min(bytes.find_first_of(kBetween, begin), bytes.size());
      values.push_back(real_option(option, std::string_view(bytes).substr(begin, end - begin)));
      begin = end;
    }
  }
  if (values.empty()) refuse(option, "numbers, one per pair", "none");
  return list_text(values);
}

/// Replaces every "=@FILE" by the numbers of the file.
std::string with_files_read(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0;;) {
    const std::size_t at = text.find("=@", begin);
    if (at == std::string::npos) return result + text.substr(begin);
    const std::size_t end = std::min(text.find(',', at), text.size());
    result +=
        text.substr(begin, at + 1 - begin) + list_from_file(text.substr(at + 2, end - at - 2));
    begin = end;
  }
}

bool has(const ScalingSpec& spec, std::string_view parameter) {
  return spec.numbers.contains(parameter) || spec.lists.contains(parameter);
}

/// Refuses a rule that lacks parameters: all of them at once, and with what to write.
void refuse_missing(const ScalingSpec& spec, const std::vector<std::string>& missing,
                    const std::string& otherwise) {
  if (missing.empty()) return;
  throw DomainError(Subject{"scaling " + spec.rule},
                    "expected " + listed(missing) + " too, got " +
                        (spec.numbers.empty() && spec.lists.empty() ? spec.rule + " by itself"
                                                                    : scaling_text(spec)),
                    "For example " + completed_example(spec) + otherwise);
}

/// What a rule cannot do without.
void check_required(const ScalingSpec& spec) {
  const ScalingRule* const rule = find_scaling_rule(spec.rule);
  if (rule == nullptr) return;
  const auto unknown = [&](const auto& given) {
    return find_parameter(rule->parameters, given.first) == nullptr;
  };
  if (std::ranges::any_of(spec.numbers, unknown) || std::ranges::any_of(spec.lists, unknown))
    return;
  std::vector<std::string> missing;
  for (const Parameter& parameter : rule->parameters)
    if (parameter.required && !has(spec, parameter.name)) missing.emplace_back(parameter.name);
  refuse_missing(spec, missing, ".");
}

/// What a rule cannot do without where the number of the model's positions is not known.
void check_lengths(const ScalingSpec& spec, const ScalingContext& context) {
  const ScalingRule* const rule = find_scaling_rule(spec.rule);
  if (rule == nullptr || context.max_positions) return;
  std::vector<std::string> missing;
  for (const std::string_view length : {"factor", "original"})
    if (const Parameter* const parameter = find_parameter(rule->parameters, length);
        parameter != nullptr && !parameter->standard && !has(spec, length) &&
        rule->example.find(std::string(length) + "=") != std::string_view::npos)
      missing.emplace_back(length);
  refuse_missing(spec, missing, ", or --max-positions N, the model's context length.");
}

/// The rule of a rope_scaling as config files have it; its numbers are those whose keys are known.
ScalingSpec spec_of_config(const std::string& text) {
  const io::Json fields = io::parse_json(text, "--scaling");
  ScalingSpec spec;
  for (const char* const key : {"rope_type", "type"})
    if (fields.contains(key) && fields[key].is_string()) spec.rule = fields[key];
  const ScalingRule* const rule = find_scaling_rule(spec.rule);
  if (rule == nullptr) return {};
  for (const auto& [key, value] : fields.items())
    for (const Parameter& parameter : rule->parameters)
      if (parameter.config_key == key && value.is_number()) {
        const auto number = value.get<double>();
        spec.numbers[std::string(parameter.name)] = number;
      }
  return spec;
}

/// A rope_scaling is not read here, but what it says can be written.
[[noreturn]] void refuse_json(const std::string& text) {
  ScalingSpec spec;
  try {
    spec = spec_of_config(text);
  } catch (const Error&) {
    spec = {};
  }
  const std::string written = spec == ScalingSpec() ? "" : completed_example(spec);
  refuse(
      "--scaling", "RULE:key=value,…", "JSON",
      (written.empty() ? "For example yarn:factor=4,original=32768." : "Write " + written + ".") +
          " --config FILE reads a whole config.json.");
}

ScalingSpec read_scaling(const std::string& text) {
  if (plain_word(text) == "none") return {};  // as the help calls what counts by default
  if (trimmed(text).starts_with('{')) refuse_json(text);
  ScalingSpec spec = scaling_with_files(text);
  check_required(spec);
  check_scaling(spec);
  return spec;
}

}  // namespace

ScalingSpec scaling_with_files(const std::string& text) {
  return parse_scaling(with_files_read(text));
}

Option& declare_scaling(OptionSet& options, std::vector<ScalingSpec>& scalings) {
  std::string names;
  for (const ScalingRule& rule : scaling_rules()) {
    if (rule.name == "default") continue;
    names += (names.empty() ? "" : ", ") + std::string(rule.name);
  }
  return options.bound(
      "--scaling RULE:K=V,...",
      "change theta_i for a longer context, for example yarn:factor=4,original=32768; write a list "
      "as short=1;1.1;... or short=@FILE; the rules: " +
          names,
      scalings, read_scaling, "none");
}

RotaryEmbedding scaled_with_warnings(const ScalingSpec& spec, const ScalingContext& context,
                                     PairLayout layout, const Console& console) {
  check_lengths(spec, context);
  std::vector<std::string> warnings;
  RotaryEmbedding embedding = scaled_embedding(spec, context, layout, &warnings);
  for (const std::string& warning : warnings)
    console.warn("--scaling " + spec.rule + ": " + warning);
  return embedding;
}

}  // namespace rope::app
