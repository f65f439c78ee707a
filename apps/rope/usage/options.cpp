#include "usage/options.hpp"

#include <algorithm>

namespace rope::app {

std::string Option::whole_help() const {
  std::string more = standard.empty() ? "" : "default: " + standard;
  const std::string again =
      listed ? "comma-separated lists and repetition are allowed" : "may be repeated";
  if (times == Times::many) more += (more.empty() ? "" : "; ") + again;
  return more.empty() ? help : help + " (" + more + ")";
}

Option& OptionSet::add(std::string_view form, std::string_view help,
                       std::function<void(const Option&, const std::string&)> fill,
                       std::string_view otherwise) {
  Option& option = options_.emplace_back();
  if (const std::size_t comma = form.find(", --"); comma != std::string_view::npos) {
    option.short_name = form.substr(0, comma);
    form.remove_prefix(comma + 2);
  }
  const std::size_t blank = std::min(form.find(' '), form.size());
  option.name = form.substr(0, blank);
  option.value = form.substr(std::min(blank + 1, form.size()));
  option.help = help;
  option.standard = otherwise;
  option.group = group_;
  option.file = option.value == "FILE";
  option.fill = std::move(fill);
  return option;
}

Option& OptionSet::flag(std::string_view form, std::string_view help, bool& field) {
  return add(form, help, [&field](const Option&, const std::string&) { field = true; });
}

void OptionSet::add_parameter(std::string_view option, std::string_view owner,
                              const Parameter& parameter) {
  const std::string whose(owner);
  parameters_.push_back({std::string(option), whose, std::string(parameter.name),
                         whose + ":" + parameter_form(parameter), parameter_help(parameter)});
}

void OptionSet::exclude(std::string_view option, std::initializer_list<std::string_view> others,
                        std::string_view why) {
  exclusions_.push_back({std::string(option), {others.begin(), others.end()}, std::string(why)});
}

void OptionSet::exclude_group(std::string_view option, std::string_view heading,
                              std::string_view why) {
  Exclusion& exclusion =
      exclusions_.emplace_back(Exclusion{std::string(option), {}, std::string(why)});
  for (const Option& other : options_)
    if (other.group == heading) exclusion.others.push_back(other.name);
}

void OptionSet::often_used(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) at(name).often_used = true;
}

void OptionSet::take_files(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) at(name).file = true;
}

void OptionSet::take_words(std::string_view name, std::vector<std::string> words) {
  at(name).words = std::move(words);
}

Option& OptionSet::at(std::string_view name) {
  return *std::ranges::find(options_, name, &Option::name);
}

const Option* OptionSet::find(std::string_view name) const {
  const auto found = std::ranges::find_if(options_, [&](const Option& option) {
    return option.name == name || (!name.empty() && option.short_name == name);
  });
  return found == options_.end() ? nullptr : &*found;
}

bool OptionSet::given(std::string_view name) const {
  const Option* option = find(name);
  return option != nullptr && option->given > 0;
}

}  // namespace rope::app
