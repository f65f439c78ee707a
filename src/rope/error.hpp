#pragma once

// The exceptions that the library throws, and how to report them.
//
//     try {
//       rope::default_embedding(63, 10000);   // an odd size
//     } catch (const rope::Error& error) {
//       std::cerr << error.what() << "\n" << error.remedy() << "\n";
//     }

#include <array>
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "rope/print.hpp"

namespace rope {

/// Why an operation could not be done. The program turns the kind into its exit code.
enum class ErrorKind {
  invalid_input,  ///< wrong input from the caller: a value, a shape, a malformed file (exit 2)
  system,         ///< a system operation failed: open, write, a missing program (exit 3)
};

/// "invalid input" or "system".
constexpr std::string_view name(ErrorKind kind) {
  return kind == ErrorKind::system ? "system" : "invalid input";
}

/// The input that an error is about: "positions", or with details after a space, "scaling yarn".
struct Subject {
  std::string text;
};

/// The exception type of this library. It says what was wrong, with the value found and the one
/// expected; a second sentence, which may be empty, says what to do about it.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& what, std::string remedy = {})
      : std::runtime_error(what), kind_(kind), remedy_(std::move(remedy)) {}

  /// The message is "SUBJECT: PROBLEM".
  Error(ErrorKind kind, const Subject& subject, const std::string& problem, std::string remedy = {})
      : std::runtime_error(subject.text + ": " + problem),
        kind_(kind),
        remedy_(std::move(remedy)),
        subject_(subject.text.substr(0, subject.text.find(' '))) {}

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& remedy() const noexcept { return remedy_; }

  /// The first word of the subject: "scaling". Empty if none was named. A program that has an
  /// option of that name can mention the option in its message.
  const std::string& subject() const noexcept { return subject_; }

 private:
  ErrorKind kind_;
  std::string remedy_;
  std::string subject_;
};

/// Sizes that do not fit together, or a size that is odd, zero or too large.
class ShapeError : public Error {
 public:
  explicit ShapeError(const std::string& what, std::string remedy = {})
      : Error(ErrorKind::invalid_input, what, std::move(remedy)) {}
  ShapeError(const Subject& subject, const std::string& problem, std::string remedy = {})
      : Error(ErrorKind::invalid_input, subject, problem, std::move(remedy)) {}
};

/// A number outside the range in which the mathematics is defined.
class DomainError : public Error {
 public:
  explicit DomainError(const std::string& what, std::string remedy = {})
      : Error(ErrorKind::invalid_input, what, std::move(remedy)) {}
  DomainError(const Subject& subject, const std::string& problem, std::string remedy = {})
      : Error(ErrorKind::invalid_input, subject, problem, std::move(remedy)) {}
};

/// A number as shown in messages: the shortest text that reads back as the same double.
inline std::string number_text(double value) {
  std::array<char, 32> digits{};
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

/// A file, process or device that failed.
class SystemError : public Error {
 public:
  explicit SystemError(const std::string& what, std::string remedy = {})
      : Error(ErrorKind::system, what, std::move(remedy)) {}
};

}  // namespace rope
