#include "verify/verdict.hpp"

namespace rope::app {

ExitCode exit_code(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return ExitCode::done;
    case Verdict::fail:
      return ExitCode::check_failed;
    case Verdict::inconclusive:
      return ExitCode::inconclusive;
    case Verdict::self_test_failed:
      break;
  }
  return ExitCode::self_test_failed;
}

std::string verdict_line(Verdict verdict, const Console& console) {
  const auto line = [&](Ink ink, std::string_view word) {
    return "\n" + console.paint(ink, word) + "\n";
  };
  switch (verdict) {
    case Verdict::pass:
      return line(Ink::good, "PASS");
    case Verdict::fail:
      return line(Ink::bad, "FAIL");
    case Verdict::inconclusive:
      return line(Ink::strong, "INCONCLUSIVE");
    case Verdict::self_test_failed:
      break;
  }
  return line(Ink::bad, "SELF-TEST FAILED");
}

}  // namespace rope::app
