#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rope/parameters/parameters.hpp"

namespace rope::app {

/// How often an option may be given.
enum class Times { once, many };

/// One option as the help shows it and the parser takes it.
struct Option {
  std::string name;        ///< "--dim": what `Arguments` calls it
  std::string short_name;  ///< "-o", or empty
  std::string value;       ///< "N", "LIST": what stands for its value; empty for a flag
  std::string help;        ///< what it does, its unit and its default
  std::string group;       ///< the heading it stands under
  Times times = Times::once;
};

/// A parameter that the value of an option may hold: --encoding t5:buckets=N.
struct OptionParameter {
  std::string option;  ///< "--encoding"
  std::string owner;   ///< "t5"
  std::string name;    ///< "buckets"
  std::string form;    ///< "t5:buckets=N"
  std::string help;
};

/// Words of a command that belong to no option: files, names.
struct Operands {
  std::string name;  ///< "FILE": what stands for them in the usage line
  std::string help;
  std::size_t most = 0;  ///< how many there may be
};

/// The options of one command, in the order of its help. Everything a user gives stays text here:
/// numbers.hpp and positions.hpp turn it into numbers, strictly and with good messages.
class OptionSet {
 public:
  /// Starts a group: options that follow stand under this heading.
  void group(std::string_view heading) { group_ = heading; }

  /// An option with a value.
  void add(std::string_view name, std::string_view value, std::string_view help,
           Times times = Times::once);

  /// An option without one.
  void add_flag(std::string_view name, std::string_view help);

  /// A parameter that the option takes with one of its names, as the library declares it.
  void add_parameter(std::string_view option, std::string_view owner, const Parameter& parameter);

  /// Gives the last option a one-letter name too.
  void short_name(std::string_view name) { options_.back().short_name = name; }

  /// Lets the command take words that belong to no option.
  void operands(std::string_view name, std::string_view help, std::size_t most) {
    operands_ = {std::string(name), std::string(help), most};
  }
  const Operands& operands() const { return operands_; }

  const std::vector<Option>& options() const { return options_; }
  const std::vector<OptionParameter>& parameters() const { return parameters_; }

 private:
  std::string group_ = "Options";
  std::vector<Option> options_;
  std::vector<OptionParameter> parameters_;
  Operands operands_;
};

}  // namespace rope::app
