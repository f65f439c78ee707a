#include "rope/lesson/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rope::lesson {
namespace {

constexpr std::array<Phrase, 4> kKindWords = {
    {{"exact", "精确"},
     {"to rounding", "舍入误差之内"},
     {"on seeded examples", "固定种子的例子"},
     {"a habit of models, not of RoPE", "模型的习惯，不是 RoPE 的性质"}}};

}  // namespace

std::string_view word(Kind kind, Language language) {
  return word(kKindWords[static_cast<std::size_t>(kind)], language);
}

std::string_view judgement_word(const std::string& verdict, Language language) {
  if (verdict == "true") return word({"true", "对"}, language);
  return verdict == "false" ? word({"false", "不对"}, language)
                            : word({"it depends", "看情况"}, language);
}

char letter_of(std::size_t i) { return static_cast<char>('a' + i); }

std::size_t right_choice(const Bet& bet) {
  const auto right = std::ranges::find(bet.choices, true, &Choice::right);
  return static_cast<std::size_t>(right - bet.choices.begin());
}

std::string command_line(const std::string& command, Language language) {
  constexpr std::array<std::string_view, 6> kTranslated = {"rope verify ",      "rope score ",
                                                           "rope rotate ",      "rope decay ",
                                                           "rope wavelengths ", "rope matrix "};
  const bool translated = std::ranges::any_of(
      kTranslated, [&](std::string_view begin) { return command.starts_with(begin); });
  return command + (translated && language == Language::zh ? " --lang zh" : "");
}

std::string drawing_line(const Step& step, Language language) {
  return step.picture + (language == Language::zh ? " --lang zh" : "") + " --show";
}

std::string checking_line(const Step& step, Language language) {
  return fmt::format("rope lesson {} --answer {}", step.number,
                     step.exercise.rotation ? "y.npy" : word({"NUMBER", "数字"}, language));
}

}  // namespace rope::lesson
