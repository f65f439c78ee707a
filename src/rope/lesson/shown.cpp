#include "rope/lesson/shown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "rope/claims/quantity.hpp"
#include "rope/claims/words.hpp"
#include "rope/error.hpp"
#include "rope/lesson/answers.hpp"

namespace rope::lesson {
namespace {

using claims::Measurement;
using claims::Relation;

/// Every text of a step that may name numbers, and whether numbers may stand in it that are none of
/// ours: what people believe, and what they bet.
struct NamedText {
  Text* text;
  bool beliefs = false;
};

std::vector<NamedText> texts_of(Step& step) {
  std::vector<NamedText> all = {{&step.title},          {&step.bet.question}, {&step.say},
                                {&step.convinces},      {&step.broken.text},  {&step.answer},
                                {&step.presenter, true}};
  for (Choice& choice : step.bet.choices) {
    all.push_back({&choice.text, !choice.right});
    all.push_back({&choice.thinks});
  }
  if (step.misunderstanding) {
    all.push_back({&step.misunderstanding->people_say, true});
    all.push_back({&step.misunderstanding->decides});
  }
  all.push_back({&step.exercise.ask});
  all.push_back({&step.exercise.hint});
  all.push_back({&step.exercise.solution});
  for (Mistake& mistake : step.exercise.mistakes) all.push_back({&mistake.says});
  return all;
}

/// The text in both languages.
std::array<std::string*, 2> languages(Text& text) { return {&text.zh, &text.en}; }

/// Replaces what `value_of` knows; the braces of an index or a power are no name.
std::string filled(const std::string& text,
                   const std::function<std::string(const std::string&)>& value_of) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const bool name = text[at] == '{' && (at == 0 || (text[at - 1] != '_' && text[at - 1] != '^'));
    const std::size_t end = name ? text.find('}', at) : std::string::npos;
    if (end == std::string::npos) {
      result += text[at++];
      continue;
    }
    result += value_of(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return result;
}

/// Numbers that were chosen: those of the commands and of the parameters.
std::set<std::string> chosen_numbers(const Step& step) {
  std::set<std::string> chosen = {"0", "1", "2"};  // pairs, dimensions, from where we count
  const auto add = [&](const std::string& text) {
    std::string words = text;
    for (char& c : words)
      if (!claims::is_digit(c) && c != '.') c = ' ';
    for (std::string& number : claims::numbers_in(words)) chosen.insert(std::move(number));
  };
  for (const std::string* command :
       {&step.command, &step.picture, &step.broken.command, &step.exercise.command, &step.formula})
    add(*command);
  for (const Number& number : step.numbers) add(number.measured.parameters);
  add(step.broken.check.measured.parameters);
  if (step.broken.check.other) add(step.broken.check.other->parameters);
  if (step.exercise.right) add(step.exercise.right->measured.parameters);
  for (const Mistake& mistake : step.exercise.mistakes) add(mistake.measured.parameters);
  if (const auto& task = step.exercise.rotation) {
    add(fmt::format("{} {} {} {}", task->dim, task->base, task->positions, task->positions - 1));
  }
  return chosen;
}

/// Computes the numbers of one step.
class Shown {
 public:
  explicit Shown(const Step& step) : shown_{step, {}, {}} {}

  ShownStep take() {
    compute_numbers();
    check_break();
    fill_texts();
    check_answers();
    return std::move(shown_);
  }

 private:
  void refuse(const std::string& why) {
    if (std::ranges::count(shown_.refused, why) == 0) shown_.refused.push_back(why);
  }

  /// What the quantity comes to, as printed; refused where the file says another number.
  std::string printed(const Measurement& measured, const std::string& is, const std::string& name) {
    try {
      const claims::ClauseResult result =
          claims::check_clause({measured, Relation::is, {is}, {}, {}, {}});
      std::string text = as_written(result.numbers.front(), is);
      if (!result.holds) refuse(fmt::format("{} is {}, but the file says {}", name, text, is));
      return text;
    } catch (const Error& error) {
      refuse(name + ": " + error.what());
      return is;
    }
  }

  void compute_numbers() {
    for (const Number& number : shown_.step.numbers)
      values_[number.name] = printed(number.measured, number.is, number.name);
    Exercise& exercise = shown_.step.exercise;
    if (exercise.right)
      exercise.right->is =
          printed(exercise.right->measured, exercise.right->is, "the answer to the exercise");
    for (Mistake& mistake : exercise.mistakes)
      mistake.is = printed(mistake.measured, mistake.is, "a mistake of the exercise");
  }

  void check_break() {
    try {
      shown_.broken = claims::check_clause(shown_.step.broken.check);
      if (shown_.broken.holds) refuse("the break breaks nothing: its check still passes");
      values_["off"] = fmt::format("{:.3g}", shown_.broken.off);
      values_["allowed"] = fmt::format("{:.3g}", shown_.broken.allowed);
    } catch (const Error& error) {
      refuse(std::string("the check for the break: ") + error.what());
    }
  }

  void fill_texts() {
    std::set<std::string> named = {"off", "allowed"};
    const std::set<std::string> chosen = chosen_numbers(shown_.step);
    for (const auto& [text, beliefs] : texts_of(shown_.step))
      for (std::string* words : languages(*text)) {
        if (!beliefs)
          for (const std::string& number :
               claims::numbers_in(filled(*words, [](const std::string&) { return std::string(); })))
            if (!chosen.contains(number))
              refuse(fmt::format("{} in «{}» is neither computed nor chosen", number, *words));
        *words = filled(*words, [&](const std::string& name) {
          named.insert(name);
          if (values_.contains(name)) return values_.at(name);
          refuse(fmt::format("no number is called '{}'", name));
          return "{" + name + "}";
        });
      }
    for (const Number& number : shown_.step.numbers)
      if (!named.contains(number.name)) refuse("no text names {" + number.name + "}");
  }

  /// Everybody's own number must be judged as what it is.
  void check_answers() {
    const Exercise& exercise = shown_.step.exercise;
    if (!exercise.right) return;
    if (!judge_number(exercise, exercise.right->is).right)
      refuse("the right answer to the exercise is judged wrong");
    for (const Mistake& mistake : exercise.mistakes) {
      const Judgement judgement = judge_number(exercise, mistake.is);
      if (judgement.right || judgement.says.en != mistake.says.en)
        refuse(fmt::format("{} is too close to another answer to the exercise", mistake.is));
    }
  }

  ShownStep shown_;
  std::map<std::string, std::string> values_;
};

}  // namespace

std::string as_written(double value, const std::string& written) {
  const std::size_t exponent = written.find_first_of("eE");
  const std::size_t point = written.find('.');
  const std::size_t end = std::min(exponent, written.size());
  const int digits = point == std::string::npos ? 0 : static_cast<int>(end - point - 1);
  std::string text = exponent == std::string::npos ? fmt::format("{:.{}f}", value, digits)
                                                   : fmt::format("{:.{}e}", value, digits);
  if (text.find_first_of("123456789") == std::string::npos && text.starts_with('-'))
    text.erase(0, 1);
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

ShownStep with_numbers(const Step& step) { return Shown(step).take(); }

}  // namespace rope::lesson
