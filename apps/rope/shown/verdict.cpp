#include "shown/verdict.hpp"

#include "rope/language/said.hpp"
#include "rope/words/certification_text.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

Ink ink_of(Verdict verdict) {
  if (verdict == Verdict::pass) return Ink::good;
  return verdict == Verdict::inconclusive ? Ink::strong : Ink::bad;
}

}  // namespace

std::string painted_verdict(Verdict verdict, const Console& console) {
  const std::string_view code = verdict_word(verdict);
  return console.paint(ink_of(verdict),
                       console.language() == Language::en
                           ? std::string(code)
                           : fmt::format("{}（{}）", code, translated(code, console.language())));
}

void say_verdict(Verdict verdict, std::string_view why, const Console& console) {
  const Language language = console.language();
  console.say(said(language, "{}: {}", painted_verdict(verdict, console),
                   sentence(std::string(why), language)));
}

std::string outcome_word(bool violated, bool open, const Console& console) {
  const auto painted = [&](Ink ink, std::string_view word) {
    return console.paint(ink, translated(word, console.language()));
  };
  if (violated) return painted(Ink::bad, "FAIL");
  return open ? painted(Ink::strong, "open") : painted(Ink::good, "ok");
}

}  // namespace rope::app
