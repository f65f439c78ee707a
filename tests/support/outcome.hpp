#pragma once

#include <gtest/gtest.h>

#include <string>

#include "rope/error.hpp"

namespace rope::test {

/// What became of an action: what failed, its remedy, and whose fault it is.
struct Outcome {
  std::string what = "accepted";
  std::string remedy;
  std::string subject;
  ErrorKind kind = ErrorKind::system;
};

template <typename Action>
Outcome outcome(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "one line";
    return {error.what(), error.remedy(), error.subject(), error.kind()};
  }
  return {};
}

/// The message of an action that is refused for what was given to it; else "accepted".
template <typename Action>
std::string refusal(const Action& action) {
  const Outcome result = outcome(action);
  EXPECT_TRUE(result.what == "accepted" || result.kind == ErrorKind::invalid_input) << result.what;
  return result.what;
}

/// Expects an action to be refused with this message, and a remedy: this one, where it is given.
template <typename Action>
void expect_refused(const Action& action, const std::string& message,
                    const std::string& remedy = {}) {
  const Outcome result = outcome(action);
  EXPECT_EQ(result.what, message);
  EXPECT_FALSE(result.remedy.empty()) << message;
  EXPECT_TRUE(remedy.empty() || result.remedy == remedy) << result.remedy;
}

}  // namespace rope::test
