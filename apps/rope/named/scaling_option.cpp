#include "named/scaling_option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "rope/io/file.hpp"
#include "rope/io/quote.hpp"
#include "rope/io/tensor.hpp"
#include "rope/parameters/suggest.hpp"
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

ScalingSpec read_scaling(const std::string& text) {
  if (plain_word(text) == "none") return {};  // as the help calls what counts by default
  ScalingSpec spec = parse_scaling(with_files_read(text));
  check_scaling(spec);
  return spec;
}

}  // namespace

Option& declare_scaling(OptionSet& options, std::vector<ScalingSpec>& scalings) {
  std::string names;
  for (const ScalingRule& rule : scaling_rules()) {
    if (rule.name == "default") continue;
    names += (names.empty() ? "" : ", ") + std::string(rule.name);
  }
  return options.bound(
      "--scaling RULE:K=V,...",
      "change theta_k for a longer context, for example yarn:factor=4,original=32768; a list as "
      "short=1;1.1;... or short=@FILE; the rules: " +
          names,
      scalings, read_scaling, "none");
}

RotaryEmbedding scaled_with_warnings(const ScalingSpec& spec, const ScalingContext& context,
                                     PairLayout layout, const Console& console) {
  std::vector<std::string> warnings;
  RotaryEmbedding embedding = scaled_embedding(spec, context, layout, &warnings);
  for (const std::string& warning : warnings)
    console.warn("--scaling " + spec.rule + ": " + warning);
  return embedding;
}

}  // namespace rope::app
