#include "rope/claims/quantity.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "rope/claims/families/families.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/error.hpp"

namespace rope::claims {
namespace {

/// "; complex has modulus, product": what the family of a name that there is not has instead.
std::string names_beside(std::string_view name) {
  const std::string_view family = name.substr(0, name.find('.'));
  std::string names;
  for (const Quantity& quantity : quantities())
    if (quantity.family() == family)
      names += (names.empty() ? " " : ", ") + std::string(quantity.name.substr(family.size() + 1));
  if (!names.empty()) return "; " + std::string(family) + " has" + names;
  std::string_view last;
  for (const Quantity& quantity : quantities()) {
    if (quantity.family() != last)
      names += (names.empty() ? " " : ", ") + std::string(quantity.family());
    last = quantity.family();
  }
  return "; the families are" + names;
}

}  // namespace

std::span<const Quantity> quantities() {
  static const std::vector<Quantity> all = [] {
    std::vector<Quantity> listed;
    for (const auto family :
         {angle_quantities, attention_quantities, complex_quantities, cost_quantities,
          decay_quantities, encoding_quantities, position_table_quantities,
          distance_bias_quantities, extension_quantities, frequency_quantities, layout_quantities,
          matrix_quantities, model_quantities, orthogonal_quantities, precision_quantities,
          projection_quantities, recorded_quantities, rotation_cost_quantities, score_quantities}) {
      const std::span<const Quantity> own = family();
      listed.insert(listed.end(), own.begin(), own.end());
    }
    return listed;
  }();
  return all;
}

const Quantity* find_quantity(std::string_view name) {
  const auto found = std::ranges::find(quantities(), name, &Quantity::name);
  return found == quantities().end() ? nullptr : &*found;
}

Outcome measure(std::string_view name, std::string_view parameters) {
  const Quantity* const quantity = find_quantity(name);
  if (quantity == nullptr)
    throw DomainError("no quantity is called '" + std::string(name) + "'" + names_beside(name));
  Parameters given(parameters);
  Outcome outcome;
  try {
    outcome = quantity->measure(given);
    given.all_taken();
  } catch (const Error& error) {
    throw DomainError(std::string(name) + ": " + error.what());
  }
  if (outcome.numbers.empty()) throw DomainError(std::string(name) + " has no number");
  for (const double number : outcome.numbers)
    if (!std::isfinite(number) || !(outcome.bound >= 0))
      throw DomainError(std::string(name) + " is not a finite number");
  return outcome;
}

}  // namespace rope::claims
