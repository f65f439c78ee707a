#include "verify/checks_table.hpp"

#include <fmt/format.h>

#include "shown/verdict.hpp"

namespace rope::app {

Table checks_table(const VerifyReport& report, bool of_length_1, const Console& console) {
  // Each row is the case with the largest ratio, which need not be that of the largest error.
  Table table(
      {{of_length_1 ? "nearest to its bound, |q| = |k| = 1" : "nearest to its bound, as computed",
        Table::Align::left},
       {"error"},
       {"rounding allows"},
       {"ratio"},
       {"", Table::Align::left}});
  for (const CheckLine& check : checks_of(report)) {
    const Measured& measured = of_length_1 ? check.unit : check.raw;
    const double ratio = measured.ratio();
    table.add_row(
        {check.name, three_digits(measured.error), three_digits(measured.bound),
         ratio < 1e4 ? fmt::format("{:.3f}", ratio) : three_digits(ratio),
         outcome_word(check.violations > 0, check.open() || measured.unbounded(), console)});
  }
  return table;
}

}  // namespace rope::app
