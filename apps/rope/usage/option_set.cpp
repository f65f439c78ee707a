#include "usage/option_set.hpp"

namespace rope::app {

void OptionSet::add(std::string_view name, std::string_view value, std::string_view help,
                    Times times) {
  options_.push_back({std::string(name), {}, std::string(value), std::string(help), group_, times});
}

void OptionSet::add_parameter(std::string_view option, std::string_view owner,
                              const Parameter& parameter) {
  const std::string whose(owner);
  parameters_.push_back({std::string(option), whose, std::string(parameter.name),
                         whose + ":" + parameter_form(parameter), parameter_help(parameter)});
}

void OptionSet::add_flag(std::string_view name, std::string_view help) { add(name, {}, help); }

}  // namespace rope::app
