#include "rope/primer/taylor.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "rope/error.hpp"
#include "rope/primer/roundoff.hpp"

namespace rope::primer {
namespace {

void check_series(double angle, std::size_t degree) {
  if (!(std::abs(angle) <= kLargestSeriesAngle))
    throw DomainError(
        {"angle"}, "expected a size of at most 700 radians for a series, got " + number_text(angle),
        "The terms of larger angles overflow.");
  if (degree > kMostTerms)
    throw DomainError(Subject{"terms"}, "expected a degree of at most " +
                                            std::to_string(kMostTerms) + ", got " +
                                            std::to_string(degree));
}

/// |θ|ⁿ/n! for n = 0, 1, …: rounded, so γ_{2n} of it may be missing.
class Terms {
 public:
  explicit Terms(double angle) : size_(std::abs(angle)) {}
  double value() const { return value_; }
  std::size_t n() const { return n_; }
  void next() {
    ++n_;
    value_ = value_ * size_ / static_cast<double>(n_);
  }

 private:
  double size_;
  double value_ = 1;
  std::size_t n_ = 0;
};

/// The bound of what was computed by `operations` roundings.
double at_least(double value, double operations) { return value * (1 + 2 * gamma(operations)); }

}  // namespace

std::vector<Complex> taylor_sums(double angle, std::size_t degree) {
  check_series(angle, degree);
  std::vector<Complex> sums;
  sums.reserve(degree + 1);
  Complex sum{1, 0};
  sums.push_back(sum);
  double term = 1;  // θⁿ/n!, and iⁿ is the side that it goes to
  for (std::size_t n = 1; n <= degree; ++n) {
    term = term * angle / static_cast<double>(n);
    double& side = n % 2 == 0 ? sum.re : sum.im;
    side += n % 4 < 2 ? term : -term;
    sums.push_back(sum);
  }
  return sums;
}

double taylor_remainder(double angle, std::size_t degree) {
  check_series(angle, degree);
  Terms term(angle);
  while (term.n() <= degree) term.next();
  return at_least(term.value(), 2 * static_cast<double>(degree + 1));
}

double taylor_rounding(double angle, std::size_t degree) {
  check_series(angle, degree);
  const auto last = static_cast<double>(degree);
  double bound = 0;
  for (Terms term(angle); term.n() <= degree; term.next()) {
    const auto n = static_cast<double>(term.n());
    bound += gamma(2 * n + (last - n) / 2 + 1) * term.value();
  }
  return at_least(bound, 4 * (last + 1));
}

double largest_term(double angle) {
  check_series(angle, 0);
  Terms term(angle);
  double largest = 1;
  while (static_cast<double>(term.n()) < std::abs(angle)) {
    term.next();
    largest = std::max(largest, term.value());
  }
  return largest;
}

std::size_t degree_needed(double angle, double error) {
  check_series(angle, 0);
  Terms term(angle);
  term.next();
  // Terms fall for good once n is above |θ|; before, a small one says nothing of those behind it,
  // but the first of an angle above 1 is larger than 1.
  while (term.n() <= kMostTerms &&
         !(at_least(term.value(), 2 * static_cast<double>(term.n())) <= error))
    term.next();
  return term.n() - 1;
}

}  // namespace rope::primer
