// The handout as pages of HTML.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rope/claims/words.hpp"
#include "rope/glossary/term.hpp"
#include "rope/lesson/handout.hpp"
#include "rope/lesson/handout_phrases.hpp"
#include "rope/lesson/words.hpp"
#include "rope/markup/html.hpp"
#include "rope/markup/mathml.hpp"

namespace rope::lesson {
namespace {

constexpr std::string_view kLook = R"css(
:root { --paper: #fff; --ink: #1c2430; --soft: #5b6675; --line: #d5dbe3; --tint: #f3f6fa; --good: #00699e; --bad: #b3470f; }
.dark { --paper: #14181f; --ink: #e6eaf0; --soft: #a3afbf; --line: #343d4a; --tint: #1d232c; --good: #63b7ea; --bad: #f2925c; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 52rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1.06rem/1.6 system-ui, "Noto Sans", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.4rem; line-height: 1.3; margin: 0 0 .7rem; }
h3 { font-size: 1.05rem; margin: 1rem 0 .3rem; }
a { color: var(--good); }
nav ol { columns: 2 17rem; column-gap: 2.6rem; padding-left: 1.8rem; }
.bets > ol { columns: 2 19rem; column-gap: 2.6rem; padding-left: 1.8rem; }
.bets li { break-inside: avoid; margin-bottom: .5rem; }
.bets li li { margin: 0; color: var(--soft); }
.step, .sheet, .opening { border-top: 2px solid var(--line); margin-top: 2.2rem; padding-top: 1.4rem; }
.bet { background: var(--tint); border-left: .3rem solid var(--good); padding: .7rem 1rem; }
.bet p { margin: 0 0 .4rem; font-weight: 600; }
.bet ol { margin: 0; padding-left: 1.6rem; }
.say { font-size: 1.18rem; }
.formula { font-size: 1.25rem; line-height: 1.7; margin: .6rem 0; overflow: auto hidden; text-align: center; }
math { font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", "Libertinus Math", "DejaVu Math TeX Gyre", "Noto Sans Math", math; }
figure { margin: 1rem 0; }
img { display: block; width: 100%; height: auto; }
figcaption, .kind, .claims { color: var(--soft); font-size: .92rem; }
code { font: .9em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; background: var(--tint); padding: .1em .3em; overflow-wrap: anywhere; }
.number { font-weight: 600; }
.break { border-left: .3rem solid var(--bad); padding: .2rem 1rem; }
.break b { color: var(--bad); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); gap: 1rem; }
.card { border: 2px solid var(--line); border-radius: .5rem; padding: 1rem; break-inside: avoid; }
.card q { font-size: 1.1rem; font-weight: 600; }
.card .verdict { color: var(--bad); font-weight: 600; }
dl { columns: 2 20rem; font-size: .9rem; line-height: 1.35; margin: 0; }
dt { font-weight: 600; break-after: avoid; }
dd { margin: 0 0 .35rem; color: var(--soft); }
@media (max-width: 30rem) { .formula { font-size: .84rem; } }
@page { size: A4; margin: 14mm; }
@media print {
  :root { font-size: 10pt; }
  body { max-width: none; padding: 0; font-size: 10pt; line-height: 1.4; }
  .formula { overflow: visible; }
  .claims p, .claims ul { margin: .1rem 0; }
  .step { break-before: page; border: 0; margin: 0; padding: 0; }
  .sheet { break-before: page; border: 0; margin: 0; padding: 0; }
  .bets > ol { columns: 2; font-size: 9pt; line-height: 1.3; }
  .bet, .break, figure, li, tr { break-inside: avoid; }
  .cards { grid-template-columns: 1fr 1fr; gap: .6rem; line-height: 1.3; }
  .card { padding: .35rem .7rem; font-size: 9.3pt; }
  .card p { margin: .2rem 0; }
  .card q { font-size: 10pt; }
  dl { columns: 3; font-size: 7.3pt; line-height: 1.17; }
  dd { margin-bottom: .15rem; }
  figure { margin: .6rem 0; }
  figure img { max-height: 7.4cm; width: auto; max-width: 100%; }
  nav a { color: inherit; text-decoration: none; }
}
)css";

/// Bytes as text that an address can hold (RFC 4648).
std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8U | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += i + j > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * j) & 63U];
  }
  return text;
}

std::string html(Language language, const Text& text) {
  return markup::sentence_html(in(language, text));
}

std::string page(const Handout& handout, std::string_view title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"{}\"{}>\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
      "style-src 'unsafe-inline'\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}"
      "</body>\n</html>\n",
      handout.language == Language::zh ? "zh-CN" : "en", handout.dark ? " class=\"dark\"" : "",
      title, kLook, body);
}

std::string choices(const Step& step, Language language) {
  std::string list = "<ol type=\"a\">\n";
  for (const Choice& choice : step.bet.choices)
    list += fmt::format("<li>{}</li>\n", html(language, choice.text));
  return list + "</ol>\n";
}

std::string step_section(const ShownStep& shown, const std::string& picture, Language language) {
  const Step& step = shown.step;
  std::string text = fmt::format("<section class=\"step\" id=\"{}\">\n<h2>{}. {}</h2>\n", step.id,
                                 step.number, html(language, step.title));
  text += fmt::format("<div class=\"bet\">\n<p>{}</p>\n{}</div>\n",
                      html(language, step.bet.question), choices(step, language));
  text += fmt::format("<p class=\"say\">{}</p>\n<div class=\"formula\">{}</div>\n",
                      html(language, step.say), markup::mathml(step.formula));
  text += fmt::format(
      "<figure>\n<img src=\"data:image/png;base64,{}\" alt=\"{}\">\n"
      "<figcaption><code>{}</code></figcaption>\n</figure>\n",
      base64(picture), markup::html_text(in(language, step.convinces)),
      markup::html_text(drawing_line(step, language)));
  text += fmt::format(
      "<p class=\"number\">{} <span class=\"kind\">{}</span></p>\n<p><code>{}</code></p>\n",
      html(language, step.convinces), in_brackets(word(step.kind, language), language),
      markup::html_text(command_line(step.command, language)));
  text +=
      fmt::format("<div class=\"break\">\n<p><b>{}</b> {}</p>\n<p><code>{}</code></p>\n</div>\n",
                  word({"Break it:", "故意改错："}, language), html(language, step.broken.text),
                  markup::html_text(command_line(step.broken.command, language)));
  text += fmt::format("<h3>{}</h3>\n<p>{}</p>\n<p><code>{}</code></p>\n",
                      word({"Exercise", "练习"}, language), html(language, step.exercise.ask),
                      markup::html_text(checking_line(step, language)));
  if (!step.claims.empty()) {
    text += fmt::format("<div class=\"claims\">\n<p>{}</p>\n<ul>\n", word(kSettled, language));
    for (const std::string& id : step.claims)
      text += fmt::format("<li>{}: {}</li>\n", id, html(language, claims::statement(id).says));
    text += "</ul>\n</div>\n";
  }
  return text + "</section>\n";
}

std::string card(const Step& step, Language language) {
  const Misunderstanding& one = *step.misunderstanding;
  return fmt::format(
      "<div class=\"card\">\n<p><q>{}</q></p>\n<p class=\"verdict\">{}</p>\n<p>{}</p>\n"
      "<p class=\"claims\">{} · {}</p>\n</div>\n",
      html(language, one.people_say), judgement_word(one.verdict, language),
      html(language, one.decides),
      fmt::format(fmt::runtime(word({"step {}", "第 {} 步"}, language)), step.number),
      markup::html_text(fmt::format("{}", fmt::join(one.threads, ", "))));
}

/// Every term in a line, for one page of paper.
std::string glossary_section(Language language) {
  std::string list;
  for (const glossary::Term& term : glossary::terms())
    list += fmt::format("<dt>{}</dt>\n<dd>{}</dd>\n", html(language, term.name),
                        html(language, term.few_words));
  return fmt::format(
      "<section class=\"sheet\" id=\"glossary\">\n<h2>{}</h2>\n<dl>\n{}</dl>\n</section>\n",
      word({"Glossary", "术语"}, language), list);
}

/// Every bet, for a class that writes them down before it is shown anything.
std::string bets_section(const Handout& handout) {
  std::string list;
  for (const ShownStep& shown : handout.steps)
    list += fmt::format("<li value=\"{}\">{}\n{}</li>\n", shown.step.number,
                        html(handout.language, shown.step.bet.question),
                        choices(shown.step, handout.language));
  return fmt::format(
      "<section class=\"sheet bets\" id=\"bets\">\n<h2>{}</h2>\n<p>{}</p>\n<ol>\n{}</ol>\n"
      "</section>\n",
      word(kBets, handout.language), word(kBetFirst, handout.language), list);
}

/// What the solutions say of the statements that a step settles.
std::string verdicts(const Step& step, Language language) {
  if (step.claims.empty()) return "";
  std::string list;
  for (const std::string& id : step.claims) {
    const claims::Claim& claim = claims::statement(id);
    list += fmt::format("<li>{} <b>{}</b> {}</li>\n", id, word(claim.verdict, language),
                        html(language, claim.right));
  }
  return fmt::format("<div class=\"claims\">\n<p>{}</p>\n<ul>\n{}</ul>\n</div>\n",
                     word(kVerdictsOnThem, language), list);
}

std::vector<const Step*> by_misunderstanding(std::span<const ShownStep> steps) {
  std::vector<const Step*> all;
  for (const ShownStep& shown : steps)
    if (shown.step.misunderstanding) all.push_back(&shown.step);
  std::ranges::sort(all, {}, [](const Step* step) { return step->misunderstanding->number; });
  return all;
}

}  // namespace

std::string lesson_page(const Handout& handout, std::span<const std::string> pictures) {
  const Language language = handout.language;
  const std::string_view title =
      word({"Rotary position embeddings, step by step", "旋转位置编码，一步一步"}, language);
  std::string body =
      fmt::format("<header>\n<h1>{}</h1>\n<p>{}</p>\n</header>\n<nav>\n<ol>\n", title,
                  word({"Bet first, then look. Every number here was computed by rope; you can run "
                        "every command yourself.",
                        "先猜，再看。这里的每个数都由 rope 算出，每条命令都可以照着输入。"},
                       language));
  for (const ShownStep& shown : handout.steps)
    body += fmt::format("<li value=\"{}\"><a href=\"#{}\">{}</a></li>\n", shown.step.number,
                        shown.step.id, html(language, shown.step.title));
  body += fmt::format("</ol>\n</nav>\n<main>\n<section class=\"opening\">\n<h2>{}</h2>\n",
                      word({"Before the first step", "开场"}, language));
  for (const Phrase& line : kOpening)
    body += fmt::format("<p>{}</p>\n", markup::sentence_html(word(line, language)));
  body +=
      fmt::format("<div class=\"formula\">{}</div>\n</section>\n", markup::mathml(kPairFormula));
  body += bets_section(handout);
  for (std::size_t i = 0; i < handout.steps.size(); ++i)
    body += step_section(handout.steps[i], pictures[i], language);
  body += fmt::format(
      "<section class=\"sheet\" id=\"cards\">\n<h2>{}</h2>\n<p class=\"claims\">{}</p>\n"
      "<div class=\"cards\">\n",
      word({"What many people believe", "许多人这样以为"}, language), word(kThreads, language));
  for (const Step* step : by_misunderstanding(handout.steps)) body += card(*step, language);
  body += "</div>\n</section>\n" + glossary_section(language) + "</main>\n";
  return page(handout, title, body);
}

std::string solutions_page(const Handout& handout) {
  const Language language = handout.language;
  const std::string_view title = word({"Answers and solutions", "答案与解答"}, language);
  std::string body = fmt::format("<main>\n<h1>{}</h1>\n", title);
  for (const ShownStep& shown : handout.steps) {
    const Step& step = shown.step;
    const std::size_t right = right_choice(step.bet);
    body += fmt::format("<h2>{}. {}</h2>\n<p><b>{}: {}</b></p>\n<p>{}</p>\n<ul>\n", step.number,
                        html(language, step.title), letter_of(right),
                        html(language, step.bet.choices[right].text), html(language, step.answer));
    for (std::size_t i = 0; i < step.bet.choices.size(); ++i)
      if (i != right)
        body += fmt::format("<li>{}: {}</li>\n", letter_of(i),
                            html(language, step.bet.choices[i].thinks));
    body += fmt::format("</ul>\n<h3>{}</h3>\n<p>{}</p>\n<p>{}</p>\n<p><code>{}</code></p>\n",
                        word({"Exercise", "练习"}, language),
                        step.exercise.right ? markup::html_text(step.exercise.right->is) : "y.npy",
                        html(language, step.exercise.solution),
                        markup::html_text(command_line(step.exercise.command, language)));
    body += verdicts(step, language);
  }
  return page(handout, title, body + "</main>\n");
}

}  // namespace rope::lesson
