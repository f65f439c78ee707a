// The handout in Markdown.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rope/claims/words.hpp"
#include "rope/glossary/term.hpp"
#include "rope/lesson/handout.hpp"
#include "rope/lesson/handout_phrases.hpp"
#include "rope/lesson/words.hpp"

namespace rope::lesson {
namespace {

/// What Markdown would take for marks of its own stands for itself, code excepted.
std::string escaped(std::string_view text) {
  std::string safe;
  bool code = false;
  for (const char c : text) {
    if (c == '`') code = !code;
    if (!code && (c == '*' || c == '_' || c == '<' || c == '|' || c == '[' || c == '\\'))
      safe += '\\';
    safe += c;
  }
  return safe;
}

std::string escaped(Language language, const Text& text) { return escaped(in(language, text)); }

/// "- (a) larger", a line each.
std::string choice_lines(const Step& step, Language language, std::string_view indent = "") {
  std::string text;
  for (std::size_t i = 0; i < step.bet.choices.size(); ++i)
    text += fmt::format("{}- ({}) {}\n", indent, letter_of(i),
                        escaped(language, step.bet.choices[i].text));
  return text;
}

std::string heading(const Step& step, Language language) {
  return fmt::format("## {}. {}\n\n", step.number, escaped(language, step.title));
}

}  // namespace

std::string lesson_markdown(const Handout& handout) {
  const Language language = handout.language;
  std::string text = fmt::format(
      "# {}\n\n",
      word({"Rotary position embeddings, step by step", "旋转位置编码，一步一步"}, language));
  text += fmt::format("## {}\n\n", word({"Before the first step", "开场"}, language));
  for (const Phrase& line : kOpening) text += escaped(word(line, language)) + "\n\n";
  text += fmt::format("`{}`\n\n", kPairFormula);
  text += fmt::format("## {}\n\n{}\n\n", word(kBets, language), word(kBetFirst, language));
  for (const ShownStep& shown : handout.steps)
    text +=
        fmt::format("{}. {}\n{}\n", shown.step.number, escaped(language, shown.step.bet.question),
                    choice_lines(shown.step, language, "   "));
  for (const ShownStep& shown : handout.steps) {
    const Step& step = shown.step;
    text += heading(step, language);
    text += fmt::format("**{}**\n\n{}", escaped(language, step.bet.question),
                        choice_lines(step, language));
    text += fmt::format("\n{}\n\n`{}`\n\n![{}]({})\n\n", escaped(language, step.say), step.formula,
                        escaped(language, step.convinces), picture_name(step));
    text += fmt::format("**{}** {}\n\n```sh\n{}\n{}\n```\n\n", escaped(language, step.convinces),
                        in_brackets(word(step.kind, language), language),
                        command_line(step.command, language), drawing_line(step, language));
    text += fmt::format("{} {}\n\n```sh\n{}\n```\n\n", word({"Break it:", "故意改错："}, language),
                        escaped(language, step.broken.text),
                        command_line(step.broken.command, language));
    text += fmt::format("### {}\n\n{}\n\n```sh\n{}\n```\n\n", word({"Exercise", "练习"}, language),
                        escaped(language, step.exercise.ask), checking_line(step, language));
    if (!step.claims.empty()) text += std::string(word(kSettled, language)) + "\n\n";
    for (const std::string& id : step.claims)
      text += fmt::format("- {}: {}\n", id, escaped(language, claims::statement(id).says));
    text += "\n";
  }
  text +=
      fmt::format("## {}\n\n{}\n\n", word({"What many people believe", "许多人这样以为"}, language),
                  word(kThreads, language));
  for (const ShownStep& shown : handout.steps)
    if (const auto& one = shown.step.misunderstanding)
      text += fmt::format("- “{}” **{}**{} {} ({})\n", escaped(language, one->people_say),
                          judgement_word(one->verdict, language), word({".", "。"}, language),
                          escaped(language, one->decides),
                          escaped(fmt::format("{}", fmt::join(one->threads, ", "))));
  text += fmt::format("\n## {}\n\n", word({"Glossary", "术语"}, language));
  for (const glossary::Term& term : glossary::terms())
    text += fmt::format("- **{}**{} {}\n", escaped(language, term.name),
                        word({":", "："}, language), escaped(language, term.few_words));
  return text;
}

std::string solutions_markdown(const Handout& handout) {
  const Language language = handout.language;
  std::string text =
      fmt::format("# {}\n\n", word({"Answers and solutions", "答案与解答"}, language));
  for (const ShownStep& shown : handout.steps) {
    const Step& step = shown.step;
    const std::size_t right = right_choice(step.bet);
    text += heading(step, language);
    text += fmt::format("**({}) {}**\n\n{}\n\n", letter_of(right),
                        escaped(language, step.bet.choices[right].text),
                        escaped(language, step.answer));
    for (std::size_t i = 0; i < step.bet.choices.size(); ++i)
      if (i != right)
        text +=
            fmt::format("- ({}) {}\n", letter_of(i), escaped(language, step.bet.choices[i].thinks));
    text += fmt::format(
        "\n### {}\n\n{}{}\n\n```sh\n{}\n```\n\n", word({"Exercise", "练习"}, language),
        step.exercise.right ? "**" + step.exercise.right->is + "** " : "",
        escaped(language, step.exercise.solution), command_line(step.exercise.command, language));
    if (!step.claims.empty()) text += fmt::format("{}\n\n", word(kVerdictsOnThem, language));
    for (const std::string& id : step.claims) {
      const claims::Claim& claim = claims::statement(id);
      text += fmt::format("- {} **{}** {}\n", id, word(claim.verdict, language),
                          escaped(language, claim.right));
    }
    text += "\n";
  }
  return text;
}

std::string notes_markdown(const Handout& handout) {
  const Language language = handout.language;
  std::string text = fmt::format("# {}\n\n", word({"The teacher's notes", "教师备注"}, language));
  std::size_t minutes = 0;
  for (const ShownStep& shown : handout.steps) minutes += shown.step.minutes;
  text += fmt::format(
      fmt::runtime(
          word({"The steps take about {} minutes, not counting the bets on paper and the "
                "cards. `rope lesson --short -o class/` writes a 45-minute path of ten steps.",
                "各步共约 {} 分钟，不含纸上先猜和卡片。`rope lesson --short -o class/` "
                "写出 45 分钟的十步。"},
               language)),
      minutes);
  text += "\n\n";
  for (const ShownStep& shown : handout.steps) {
    const Step& step = shown.step;
    text += heading(step, language);
    text += fmt::format(
        fmt::runtime(
            word({"{} minutes; the right answer is ({})", "{} 分钟；答案是 ({})"}, language)),
        step.minutes, letter_of(right_choice(step.bet)));
    text += "\n\n" + escaped(language, step.presenter) + "\n\n";
    text += fmt::format("```sh\n{}\n{}\n{}\n```\n\n{}\n\n", command_line(step.command, language),
                        drawing_line(step, language), command_line(step.broken.command, language),
                        escaped(language, step.answer));
    for (std::size_t i = 0; i < step.bet.choices.size(); ++i)
      if (!step.bet.choices[i].right)
        text +=
            fmt::format("- ({}) {}\n", letter_of(i), escaped(language, step.bet.choices[i].thinks));
    text += "\n";
  }
  return text;
}

}  // namespace rope::lesson
