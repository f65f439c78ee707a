#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rope/language/said.hpp"
#include "rope/verify/formula.hpp"
#include "shown/table.hpp"
#include "verify/report.hpp"

namespace rope::app {
namespace {

/// One column per case.
class SidesTable {
 public:
  SidesTable(std::vector<NotableCase> cases, std::vector<Table::Column> columns)
      : cases_(std::move(cases)), table_(std::move(columns)) {}

  template <typename Cell>
  void add(std::string title, Cell cell) {
    std::vector<std::string> cells = {std::move(title)};
    for (const NotableCase& each : cases_) cells.push_back(cell(each));
    table_.add_row(std::move(cells));
  }

  const Table& table() const { return table_; }

 private:
  std::vector<NotableCase> cases_;
  Table table_;
};

/// The given vectors in each layout, once if the layouts do not differ; or the worst case.
std::vector<NotableCase> shown_cases(const VerifyOptions& options, const VerifyReport& report) {
  if (!options.given) return {report.identity.worst};
  std::vector<NotableCase> cases = report.given;
  const auto same = [&](const NotableCase& each) {
    return each.left == cases.front().left && each.right == cases.front().right;
  };
  if (std::ranges::all_of(cases, same)) cases.resize(std::min<std::size_t>(cases.size(), 1));
  return cases;
}

std::vector<Table::Column> headings(const VerifyOptions& options,
                                    const std::vector<NotableCase>& cases, bool of_length_1,
                                    Language language) {
  std::vector<Table::Column> columns = {{"", Table::Align::left}};
  if (!options.given) {
    const NotableCase& worst = cases.front();
    columns.front().heading =
        of_length_1 ? said(language, "case {} (m = {}, n = {})", worst.number, worst.m, worst.n)
                    : said(language, "case {} (m = {}, n = {}, {}, {})", worst.number, worst.m,
                           worst.n, translated(name(worst.form), language),
                           translated(name(worst.layout), language));
  }
  for (const NotableCase& each : cases) {
    std::string heading = cases.size() > 1 ? std::string(name(each.layout)) : std::string();
    if (of_length_1) heading = "score/(|q||k|)";
    columns.push_back({std::move(heading)});
  }
  return columns;
}

}  // namespace

void print_two_sides(const VerifyOptions& options, const VerifyReport& report, bool of_length_1,
                     const Console& console) {
  if (report.not_finite == report.trials) return;  // the reasons name the first
  const std::vector<NotableCase> cases = shown_cases(options, report);
  const Language language = console.language();
  SidesTable table(cases, headings(options, cases, of_length_1, language));
  const auto unit = [&](const NotableCase& c) { return of_length_1 && c.norms > 0 ? c.norms : 1; };
  const auto digits = [&](double value) {
    return of_length_1 ? six_digits(value) : fmt::format("{:.12g}", value == 0 ? 0.0 : value);
  };
  const SidesText sides = sides_text(options, language);
  table.add(sides.left, [&](const NotableCase& c) { return digits(c.left / unit(c)); });
  table.add(sides.right, [&](const NotableCase& c) { return digits(c.right / unit(c)); });
  if (of_length_1) {
    console.print(table.table(), "Both sides of the identity");
    return;
  }
  table.add("difference", [](const NotableCase& c) { return three_digits(c.error); });
  table.add("rounding allows", [](const NotableCase& c) { return three_digits(c.bound); });
  if (options.given && !options.control)
    table.add("qᵀR_{m−n}k, the wrong sign",
              [&](const NotableCase& c) { return digits(wrong_sign_score(options, c)); });
  console.print(table.table(), "Both sides of the identity");
  if (std::ranges::any_of(cases, [](const NotableCase& c) {
        return c.bound > 0 && c.bound < std::numeric_limits<double>::min();
      }))
    console.say(said(language,
                     "Below 2.2e-308, doubles are multiples of 2^−1074 = 4.94e-324, and rounding "
                     "is counted in units of that size: larger q and k show more."));
  if (tells_sign(options, report) || cases.front().norms == 0) return;
  console.say(
      options.given->m == options.given->n
          ? said(language, "The wrong sign gives the same score, up to rounding. Take m ≠ n.")
          : said(language,
                 "The wrong sign gives the same score, up to rounding. Take q and k that differ, "
                 "or a finer format."));
}

}  // namespace rope::app
