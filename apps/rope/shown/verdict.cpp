#include "shown/verdict.hpp"

#include <utility>

#include "shown/text.hpp"

namespace rope::app {
namespace {

std::pair<Ink, std::string_view> word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return {Ink::good, "PASS"};
    case Verdict::fail:
      return {Ink::bad, "FAIL"};
    case Verdict::inconclusive:
      return {Ink::strong, "INCONCLUSIVE"};
    case Verdict::self_test_failed:
      break;
  }
  return {Ink::bad, "SELF-TEST FAILED"};
}

}  // namespace

void say_verdict(Verdict verdict, std::string_view why, const Console& console) {
  const auto [ink, word] = word_of(verdict);
  console.say(console.paint(ink, word) + ": " + sentence(std::string(why)));
}

std::string outcome_word(bool violated, bool open, const Console& console) {
  if (violated) return console.paint(Ink::bad, "FAIL");
  return open ? console.paint(Ink::strong, "open") : console.paint(Ink::good, "ok");
}

}  // namespace rope::app
