// The family `recorded`: numbers that a script of data/claims/recorded printed once, where the
// library has nothing that computes them: what a framework does with a call, what a training came
// to.
#include "rope/claims/recorded.hpp"

#include <array>
#include <string>

#include "rope/claims/families/families.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/error.hpp"

namespace rope::claims {
namespace {

/// A value of a record, or those numbers of it that `at` names, counted from 0. They are as they
/// were printed: nothing is computed, so nothing is rounded.
Outcome value_of_record(Parameters& given) {
  const std::vector<double>& all = recorded(given.word("record"), given.word("value"));
  if (!given.has("at")) return {all, 0};
  std::vector<double> chosen;
  for (const std::int64_t place : given.integers("at")) {
    if (place < 0 || static_cast<std::size_t>(place) >= all.size())
      throw DomainError("there is no number " + std::to_string(place) + " among " +
                        std::to_string(all.size()));
    chosen.push_back(all[static_cast<std::size_t>(place)]);
  }
  return {std::move(chosen), 0};
}

constexpr std::array kRecordedQuantities = {
    Quantity{"recorded.value", "recorded value", value_of_record},
};

}  // namespace

std::span<const Quantity> recorded_quantities() { return kRecordedQuantities; }

}  // namespace rope::claims
