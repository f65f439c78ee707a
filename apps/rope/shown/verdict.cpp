#include "shown/verdict.hpp"

#include "rope/words/certification_text.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

Ink ink_of(Verdict verdict) {
  if (verdict == Verdict::pass) return Ink::good;
  return verdict == Verdict::inconclusive ? Ink::strong : Ink::bad;
}

}  // namespace

void say_verdict(Verdict verdict, std::string_view why, const Console& console) {
  console.say(console.paint(ink_of(verdict), verdict_word(verdict)) + ": " +
              sentence(std::string(why)));
}

std::string outcome_word(bool violated, bool open, const Console& console) {
  if (violated) return console.paint(Ink::bad, "FAIL");
  return open ? console.paint(Ink::strong, "open") : console.paint(Ink::good, "ok");
}

}  // namespace rope::app
