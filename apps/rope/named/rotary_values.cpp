#include "named/rotary_values.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>

#include "rope/io/quote.hpp"
#include "rope/rotary/frequencies.hpp"
#include "usage/numbers.hpp"

namespace rope::app {
namespace {

constexpr std::array<std::string_view, 2> kLayouts = {"interleaved", "half"};

}  // namespace

PairLayout read_layout(const Arguments& arguments) {
  const std::string given = arguments.value("--layout").value_or("interleaved");
  const std::optional<PairLayout> layout = pair_layout(given);
  if (!layout)
    refuse_choice("--layout", kLayouts, given,
                  "interleaved pairs dimensions (2k, 2k+1), half pairs (k, k + r/2).");
  return *layout;
}

std::size_t read_even(std::string_view option, std::string_view text, std::size_t high) {
  const std::string expected =
      high == kMaxRotaryDim ? fmt::format("an even integer from 2 to {}", high)
                            : fmt::format("an even integer from 2 to the head size {}", high);
  const std::int64_t value =
      integer_option(option, text, expected, 2, static_cast<std::int64_t>(high));
  if (value % 2 != 0)
    refuse(option, expected, io::in_quotes(text), "Dimensions are rotated in pairs.");
  return static_cast<std::size_t>(value);
}

double read_base(std::string_view text, const Console& console) {
  constexpr std::string_view kExpected = "a finite number above 0";
  const double base = real_option("--base", text, kExpected);
  if (!(base > 0))
    refuse("--base", kExpected, io::in_quotes(text), "Most models use 10000 or 500000.");
  if (base == 1) console.warn("--base: with base 1 every θ_k is 1, so all pairs turn alike");
  if (base < 1)
    console.warn("--base: below 1 the frequencies grow with k, so pair 0 is the slowest");
  return base;
}

}  // namespace rope::app
