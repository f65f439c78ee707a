#include "usage/option_set.hpp"

namespace rope::app {

void OptionSet::add(std::string_view name, std::string_view value, std::string_view help,
                    Times times) {
  options_.push_back({std::string(name), {}, std::string(value), std::string(help), group_, times});
}

void OptionSet::add_flag(std::string_view name, std::string_view help) { add(name, {}, help); }

}  // namespace rope::app
