#include "claims/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "rope/claims/words.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

/// A verdict as the head of a column names it.
std::string_view short_word(claims::Verdict verdict, Language language) {
  switch (verdict) {
    case claims::Verdict::condition:
      return word({"condition", "有条件"}, language);
    case claims::Verdict::documentary:
      return word({"no number", "非数值"}, language);
    case claims::Verdict::tested:
      return word({"tested", "有测试"}, language);
    case claims::Verdict::defined:
      return word({"defined", "约定"}, language);
    default:
      return word(verdict, language);
  }
}

Ink ink_of(claims::Verdict verdict) {
  if (verdict == claims::Verdict::holds || verdict == claims::Verdict::tested) return Ink::good;
  return verdict == claims::Verdict::wrong ? Ink::bad : Ink::strong;
}

/// What the row says of the i-th number of a quantity: "0.95", "≤ 0.05", "0 ± 3e-14".
std::string said(const claims::Clause& clause, const claims::ClauseResult& result, std::size_t i) {
  using claims::Relation;
  if (clause.relation == Relation::explained) return "0 ± " + three_digits(result.allowed);
  const std::string number = clause.says.empty() ? six_digits(result.compared[i]) : clause.says[i];
  if (clause.relation == Relation::at_most) return "≤ " + number;
  return clause.relation == Relation::at_least ? "≥ " + number : number;
}

/// The number itself, with as many digits as are said of it where those are more than six.
std::string computed(const claims::Clause& clause, const claims::ClauseResult& result,
                     std::size_t i) {
  const std::string said_of_it = clause.says.empty() ? std::string() : clause.says[i];
  const std::string_view mantissa =
      std::string_view(said_of_it).substr(0, said_of_it.find_first_of("eE"));
  const auto digits = std::ranges::count_if(mantissa, [](char c) { return c >= '0' && c <= '9'; });
  return digits > 6 ? fmt::format("{:.{}g}", result.numbers[i], digits)
                    : six_digits(result.numbers[i]);
}

/// "true", or by how much it is not.
std::string came_to(const claims::ClauseResult& result, Language language) {
  if (result.holds) return std::string(word({"true", "真"}, language));
  return fmt::format(fmt::runtime(word({"off by {}", "差 {}"}, language)),
                     three_digits(result.off));
}

/// Reading, what is said, what it is, what came of it, and what was measured; of a list a row each
/// number.
using ResultRow = std::vector<std::string>;
std::vector<ResultRow> result_rows(const claims::CheckedClaim& checked, Language language) {
  constexpr std::size_t kMost = 6;  // of a list
  std::vector<ResultRow> rows;
  for (std::size_t i = 0; i < checked.result.readings.size(); ++i) {
    const claims::Reading& reading = checked.claim->readings[i];
    for (std::size_t j = 0; j < reading.clauses.size(); ++j) {
      const claims::Clause& clause = reading.clauses[j];
      const claims::ClauseResult& result = checked.result.readings[i].clauses[j];
      for (std::size_t n = 0; n < result.numbers.size() && n < kMost; ++n)
        rows.push_back({j + n == 0 ? std::string(word(reading.role, language)) : std::string(),
                        said(clause, result, n), computed(clause, result, n),
                        n == 0 ? came_to(result, language) : std::string(),
                        n == 0 ? name_of(clause, language) : std::string()});
    }
  }
  return rows;
}

ResultRow headings(Language language) {
  return {"", std::string(word({"says", "所说"}, language)),
          std::string(word({"is", "算得"}, language)), "",
          std::string(word({"quantity", "量"}, language))};
}

/// Where a statement stands: "article 000, line 164".
std::string place(const claims::CheckedClaim& checked, Language language) {
  return fmt::format(fmt::runtime(word({"article {}, line {}", "文章 {}，第 {} 行"}, language)),
                     checked.article->number, checked.claim->line);
}

/// The quotation on one line, in its marks.
std::string quotation(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return "«" + text + "»";
}

/// "docs/theory.md: «…», «…»": where a statement of our own stands.
std::string quotations(const claims::Place& place) {
  std::vector<std::string> quotes;
  for (const std::string& quote : place.quotes) quotes.push_back(quotation(quote));
  return fmt::format("{}: {}", place.file, fmt::join(quotes, ", "));
}

Table readings_table(const claims::CheckedClaim& checked, Language language) {
  using Align = Table::Align;
  const ResultRow heading = headings(language);
  Table table({{heading[0], Align::left},
               {heading[1]},
               {heading[2]},
               {heading[3], Align::left},
               {heading[4], Align::left}});
  for (ResultRow& row : result_rows(checked, language)) table.add_row(std::move(row));
  return table;
}

/// "same: S0-36 · against: S4-16": what other statements say.
void print_relations(const claims::Claim& claim, Language language, const Console& console) {
  if (!claim.same.empty())
    console.say(labelled({"Agrees with", "同样的说法"}, joined(claim.same, language), language));
  if (!claim.against.empty())
    console.say(labelled({"Contradicts", "相反的说法"}, joined(claim.against, language), language));
}

/// How many there are of a verdict: "54 are wrong".
struct CountPhrase {
  claims::Verdict verdict;
  Phrase one, several;
};
constexpr std::array<CountPhrase, 8> kCountPhrases = {
    {{claims::Verdict::holds, {"{} holds", "{} 条成立"}, {"{} hold", "{} 条成立"}},
     {claims::Verdict::condition,
      {"{} holds with a condition", "{} 条有条件成立"},
      {"{} hold with a condition", "{} 条有条件成立"}},
     {claims::Verdict::wrong, {"{} is wrong", "{} 条错误"}, {"{} are wrong", "{} 条错误"}},
     {claims::Verdict::misleading,
      {"{} is misleading", "{} 条易误导"},
      {"{} are misleading", "{} 条易误导"}},
     {claims::Verdict::ambiguous,
      {"{} is ambiguous", "{} 条有歧义"},
      {"{} are ambiguous", "{} 条有歧义"}},
     {claims::Verdict::documentary,
      {"{} cannot be settled by a calculation", "{} 条无数可定"},
      {"{} cannot be settled by a calculation", "{} 条无数可定"}},
     {claims::Verdict::tested,
      {"{} is backed by tests", "{} 条由测试保证"},
      {"{} are backed by tests", "{} 条由测试保证"}},
     {claims::Verdict::defined,
      {"{} is true by definition", "{} 条是约定"},
      {"{} are true by definition", "{} 条是约定"}}}};

/// "Of 237 statements about RoPE, 84 hold, 54 are wrong, …"
std::string answer_text(const claims::Ledger& answer, Language language) {
  std::map<claims::Verdict, std::size_t> counts;
  for (const claims::CheckedClaim& one : answer.checked) ++counts[one.claim->verdict];
  std::vector<std::string> parts;
  for (const CountPhrase& phrase : kCountPhrases)
    if (const std::size_t count = counts[phrase.verdict]; count > 0)
      parts.push_back(fmt::format(
          fmt::runtime(word(count == 1 ? phrase.one : phrase.several, language)), count));
  const std::size_t refused = answer.refused().size();
  const std::size_t all = answer.checked.size();
  const auto measured = std::ranges::count_if(
      answer.checked, [](const auto& one) { return !one.claim->readings.empty(); });
  const std::string listing = language == Language::zh
                                  ? fmt::format("{} 条说法：{}。", all, fmt::join(parts, "，"))
                                  : fmt::format("Of {} statement{} about RoPE, {}.", all,
                                                all == 1 ? "" : "s", listed(parts));
  const Phrase phrase =
      refused == 0
          ? Phrase{" Verdicts recomputed just now: {}.", "其中 {} 条的判定刚刚由数重新推出。"}
          : Phrase{" Verdicts that contradict their numbers: {}.", "有 {} 条与所算的数不符。"};
  return listing + fmt::format(fmt::runtime(word(phrase, language)),
                               refused == 0 ? static_cast<std::size_t>(measured) : refused);
}

void print_refused(const claims::Ledger& answer, Language language, const Console& console) {
  for (const claims::CheckedClaim* one : answer.refused())
    console.say(fmt::format("{} {}: {}", console.paint(Ink::bad, word({"FAIL", "不符"}, language)),
                            one->claim->id, one->result.refused));
}

void print_planted(const claims::Ledger& answer, Language language, const Console& console) {
  if (answer.planted.accepted.empty())
    console.say(fmt::format(fmt::runtime(word({"As a self-test, {} deliberately falsified "
                                               "statements were checked; all were rejected.",
                                               "另外植入了 {} 条有错的行，全部被拒绝。"},
                                              language)),
                            answer.planted.planted));
  for (const std::string& accepted : answer.planted.accepted)
    console.say(fmt::format(
        "{}: {}",
        console.paint(Ink::bad,
                      word({"A planted mistake was accepted", "植入的错误未被发现"}, language)),
        accepted));
}

/// How often what we say ourselves stands in how many files.
void print_places(const claims::Ledger& answer, Language language, const Console& console) {
  std::set<std::string_view> files;
  std::size_t places = 0;
  for (const claims::CheckedClaim& one : answer.checked)
    for (const claims::Place& place : one.claim->stands) {
      files.insert(place.file);
      places += place.quotes.size();
    }
  if (places > 0)
    console.say(fmt::format(fmt::runtime(word({"They appear in {} sentences across {} files.",
                                               "见于 {1} 个文件的 {0} 处。"},
                                              language)),
                            places, files.size()));
}

/// The verdicts that some statement has.
std::vector<claims::Verdict> verdicts_in(const claims::Ledger& answer) {
  std::vector<claims::Verdict> verdicts;
  for (const CountPhrase& phrase : kCountPhrases)
    if (std::ranges::any_of(answer.checked, [&](const claims::CheckedClaim& one) {
          return one.claim->verdict == phrase.verdict;
        }))
      verdicts.push_back(phrase.verdict);
  return verdicts;
}

/// A cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|') safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe;
}

std::string claim_markdown(const claims::CheckedClaim& checked, Language language) {
  const claims::Claim& claim = *checked.claim;
  std::string text = fmt::format("<a id=\"{0}\"></a>\n\n## {0} · {1}\n\n", claim.id,
                                 word(claim.verdict, language));
  if (claim.stands.empty())
    text += fmt::format("> {}\n\n{}{}", quotation(claim.quote), place(checked, language),
                        word({": ", "："}, language));
  text += in(language, claim.says) + "\n\n";
  for (const claims::Place& place : claim.stands) text += "- " + quotations(place) + "\n";
  if (!claim.stands.empty()) text += "\n";
  if (!claim.readings.empty()) text += readings_table(checked, language).markdown() + "\n";
  const std::string& right = in(language, claim.right);
  if (!right.empty()) text += labelled({"Right", "正确"}, right, language) + "\n\n";
  const std::string& reason = in(language, claim.reason);
  if (!reason.empty()) text += reason + "\n\n";
  if (!claim.tests.empty())
    text += labelled({"Tests", "测试"}, joined(claim.tests, language), language) + "\n\n";
  if (!claim.source.empty() && claim.source != "computed")
    text += labelled({"Source", "来源"}, claim.source, language) + "\n\n";
  if (!claim.same.empty())
    text +=
        labelled({"Agrees with", "同样的说法"}, joined(claim.same, language), language) + "\n\n";
  if (!claim.against.empty())
    text +=
        labelled({"Contradicts", "相反的说法"}, joined(claim.against, language), language) + "\n\n";
  if (!claim.show.empty()) text += fmt::format("`{}` → `{}`\n\n", claim.show, claim.look);
  return text;
}

}  // namespace

void print_counts(const claims::Ledger& answer, Language language, const Console& console) {
  const bool ours = !answer.checked.front().claim->stands.empty();
  const std::vector<claims::Verdict> verdicts = verdicts_in(answer);
  console.say(console.paint(Ink::strong, answer_text(answer, language)));
  print_places(answer, language, console);
  print_refused(answer, language, console);
  print_planted(answer, language, console);
  Table table([&] {
    std::vector<Table::Column> columns = {{std::string(ours ? word({"subject", "主题"}, language)
                                                            : word({"article", "文章"}, language)),
                                           Table::Align::left}};
    for (const claims::Verdict verdict : verdicts)
      columns.push_back({std::string(short_word(verdict, language))});
    columns.push_back({std::string(word({"all", "合计"}, language))});
    return columns;
  }());
  std::map<std::string, std::map<claims::Verdict, std::size_t>> counts;
  std::map<std::string, std::string> titles;
  for (const claims::CheckedClaim& one : answer.checked) {
    ++counts[one.article->number][one.claim->verdict];
    titles[one.article->number] = ours ? in(language, one.article->about) : one.article->title;
  }
  for (auto& [number, of_verdict] : counts) {
    std::vector<std::string> row = {number};
    std::size_t sum = 0;
    for (const claims::Verdict verdict : verdicts) {
      row.push_back(std::to_string(of_verdict[verdict]));
      sum += of_verdict[verdict];
    }
    row.push_back(std::to_string(sum));
    table.add_row(std::move(row));
  }
  console.print(table, word({"Statements by verdict", "各判定的条数"}, language));
  for (const auto& [number, title] : titles) console.say(fmt::format("{}  {}", number, title), 2);
  const std::string& example = ours ? answer.checked.front().claim->id : "S0-35";
  console.say(
      fmt::format(fmt::runtime(word(
                      {"rope claims {0} explains one; --verdict {1} lists those with that verdict.",
                       "rope claims {0} --lang zh 详述其中一条；--verdict {1} 列出一类。"},
                      language)),
                  example, ours ? "tested" : "wrong"));
}

void print_quotes(const claims::QuoteCheck& check, std::size_t count, Language language,
                  const Console& console) {
  if (check.wrong.empty())
    console.say(fmt::format(
        fmt::runtime(word({"All {} quotations were found in the articles, on the lines given.",
                           "{} 条引文都在文章的相应行中。"},
                          language)),
        count));
  for (const std::string& wrong : check.wrong)
    console.say(console.paint(Ink::bad, "FAIL ") + wrong);
}

void print_list(std::span<const claims::CheckedClaim> checked, Language language,
                const Console& console) {
  Table table({{std::string(word({"id", "编号"}, language)), Table::Align::left},
               {std::string(word({"verdict", "判定"}, language)), Table::Align::left},
               {std::string(word({"says", "所说"}, language)), Table::Align::left}});
  for (const claims::CheckedClaim& one : checked)
    table.add_row(
        {one.claim->id,
         console.paint(ink_of(one.claim->verdict), short_word(one.claim->verdict, language)),
         in(language, one.claim->says)});
  console.print(table, word({"Statements and verdicts", "论断与判定"}, language));
}

void print_claim(const claims::CheckedClaim& checked, Language language, const Console& console) {
  const claims::Claim& claim = *checked.claim;
  console.say_answer(claim.id + std::string(word({": ", "："}, language)) +
                     console.paint(ink_of(claim.verdict), word(claim.verdict, language)));
  console.say(in(language, claim.says), 2);
  for (const claims::Place& place : claim.stands) console.say(quotations(place), 2);
  if (claim.stands.empty())
    console.say(
        fmt::format(fmt::runtime(word({"{} ({}, {})", "{}（{}，{}）"}, language)),
                    quotation(claim.quote), checked.article->title, place(checked, language)),
        2);
  if (!checked.result.follows())
    console.say(fmt::format("{} {}", console.paint(Ink::bad, word({"FAIL:", "不符："}, language)),
                            checked.result.refused));
  if (!claim.readings.empty())
    console.print(readings_table(checked, language), word({"Readings", "读法"}, language));
  const std::string& right = in(language, claim.right);
  if (!right.empty()) console.say(labelled({"Right", "正确"}, right, language));
  const std::string& reason = in(language, claim.reason);
  if (!reason.empty()) console.say(reason);
  if (!claim.source.empty() && claim.source != "computed")
    console.say(labelled({"Source", "来源"}, claim.source, language));
  if (!claim.tests.empty())
    console.say(labelled({"Tests", "测试"}, joined(claim.tests, language), language));
  print_relations(claim, language, console);
  if (!claim.show.empty())
    console.print(labelled({"See it", "亲自看"}, claim.show, language) + "\n");
}

std::string index_markdown(const claims::Ledger& answer, Language language) {
  std::string text =
      fmt::format("# {}\n\n{}\n", word({"What the sources say", "原文说了什么"}, language),
                  answer_text(answer, language));
  const claims::Article* article = nullptr;
  for (const claims::CheckedClaim& one : answer.checked) {
    if (one.article != article) {
      article = one.article;
      text += fmt::format("\n## {} {}\n\n{}\n\n| | {} | {} |\n|---|---|---|\n", article->number,
                          article->title, in(language, article->about),
                          word({"verdict", "判定"}, language), word({"says", "所说"}, language));
    }
    text += fmt::format("| [{}]({}.md#{}) | {} | {} |\n", one.claim->id,
                        article->number + (language == Language::zh ? ".zh" : ""), one.claim->id,
                        word(one.claim->verdict, language), cell(in(language, one.claim->says)));
  }
  return text;
}

std::string claims_markdown(std::span<const claims::CheckedClaim> checked, Language language) {
  std::string text;
  const claims::Article* article = nullptr;
  for (const claims::CheckedClaim& one : checked) {
    if (one.article != article) {
      article = one.article;
      text += fmt::format("# {}{}{}\n\n{}\n\n", article->number, article->title.empty() ? "" : " ",
                          article->title, in(language, article->about));
    }
    text += claim_markdown(one, language);
  }
  return text;
}

}  // namespace rope::app
