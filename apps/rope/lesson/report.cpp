#include "lesson/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace rope::app {
namespace {

using lesson::Step;

/// A label and what stands behind it, in one column.
void print_labelled(const Phrase& label, const std::string& text, Language language,
                    const Console& console) {
  console.say(fmt::format("{}{}{}", console.paint(Ink::strong, word(label, language)),
                          language == Language::zh ? "：" : ": ", text));
}

/// A command to copy: on a line of its own, never broken.
void print_command(const Phrase& label, const std::string& command, Language language,
                   const Console& console) {
  const std::string before =
      fmt::format("{}{}", word(label, language), language == Language::zh ? "：" : ": ");
  console.print(fmt::format("{}{}\n", before, command));
}

}  // namespace

void print_steps(std::span<const lesson::ShownStep> steps, Language language,
                 const Console& console) {
  Table table({{std::string(word({"step", "步"}, language)), Table::Align::right},
               {std::string(word({"minutes", "分钟"}, language)), Table::Align::right},
               {std::string(word({"shows", "讲什么"}, language)), Table::Align::left}});
  std::size_t minutes = 0;
  for (const lesson::ShownStep& shown : steps) {
    const Step& step = shown.step;
    minutes += step.minutes;
    table.add_row(
        {std::to_string(step.number), std::to_string(step.minutes), in(language, step.title)});
  }
  console.say(console.paint(
      Ink::strong,
      fmt::format(
          fmt::runtime(word({"{} steps, about {} minutes.", "共 {} 步，约 {} 分钟。"}, language)),
          steps.size(), minutes)));
  console.print(table, "");
  console.say(std::string(word(
      {"`rope lesson 5` shows one step, --short the ten-step path, and --answer the right answer; "
       "-o class/ writes the handout.",
       "`rope lesson 5 --lang zh` 展示其中一步；--short 是十步的短课，--answer 给出答案，-o class/ "
       "写出讲义。"},
      language)));
}

void print_bet(const Step& step, std::size_t of, Language language, const Console& console) {
  console.say(console.paint(
      Ink::strong,
      fmt::format(fmt::runtime(word({"Step {} of {}: {}", "第 {} 步，共 {} 步：{}"}, language)),
                  step.number, of, in(language, step.title))));
  print_labelled({"Bet", "先猜"}, in(language, step.bet.question), language, console);
  for (std::size_t i = 0; i < step.bet.choices.size(); ++i)
    console.say(fmt::format("{}  {}", lesson::letter_of(i), in(language, step.bet.choices[i].text)),
                2);
}

void print_shown(const lesson::ShownStep& shown, Language language, const Console& console) {
  const Step& step = shown.step;
  console.print("\n");
  console.say(in(language, step.say));
  console.print("    " + step.formula + "\n");
  print_command({"Type", "输入"}, lesson::command_line(step.command, language), language, console);
  print_command({"Draw", "画图"}, drawing_line(step, language), language, console);
  print_labelled({"Number", "数字"},
                 fmt::format(fmt::runtime(word({"{} ({})", "{}（{}）"}, language)),
                             in(language, step.convinces), word(step.kind, language)),
                 language, console);
  print_command({"Break", "故意改错"}, lesson::command_line(step.broken.command, language),
                language, console);
  console.say(in(language, step.broken.text), 2);
  if (!step.claims.empty())
    print_labelled({"Settles", "判定了"}, fmt::format("{}", fmt::join(step.claims, " ")), language,
                   console);
  for (const std::string& refused : shown.refused)
    console.say(console.paint(Ink::bad, "FAIL ") + refused);
}

void print_answer(const Step& step, Language language, const Console& console) {
  const std::size_t right = right_choice(step.bet);
  console.say(console.paint(
      Ink::good,
      fmt::format(fmt::runtime(word({"{}: {}", "{}：{}"}, language)), lesson::letter_of(right),
                  in(language, step.bet.choices[right].text))));
  console.say(in(language, step.answer));
  for (std::size_t i = 0; i < step.bet.choices.size(); ++i)
    if (i != right)
      console.say(fmt::format(fmt::runtime(word({"Not {}: {}", "不是 {}：{}"}, language)),
                              lesson::letter_of(i), in(language, step.bet.choices[i].thinks)));
}

void print_exercise(const Step& step, Language language, const Console& console) {
  print_labelled({"Exercise", "练习"}, in(language, step.exercise.ask), language, console);
  if (step.exercise.rotation)
    console.print(fmt::format("  rope lesson {} --exercise -o wiring.npy\n", step.number));
  console.print("  " + checking_line(step, language) + "\n");
}

void print_solution(const Step& step, Language language, const Console& console) {
  print_labelled({"Solution", "解答"}, in(language, step.exercise.solution), language, console);
  if (step.exercise.right) console.print("  " + step.exercise.right->is + "\n");
  console.print("  " + lesson::command_line(step.exercise.command, language) + "\n");
}

void print_notes(const Step& step, Language language, const Console& console) {
  console.say(
      console.paint(Ink::strong, fmt::format("{}  {}", step.number, in(language, step.title))));
  const std::size_t right = right_choice(step.bet);
  console.say(fmt::format(
      fmt::runtime(word({"{} minutes; the answer is {}: {}", "{} 分钟；答案是 {}：{}"}, language)),
      step.minutes, lesson::letter_of(right), in(language, step.bet.choices[right].text)));
  console.say(in(language, step.presenter));
}

void print_what_was_answered(const Step& step, Language language, const Console& console) {
  console.say(fmt::format(
      fmt::runtime(word({"This was read as the answer to rope lesson {} --exercise; to answer the "
                         "bet, give a letter, such as A.",
                         "这被当作 rope lesson {} --exercise 的答案；押注用字母回答，例如 A。"},
                        language)),
      step.number));
}

void print_judgement(const lesson::Judgement& judgement, Language language,
                     const Console& console) {
  if (judgement.right)
    console.say(console.paint(Ink::good, word({"Right.", "正确。"}, language)));
  else if (judgement.undecided)
    console.say(in(language, judgement.says));
  else
    console.say(console.paint(Ink::bad, word({"Not right.", "不对。"}, language)) +
                (language == Language::zh ? "" : " ") + in(language, judgement.says));
}

}  // namespace rope::app
