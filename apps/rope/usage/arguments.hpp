#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "usage/option_set.hpp"

namespace rope::app {

/// What the user gave for the options of one command, as text.
class Arguments {
 public:
  /// Reads the words after the command's name.
  ///
  /// Throws    rope::Error (invalid input) for an unknown option, with the likely one; a missing or
  ///           unexpected value; an option given more often than it may be; a word too many.
  Arguments(const OptionSet& options, const std::vector<std::string>& words);

  /// Whether the option was given. Its name is the long one: "--dim".
  bool given(std::string_view option) const { return !values(option).empty(); }

  /// The value of an option that may be given once.
  std::optional<std::string> value(std::string_view option) const;

  /// Goes on as if the user had given this value: what a command concludes from its input.
  void conclude(std::string_view option, std::string value);

  /// Takes the values of one option that fulfil a condition for values of another.
  void move_values(std::string_view from, std::string_view to,
                   const std::function<bool(const std::string&)>& which);

  /// All its values, in the order given.
  const std::vector<std::string>& values(std::string_view option) const;

  /// Whether the option may be given more than once.
  bool repeatable(std::string_view option) const { return repeatable_.contains(option); }

  /// The words that belong to no option, in the order given.
  const std::vector<std::string>& operands() const { return operands_; }

 private:
  std::set<std::string, std::less<>> repeatable_;
  std::vector<std::string> operands_;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

}  // namespace rope::app
