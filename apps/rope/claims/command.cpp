// `rope claims`: what articles say about RoPE, recomputed.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "claims/report.hpp"
#include "rope/documents/claims.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/parameters/number_text.hpp"
#include "rope/parameters/suggest.hpp"
#include "usage/command.hpp"
#include "usage/draw_by_command.hpp"
#include "usage/numbers.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

using claims::Article;
using claims::Claim;

constexpr std::size_t kMostIds = 1000;

struct Claims final : Invocation {
  static constexpr std::array<Choice<claims::Verdict>, 8> kVerdicts = {
      {{"holds", claims::Verdict::holds},
       {"condition", claims::Verdict::condition},
       {"wrong", claims::Verdict::wrong},
       {"misleading", claims::Verdict::misleading},
       {"ambiguous", claims::Verdict::ambiguous},
       {"documentary", claims::Verdict::documentary},
       {"tested", claims::Verdict::tested},
       {"defined", claims::Verdict::defined}}};
  static constexpr std::array kFormats = {Format::csv, Format::json, Format::md,
                                          Format::png, Format::svg,  Format::pdf};
  static constexpr std::array<std::string_view, 5> kExamples = {
      "rope claims", "rope claims S0-35", "rope claims --verdict wrong --about score",
      "rope claims --article 000 --lang zh -o 000.md", "rope claims --own"};
  static constexpr auto kTerms =
      std::to_array<std::string_view>({"score", "relative", "mean cosine", "bound"});

  std::vector<std::string> ids;
  std::optional<std::string> article, about, find, folder;
  std::optional<claims::Verdict> verdict;
  std::optional<std::int64_t> demonstration;
  bool own = false;
  OutputOptions output{kFormats};

  void declare(OptionSet& options) override {
    options.operands(
        "[ID...]",
        "statements to explain, such as S0-35 (default: count all statements by verdict)", kMostIds,
        ids);
    options.group("Which statements");
    options.flag("--own", "statements in the README, docs, lesson and glossary", own);
    options.text("--article NUMBER",
                 "statements from one article, 000 to 004; with --own, statements on one subject, "
                 "such as attention, decay or encodings",
                 article);
    options.choice("--verdict VERDICT", {}, verdict, kVerdicts);
    options.text("--about SUBJECT", "statements about a subject, such as frequencies or score",
                 about);
    options.text("--find TEXT", "statements with this text in the quotation or the verdict", find);
    options.integer("--demo N", "statements shown in classroom demonstration N", demonstration,
                    {1, 10});
    options.group("Sources");
    options.text("--seeds FOLDER", "a folder with the articles, to check the quotations against",
                 folder);
    output.translated = "the language of the report and the picture";
    output.declare(options);
    options.operands_listed(
        "rope claims counts the statements; --article 000 lists those in one article.");
    options.operands_take([] {
      std::vector<std::string> known;
      for (const auto* all : {&claims::articles(), &claims::own_subjects()})
        for (const Article& one : *all)
          for (const Claim& claim : one.claims) known.push_back(claim.id);
      return known;
    });
    options.often_used({"--article", "--verdict", "--about", "--find", "--lang"});
  }

  ExitCode run(Console& console) override {
    read_spellings();
    if (own && folder)
      throw Error(
          ErrorKind::invalid_input,
          "--seeds checks quotations in articles, but --own selects no statements from articles",
          "Leave out one of the two.");
    OutputPlan plan = plan_output(output);
    const PictureFiles pictures = take_pictures(plan);
    claims::Ledger answer;
    for (const std::vector<Article>* all : {&claims::articles(), &claims::own_subjects()})
      if (!ids.empty() || own == (all == &claims::own_subjects()))
        for (const Article& one : *all)
          for (const Claim& claim : one.claims)
            if (chosen(one, claim)) answer.checked.push_back({&one, &claim, {}});
    check_chosen(answer);
    const std::string picture = pictures.empty() ? "" : picture_of(answer.checked);
    {
      Progress progress(console, answer.checked.size(), "rope claims");
      for (claims::CheckedClaim& one : answer.checked) {
        one.result = claims::check_claim(*one.claim);
        progress.advance(1);
      }
      if (whole()) answer.planted = claims::check_planted(statements());
    }
    if (folder) answer.quotes = claims::check_quotes(*folder, answer.checked);
    Products products;
    products.report = [&](const Console& out) { report(answer, out); };
    products.csv = [&] { return claims_csv(answer.checked); };
    products.json = [&] { return claims_json(answer).document(); };
    products.md = [&] {
      return whole() && !own ? index_markdown(answer, output.picture.language)
                             : claims_markdown(answer.checked, output.picture.language);
    };
    write_output(plan, products, console);
    if (!pictures.empty()) draw_by_command(picture, pictures, {commands, general}, console);
    return ending(answer);
  }

 private:
  /// The articles, or the subjects of our own statements.
  const std::vector<Article>& statements() const {
    return own ? claims::own_subjects() : claims::articles();
  }

  /// Statements and articles as people write them: s0-35 is S0-35, of S0-35,S0-36 there are two,
  /// article 0 is 000.
  void read_spellings() {
    std::vector<std::string> written;
    for (const std::string& word : std::exchange(ids, {}))
      for (const std::string_view item : list_items(word)) written.emplace_back(item);
    for (const std::string& word : written) {
      std::string& id = ids.emplace_back(word);
      for (char& c : id)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    const std::vector<Article>& articles = statements();
    if (!article || article->empty()) return;
    const auto padded = std::ranges::find_if(articles, [&](const Article& one) {
      return one.number.ends_with(*article) &&
             one.number.find_first_not_of('0') >= one.number.size() - article->size();
    });
    if (padded != articles.end()) article = padded->number;
  }

  /// The command that draws the picture of the one statement that was chosen, as its row names it.
  static std::string picture_of(std::span<const claims::CheckedClaim> checked) {
    if (checked.size() != 1)
      throw Error(ErrorKind::invalid_input,
                  fmt::format("a picture shows one statement, found {}", checked.size()),
                  "Name one: rope claims S0-35 -o picture.png.");
    const Claim& claim = *checked.front().claim;
    if (claim.picture.empty())
      throw Error(
          ErrorKind::invalid_input, claim.id + " has no picture",
          claim.show.empty() ? "No command shows this statement." : "See it: " + claim.show);
    return claim.picture;
  }

  /// Whether all of them are looked at, and their checks with them.
  bool whole() const {
    return ids.empty() && !article && !about && !find && !verdict && !demonstration;
  }

  /// How many options choose among them.
  int filters() const {
    return (article ? 1 : 0) + (about ? 1 : 0) + (find ? 1 : 0) + (verdict ? 1 : 0) +
           (demonstration ? 1 : 0);
  }

  bool chosen(const Article& from, const Claim& claim) const {
    if (!ids.empty() && std::ranges::count(ids, claim.id) == 0) return false;
    if (article && from.number != *article) return false;
    if (verdict && claim.verdict != *verdict) return false;
    if (about && claim.about != *about) return false;
    if (demonstration && claim.demonstration != *demonstration) return false;
    if (!find) return true;
    return std::ranges::any_of(
        std::array{&claim.quote, &claim.says.zh, &claim.says.en, &claim.right.zh, &claim.right.en},
        [&](const std::string* text) { return text->find(*find) != std::string::npos; });
  }

  /// What is meant by a word that is the name of no statement: a verdict, a subject, or an article.
  static std::string remedy_for_id(const std::string& id) {
    const std::string word = plain_word(id);
    for (const Choice<claims::Verdict>& known : kVerdicts)
      if (word == known.word) return "Did you mean --verdict " + word + "?";
    for (const Article& one : claims::articles()) {
      if (word == one.number || std::ranges::any_of(one.claims, [&](const Claim& claim) {
            return claim.id.starts_with(id + "-");
          }))
        return "Did you mean --article " + one.number + "? It lists " + one.claims.front().id +
               " onward.";
      if (std::ranges::any_of(one.claims, [&](const Claim& claim) { return claim.about == word; }))
        return "Did you mean --about " + word + "?";
    }
    return "To search the statements for words, use --find. rope claims --article 000 lists the "
           "statements in that article, from S0-01.";
  }

  void check_chosen(const claims::Ledger& answer) const {
    for (const std::string& id : ids) {
      const bool there = std::ranges::any_of(
          answer.checked, [&](const claims::CheckedClaim& one) { return one.claim->id == id; });
      if (!there)
        throw Error(ErrorKind::invalid_input, "no statement has the ID " + io::in_quotes(id),
                    remedy_for_id(id));
    }
    const std::vector<Article>& articles = statements();
    if (article && std::ranges::count(articles, *article, &Article::number) == 0) {
      std::vector<std::string_view> numbers;
      numbers.reserve(articles.size());
      for (const Article& one : articles) numbers.push_back(one.number);
      refuse_choice("--article", numbers, *article);
    }
    if (answer.checked.empty())
      throw Error(
          ErrorKind::invalid_input, "no statement matches the options given",
          filters() == 1
              ? "rope claims without options counts all statements."
              : "rope claims without options counts all statements; leave out one of the options.");
  }

  void report(const claims::Ledger& answer, const Console& console) const {
    if (whole()) {
      print_counts(answer, output.picture.language, console);
    } else if (ids.empty()) {
      print_list(answer.checked, output.picture.language, console);
    } else {
      for (const claims::CheckedClaim& one : answer.checked) {
        if (&one != &answer.checked.front()) console.print("\n");
        print_claim(one, output.picture.language, console);
      }
    }
    if (answer.quotes)
      print_quotes(*answer.quotes, answer.checked.size(), output.picture.language, console);
  }

  static ExitCode ending(const claims::Ledger& answer) {
    if (!answer.planted.accepted.empty()) return ExitCode::self_test_failed;
    const bool quotes_wrong = answer.quotes && !answer.quotes->wrong.empty();
    return answer.refused().empty() && !quotes_wrong ? ExitCode::done : ExitCode::check_failed;
  }
};

}  // namespace

extern constinit const Command claims_command = command_of<Claims>(
    "claims", kLookUp, "Fact-check what articles say about RoPE by recomputing it.");

}  // namespace rope::app
