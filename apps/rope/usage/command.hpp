#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "shown/console.hpp"
#include "usage/general_options.hpp"
#include "usage/options.hpp"

namespace rope::app {

/// What the exit code tells the caller of the program.
enum class ExitCode {
  done = 0,              ///< every check held
  check_failed = 1,      ///< the answer is no
  bad_input = 2,         ///< something in the user's input is wrong
  system_failed = 3,     ///< opening, reading or writing failed, or another program failed
  inconclusive = 4,      ///< the answer is neither yes nor no
  self_test_failed = 5,  ///< the checker failed its own test
};

struct Command;

/// One use of a command: the fields that its options fill, and the work done with them.
class Invocation {
 public:
  Invocation() = default;
  virtual ~Invocation() = default;
  Invocation(const Invocation&) = delete;
  Invocation& operator=(const Invocation&) = delete;

  /// Declares the options of the command, except the general ones, and binds them to its fields.
  virtual void declare(OptionSet& options) = 0;

  /// Does the work that the fields request. Throws rope::Error.
  virtual ExitCode run(Console& console) = 0;

  /// The terms from `rope glossary` that occur in the output; a command with such terms defines a
  /// kTerms of its own.
  static constexpr std::span<const std::string_view> kTerms = {};

  GeneralOptions general;
  std::vector<Option> given_options;  ///< the options that the user gave, with their values
  /// All commands of the program, for a command that describes the others.
  std::span<const Command* const> commands;
};

// What a user wants to do: the values of Command::purpose.
inline constexpr std::string_view kLearn = "LEARN", kCheck = "CHECK", kStudy = "STUDY",
                                  kLookUp = "LOOK UP";

/// One command of the program. To add a command, add a folder whose command.cpp defines a Command,
/// and add its name to program.cpp.
struct Command {
  std::string_view name;
  std::string_view purpose;  ///< the heading under which the help lists the command
  std::string_view summary;  ///< one sentence on one line, with a full stop
  std::span<const std::string_view> examples;  ///< at least two; each works as written
  std::unique_ptr<Invocation> (*invocation)();
  std::span<const std::string_view> terms;  ///< in its output, as `rope glossary` lists them
};

/// Makes the command whose invocations have the type `Type`, which defines kExamples and kTerms.
template <class Type>
constexpr Command command_of(std::string_view name, std::string_view purpose,
                             std::string_view summary) {
  const auto invocation = []() -> std::unique_ptr<Invocation> { return std::make_unique<Type>(); };
  return {name, purpose, summary, Type::kExamples, invocation, Type::kTerms};
}

/// The options of an invocation: its own and the general ones.
OptionSet options_of(Invocation& invocation);

}  // namespace rope::app
