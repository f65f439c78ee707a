#include "rope/documents/junit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rope {
namespace {

/// The text as the value of an attribute: XML has no other control characters.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\n':
        safe += "&#10;";
        break;
      default:
        safe += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
  }
  return safe;
}

std::string case_xml(const std::string& suite, const JunitCase& one) {
  const std::string opening =
      fmt::format(R"(    <testcase classname="{}" name="{}")", escaped(suite), escaped(one.name));
  if (one.outcome == JunitCase::Outcome::passed) return opening + "/>\n";
  const char* const word = one.outcome == JunitCase::Outcome::failed ? "failure" : "skipped";
  return fmt::format("{}>\n      <{} message=\"{}\"/>\n    </testcase>\n", opening, word,
                     escaped(one.message));
}

}  // namespace

std::string junit_xml(const std::string& suite, std::span<const JunitCase> cases) {
  const auto count = [&](JunitCase::Outcome outcome) {
    return std::ranges::count(cases, outcome, &JunitCase::outcome);
  };
  std::string xml = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"{}\" "
      "tests=\"{}\" failures=\"{}\" skipped=\"{}\" errors=\"0\">\n",
      escaped(suite), cases.size(), count(JunitCase::Outcome::failed),
      count(JunitCase::Outcome::skipped));
  for (const JunitCase& one : cases) xml += case_xml(suite, one);
  return xml + "  </testsuite>\n</testsuites>\n";
}

}  // namespace rope
