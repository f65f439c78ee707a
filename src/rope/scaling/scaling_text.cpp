#include <algorithm>
#include <charconv>
#include <system_error>

#include "rope/error.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

constexpr std::string_view kForm =
    "Write RULE or RULE:key=value,…, for example yarn:factor=4,original=32768.";

double read_number(std::string_view key, std::string_view text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc{} || stop != end || digits.starts_with("+-"))
    throw DomainError("scaling: " + std::string(key) + ": expected a finite number, got '" +
                          std::string(text) + "'",
                      "Write it in decimal, for example 4 or 0.25.");
  return value;
}

/// What stands before the mark; `text` goes on behind it.
std::string_view take(std::string_view& text, char mark) {
  const std::size_t end = std::min(text.find(mark), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

}  // namespace

ScalingSpec parse_scaling(std::string_view text) {
  ScalingSpec spec;
  const bool more = text.find(':') != std::string_view::npos;
  spec.rule = take(text, ':');
  if (spec.rule.empty() || (more && text.empty()) || text.ends_with(','))
    throw DomainError("scaling: expected a rule and its parameters, got '" + spec.rule +
                          (more ? ":" : "") + std::string(text) + "'",
                      std::string(kForm));
  while (!text.empty()) {
    std::string_view value = take(text, ',');
    const bool assigned = value.find('=') != std::string_view::npos;
    const std::string key(take(value, '='));
    if (key.empty() || !assigned)
      throw DomainError("scaling: expected key=value, got '" + key + (assigned ? "=" : "") +
                            std::string(value) + "'",
                        std::string(kForm));
    if (spec.numbers.contains(key) || spec.lists.contains(key))
      throw DomainError("scaling: " + key + ": expected one value, got two", "Leave one of them.");
    if (value.find(';') == std::string_view::npos) {
      spec.numbers[key] = read_number(key, value);
      continue;
    }
    std::vector<double>& list = spec.lists[key];
    if (value.ends_with(';')) value.remove_suffix(1);  // a list of one number is written "1;"
    while (!value.empty()) list.push_back(read_number(key, take(value, ';')));
  }
  return spec;
}

std::string scaling_text(const ScalingSpec& spec) {
  std::string text = spec.rule;
  char mark = ':';
  const auto add = [&](const std::string& key, const std::string& value) {
    text += mark + key + "=" + value;
    mark = ',';
  };
  for (const auto& [key, value] : spec.numbers) add(key, number_text(value));
  for (const auto& [key, values] : spec.lists) {
    std::string list;
    for (const double value : values) list += number_text(value) + ";";
    if (values.size() > 1) list.pop_back();
    add(key, list);
  }
  return text;
}

}  // namespace rope
