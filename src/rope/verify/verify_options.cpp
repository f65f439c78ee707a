// What is asked of `verify`, refused before anything is computed.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rope/error.hpp"
#include "rope/precision/bounds.hpp"
#include "rope/precision/length.hpp"
#include "rope/verify/verification.hpp"

namespace rope {

void check_options(const VerifyOptions& options) {
  if (options.layouts.empty()) throw ShapeError("layouts: expected at least one, got none");
  if (options.trials == 0 && !options.given && !options.only_case)
    throw DomainError("trials: expected at least 1, got 0");
  if (options.control && changes_nothing(*options.control, options.embedding))
    throw DomainError(
        "control: '" + std::string(options.control->name) + "' changes nothing for this embedding",
        "Choose another mistake, or other frequencies.");
  if (!options.given) return;
  const VerifyCase& given = *options.given;
  const std::size_t d = options.embedding.head_dim;
  if (given.q.size() != d || given.k.size() != d)
    throw ShapeError("query and key: expected " + std::to_string(d) + " numbers each, got " +
                     std::to_string(given.q.size()) + " and " + std::to_string(given.k.size()));
  for (const std::vector<double>* x : {&given.q, &given.k})
    for (const double value : *x)
      if (!std::isfinite(value))
        throw DomainError("query and key: expected finite numbers, got " + number_text(value));
  for (const std::int64_t position : {given.m, given.n})
    if (position > kMaxVerifyPosition || position < -kMaxVerifyPosition)
      throw DomainError(Subject{"positions"},
                        "expected -2^61 to 2^61, got " + std::to_string(position),
                        "Farther out, differences and shifts would not fit in 64 bits.");
}

void check_given(const VerifyCase& given, const VerifyOptions& options) {
  for (const std::vector<double>* x : {&given.q, &given.k})
    for (const double value : *x)
      if (round_to(options.policy.input(), value) != value)
        throw DomainError("query and key: expected numbers that " +
                              std::string(limits(options.policy.input()).name) +
                              " represents exactly, got " + number_text(value),
                          "Round the vectors to that format first.");
  // A rotated number is at most as long as its vector, but for the rounding that 2 covers.
  const Policy& policy = options.policy;
  const Format narrow =
      policy.store != Format::float8 && limits(policy.store).largest < limits(policy.apply).largest
          ? policy.store
          : policy.apply;
  const double q = vector_length(given.q), k = vector_length(given.k);
  for (const double length : {q, k})
    if (!(2 * length < limits(narrow).largest))
      throw DomainError("query and key: a rotated number may reach " + number_text(length) +
                            ", but " + std::string(limits(narrow).name) +
                            " has no finite number above " + number_text(limits(narrow).largest),
                        "Scale the vectors down: the identity does not depend on their length.");
  const Format sum = policy.accumulate;
  const double longer = stretch(options.embedding);
  if (!(2 * (q * longer) * (k * longer) < limits(sum).largest))
    throw DomainError("query and key: their score may reach " + number_text(q * longer) +
                          " times " + number_text(k * longer) + ", but " +
                          std::string(limits(sum).name) + " has no finite number above " +
                          number_text(limits(sum).largest),
                      "Scale the vectors down: the identity does not depend on their length.");
}

}  // namespace rope
