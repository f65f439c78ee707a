#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace rope::claims {

class Parameters;

/// The value of a quantity.
struct Outcome {
  std::vector<double> numbers;  ///< one number or several
  double bound = 0;             ///< each number differs from its exact value by at most this
};

/// Something that a statement can be about, computed from the parameters in a claim.
struct Quantity {
  std::string_view name;   ///< "frequencies.theta": its family, then its own name
  std::string_view title;  ///< its name in tables: "θ_i"
  Outcome (*measure)(Parameters&);

  std::string_view family() const { return name.substr(0, name.find('.')); }
};

/// All quantities, family by family.
std::span<const Quantity> quantities();

/// The quantity of that name, or nullptr.
const Quantity* find_quantity(std::string_view name);

/// Measures a quantity. `parameters` is a JSON object.
///
/// Throws    DomainError for an unknown name; for a parameter that is missing, of the wrong type,
///           out of range, or not read; for a number that is not finite. Also whatever the quantity
///           throws.
Outcome measure(std::string_view name, std::string_view parameters);

}  // namespace rope::claims
