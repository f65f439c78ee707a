// What bounds.hpp and case_check.hpp promise for every policy, size, base and position, judged by
// 60 digits: exact scores and defects of the tables from MPFR, and every bound from its formula,
// written here once more.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/mpfr.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"
#include "rope/verify/case_check.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

using Real = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<60, boost::multiprecision::allocate_stack>,
    boost::multiprecision::et_off>;
using Reals = std::vector<Real>;

constexpr std::uint64_t kSeed = 20261121;

Real pi() { return boost::math::constants::pi<Real>(); }
Real root2() { return boost::math::constants::root_two<Real>(); }
Real power_of_two(int exponent) { return ldexp(Real(1), exponent); }

/// Significand bits p and exponent of the smallest number of a format.
struct Bits {
  int p;
  int smallest;

  Real u() const { return power_of_two(-p); }
  Real eta() const { return power_of_two(smallest); }
};

Bits bits_of(Format format) {
  switch (format) {
    case Format::float64:
      return {53, -1074};
    case Format::float32:
      return {24, -149};
    case Format::tfloat32:
      return {11, -136};
    case Format::float16:
      return {11, -24};
    case Format::bfloat16:
      return {8, -133};
    case Format::float8:
      break;
  }
  return {4, -9};
}

/// How many bits x has from its first to its last.
int significant_bits(Real x) {
  if (x == 0) return 0;
  int exponent = 0;
  x = frexp(abs(x), &exponent);
  int count = 0;
  for (; x != 0; ++count) {
    x *= 2;
    if (x >= 1) x -= 1;
  }
  return count;
}

/// |e^{ia} − e^{ib}| for |a − b| ≤ x.
Real chord(const Real& x) { return x >= pi() ? Real(2) : 2 * sin(x / 2); }

/// Frequencies of one size and base: the true ones, and those that one policy has.
struct Setting {
  Setting(const Policy& policy, std::size_t dim, double base, PairLayout layout)
      : pipeline(policy, default_embedding(dim, base, layout)), bounds(pipeline) {
    const Real r(dim);
    // s of the recurrence is the only number that a pipeline does not tell.
    const Real scale(std::pow(static_cast<float>(base), -2.0F / static_cast<float>(dim)));
    Real power = 1;
    for (std::size_t k = 0; k < dim / 2; ++k) {
      theta.push_back(pow(Real(base), -Real(2 * k) / r));
      used.push_back(policy.angle_rule == AngleRule::exact        ? theta[k]
                     : policy.angle_rule == AngleRule::recurrence ? power
                                                                  : Real(pipeline.theta()[k]));
      power *= scale;
      used_bits.push_back(significant_bits(Real(pipeline.theta()[k])));
    }
  }

  const Policy& policy() const { return pipeline.policy(); }

  Pipeline pipeline;
  ErrorBounds bounds;
  Reals theta, used;           // θ_i, and the θ̂_i that all rows share
  std::vector<int> used_bits;  // of θ̂_i
};

/// E at position p.
Real table_error(const Policy& policy, std::int64_t position) {
  if (position == 0) return 0;
  if (policy.angle_rule == AngleRule::exact) return root2() * Real(kCosSinError);
  const bool wide = policy.angle == Format::float64 && !policy.reduced;
  const Bits libm = bits_of(wide ? Format::float64 : Format::float32);
  const Bits table = bits_of(policy.table);
  return root2() * libm.u() + (table.p < libm.p ? table.u() / root2() : Real(0));
}

/// D of every pair at position p.
Reals angle_errors(const Setting& setting, std::int64_t position) {
  const Policy& policy = setting.policy();
  const Real p = abs(Real(position));
  Reals result(setting.theta.size());
  if (position == 0) return result;
  const Real held = abs(Real(setting.pipeline.position(position)));
  const Bits angle = bits_of(policy.angle);
  const int held_bits = significant_bits(held);
  for (std::size_t k = 0; k < result.size(); ++k) {
    if (policy.angle_rule == AngleRule::exact) {
      result[k] = 2 * pi() * (p * power_of_two(-128) + power_of_two(-64));
      continue;
    }
    const Real product = held * setting.used[k];
    result[k] = abs(held - p) * setting.used[k];
    if (policy.angle_rule == AngleRule::recurrence) {
      const Real factors(k);
      result[k] += product * (pow(1 + angle.u(), factors) - 1) + factors * angle.eta() / 2;
    } else if (product != 0 && held_bits + setting.used_bits[k] > angle.p) {
      int exponent = 0;
      frexp(product, &exponent);  // in [2^(exponent − 1), 2^exponent)
      result[k] += power_of_two(std::max(exponent - 1 - angle.p, angle.smallest - 1));
    }
    if (policy.reduced)
      result[k] += ceil(product / (2 * pi()) + Real(0.5)) * Real(2.4493e-16) +
                   bits_of(Format::float32).u() * pi();
  }
  return result;
}

/// τ_i: what §1.3 grants, relative to θ_i.
Real granted(const Policy& policy, double base, std::size_t dim, std::size_t k) {
  if (policy.angle_rule == AngleRule::exact || k == 0) return 0;
  const Bits angle = bits_of(policy.angle);
  const bool narrow = angle.p < 24;
  const Real u = bits_of(angle.p == 53 ? Format::float64 : Format::float32).u();
  const Real cast = 1 + (narrow ? angle.u() : Real(0));
  const bool whole = (dim & (dim - 1)) == 0;
  const auto of_exponent = [&](const Real& exponent) {
    return whole ? Real(1) : exp(exponent * log(Real(base)) * u);
  };
  if (policy.angle_rule == AngleRule::product) {
    const Real slope = of_exponent(Real(2 * k) / Real(dim));
    if (angle.p == 53) return slope * (1 + 2 * u) - 1;
    return slope * (1 + u) / (1 - 2 * u) * cast - 1;
  }
  const Real sigma = of_exponent(Real(2) / Real(dim)) * (1 + 2 * u) * cast;
  const Real powers = pow(sigma, Real(k));
  if (policy.angle_rule == AngleRule::recurrence) return powers - 1;
  return powers * (1 + 2 * u) * cast - 1;
}

/// Bounds of one case that come from the tables, for each pair.
struct TableBounds {
  Reals identity, left, right;  // (1), (2) and (2')
};

/// `known`: θ_i is known to the program as a double, which widens what it grants itself.
TableBounds table_bounds(const Setting& setting, std::int64_t m, std::int64_t n, bool known) {
  const Policy& policy = setting.policy();
  const Reals dm = angle_errors(setting, m), dn = angle_errors(setting, n);
  const Reals dr = angle_errors(setting, n - m);
  const Real em = table_error(policy, m), en = table_error(policy, n);
  const Real er = table_error(policy, n - m);
  const Real tokens = abs(Real(n - m));
  TableBounds result;
  for (std::size_t k = 0; k < dm.size(); ++k) {
    Real off = abs(setting.used[k] - setting.theta[k]);
    if (known && policy.angle_rule != AngleRule::exact)
      off +=
          setting.theta[k] * power_of_two(policy.angle_rule == AngleRule::recurrence ? -50 : -52);
    result.identity.push_back(chord(dm[k] + dn[k] + dr[k]) + em + en + em * en + er);
    result.left.push_back(chord(dm[k] + dn[k] + tokens * off) + em + en + em * en);
    result.right.push_back(chord(dr[k] + tokens * off) + er);
  }
  return result;
}

/// A_L and A_R for vectors of these lengths.
struct Evaluation {
  Real left, right;
};

Evaluation a_priori(const Policy& policy, std::size_t dim, const Real& q, const Real& k) {
  const Bits apply = bits_of(policy.apply), store = bits_of(policy.store);
  const Bits sum = bits_of(policy.accumulate);
  const Real u = apply.u(), d(dim);
  Real rho = root2() * (2 * u + u * u), kappa = sqrt(d) * apply.eta() * (1 + u);
  if (policy.store == Format::float8) {
    // Divided by the largest/448, cast, multiplied again.
    const Real three = bits_of(Format::float32).u() * 4;
    const Real cast =
        (1 + store.u()) * (1 + three) - 1 + sqrt(d) * store.eta() / 2 / 448 * (1 + three);
    rho = (1 + rho) * (1 + cast) - 1;
    kappa *= 1 + cast;
  } else if (store.p < apply.p) {
    rho = (1 + rho) * (1 + store.u()) - 1;
    kappa += sqrt(d) * store.eta() / 2;
  }
  const bool exact_products = policy.store != Format::float8 && 2 * store.p <= sum.p;
  Real nu = (exact_products ? d - 1 : d) * sum.u();
  if (policy.sum == SumOrder::pairwise) {
    int height = exact_products ? 0 : 1;
    for (std::size_t leaves = 1; leaves < dim; leaves *= 2) ++height;
    nu = pow(1 + sum.u(), Real(height)) - 1;
  }
  const Real y = 1 + table_error(policy, 1), underflow = d * sum.eta() / 2;
  const Real dq = rho * y * q + kappa, dk = rho * y * k + kappa;
  return {nu * (y * q + dq) * (y * k + dk) + y * q * dk + dq * y * k + dq * dk + underflow,
          nu * q * (y * k + dk) + q * dk + underflow};
}

Real length(const std::vector<double>& x) {
  Real squares = 0;
  for (const double value : x) squares += Real(value) * Real(value);
  return sqrt(squares);
}

/// What one case has, exactly.
struct Truth {
  Real score = 0;             // Σ Re(conj(q_i) k_i e^{irθ_i})
  Real identity = 0;          // Σ T_i|q_i||k_i| …
  Real left = 0, right = 0;   // … and of C_i and (2')
  Real certificate = 0;       // max |conj(ŵ_m)ŵ_n − ŵ_r| of the tables as they are
  Real largest_identity = 0;  // max T_i
  Real known_left = 0, known_right = 0;
};

Truth exactly(const Setting& setting, const VerifyCase& given, const TableBounds& bounds) {
  Truth truth;
  RotationRow m, n, r;
  setting.pipeline.table_row(given.m, m);
  setting.pipeline.table_row(given.n, n);
  setting.pipeline.table_row(given.n - given.m, r);
  for (std::size_t k = 0; k < setting.theta.size(); ++k) {
    const auto [i, j] = setting.pipeline.embedding().dimensions(k);
    const Real a(given.q[i]), b(given.q[j]), c(given.k[i]), d(given.k[j]);
    const Real angle = Real(given.n - given.m) * setting.theta[k];
    truth.score += (a * c + b * d) * cos(angle) - (a * d - b * c) * sin(angle);
    const Real weight = sqrt((a * a + b * b) * (c * c + d * d));
    truth.identity += bounds.identity[k] * weight;
    truth.left += bounds.left[k] * weight;
    truth.right += bounds.right[k] * weight;
    truth.largest_identity = std::max(truth.largest_identity, bounds.identity[k]);
    const Real cm(m.cos[k]), sm(m.sin[k]), cn(n.cos[k]), sn(n.sin[k]);
    const Real re = cm * cn + sm * sn - Real(r.cos[k]), im = cm * sn - sm * cn - Real(r.sin[k]);
    truth.certificate = std::max(truth.certificate, sqrt(re * re + im * im));
  }
  return truth;
}

std::string show(const Real& x) { return test::show(x.convert_to<double>()); }

/// The program's bound is not below the one of the formula, nor above by more than `percent`.
void expect_bound(double bound, const Real& formula, const std::string& what, double percent = 1) {
  EXPECT_GE(Real(bound), formula * (1 - 1e-6)) << what << ": formula " << show(formula);
  EXPECT_LE(Real(bound), formula * (1 + percent / 100)) << what << ": formula " << show(formula);
}

void make_vector(RandomStream& random, int kind, Format input, std::vector<double>& x) {
  random.fill_normal(x);
  for (double& value : x) {
    if (kind == 1) value = std::ldexp(value, static_cast<int>(random.integer(-8, 8)));
    if (kind == 2) value = value < 0 ? -1 : 1;
    if (kind == 3) value = std::ldexp(value, -14);  // where float16 underflows
    value = round_to(input, value);
  }
}

/// Every size is as likely as the next; powers of two and their neighbours are among them.
std::int64_t make_position(RandomStream& random, std::int64_t largest) {
  const std::int64_t power = std::int64_t{1} << random.integer(0, 24);
  const std::int64_t magnitude =
      random.integer(0, 3) == 0 ? power + random.integer(-1, 1) : random.integer(power, 2 * power);
  const std::int64_t position = std::min(magnitude, largest);
  return random.integer(0, 1) == 0 ? position : -position;
}

void check_case(const Setting& setting, CaseCheck& check, const VerifyCase& given,
                const std::string& what) {
  const Policy& policy = setting.policy();
  const std::size_t dim = given.q.size();
  const CaseResult result = check.check(given, RotationForm::elementwise);
  const TableBounds bounds = table_bounds(setting, given.m, given.n, false);
  const Truth truth = exactly(setting, given, bounds);
  const Real q = length(given.q), k = length(given.k);
  const Evaluation evaluation = a_priori(policy, dim, q, k);
  const Real error = abs(Real(result.left) - Real(result.right));

  // What was measured, against the formulas.
  EXPECT_LE(error, truth.identity + evaluation.left + evaluation.right) << what;
  EXPECT_LE(error, truth.certificate * q * k + evaluation.left + evaluation.right) << what;
  EXPECT_LE(truth.certificate, truth.largest_identity) << what;
  EXPECT_LE(abs(Real(result.left) - truth.score), truth.left + evaluation.left) << what;
  EXPECT_LE(abs(Real(result.right) - truth.score), truth.right + evaluation.right) << what;

  // The program's own bounds and its certificate.
  EXPECT_FALSE(result.violated()) << what;
  expect_bound(result.defect_bound, truth.largest_identity, what + ", max T");
  expect_bound(result.a_priori_bound, truth.identity + evaluation.left + evaluation.right,
               what + ", a priori");
  EXPECT_EQ(result.vacuous, truth.largest_identity >= 1) << what;
  EXPECT_LE(result.least_deviation, check.deviation(given, RotationForm::elementwise)) << what;
  EXPECT_GE(result.identity.bound, check.deviation(given, RotationForm::elementwise)) << what;
  ASSERT_TRUE(result.defect) << what;
  // Sums of three products of numbers up to 1 + E in 64 bits, then rounded to double.
  EXPECT_LE(abs(Real(result.defect->norm) - truth.certificate),
            16 * power_of_two(-64) + truth.certificate * power_of_two(-52))
      << what << ": " << test::show(result.defect->norm) << ", exactly " << show(truth.certificate);

  const TableBounds known = table_bounds(setting, given.m, given.n, true);
  std::vector<double> per_pair;
  const auto expect_pairs = [&](const Reals& least, const Reals& most, const char* name) {
    for (std::size_t pair = 0; pair < least.size(); ++pair) {
      const Real got(per_pair[pair]);
      ASSERT_GE(got, least[pair] * (1 - 1e-6)) << what << name << pair;
      ASSERT_LE(got, most[pair] * Real(1.01)) << what << name << pair;
    }
  };
  setting.bounds.identity(given.m, given.n, given.n - given.m, per_pair);
  expect_pairs(bounds.identity, bounds.identity, ", T of pair ");
  setting.bounds.exact(given.m, given.n, given.n - given.m, per_pair);
  expect_pairs(bounds.left, known.left, ", C of pair ");
  setting.bounds.exact(given.n - given.m, per_pair);
  expect_pairs(bounds.right, known.right, ", (2') of pair ");
}

TEST(Bounds, HoldAndAreThoseOfTheFormulasAtSixtyDigits) {
  SCOPED_TRACE(kSeed);
  std::size_t cases = 0;
  std::uint64_t stream = 0;
  for (const Policy& policy : policies()) {
    const std::int64_t largest = policy.position == Format::float16 ? 32759 : 10000000;
    for (const std::size_t dim : {2U, 64U, 128U, 256U})
      for (const double base : {1e4, 5e5, 1e6, 1e7}) {
        RandomStream random(kSeed, stream++);
        const PairLayout layout = stream % 2 == 0 ? PairLayout::half : PairLayout::interleaved;
        const Setting setting(policy, dim, base, layout);
        const Scheme scheme(policy, right_scheme(setting.pipeline.embedding()));
        CaseCheck check(scheme, setting.pipeline, {});
        VerifyCase given;
        given.q.resize(dim);
        given.k.resize(dim);
        for (int kind = 0; kind < 4; ++kind, ++cases) {
          given.m = make_position(random, largest);
          given.n = kind == 1 ? given.m + random.integer(-64, 64) : make_position(random, largest);
          given.n = std::clamp(given.n, -largest, largest);
          make_vector(random, kind, policy.input(), given.q);
          make_vector(random, kind, policy.input(), given.k);
          check_case(setting, check, given,
                     policy.name + ", d = " + std::to_string(dim) + ", base " +
                         std::to_string(base) + ", kind " + std::to_string(kind) +
                         ", m = " + std::to_string(given.m) + ", n = " + std::to_string(given.n));
          if (HasFatalFailure()) return;
        }
      }
  }
  EXPECT_EQ(cases, 20U * 4U * 4U * 4U);
}

TEST(Bounds, FrequenciesAreGrantedWhatTheirFormulasSay) {
  const std::set<std::string> unfaithful = {"bfloat16-frequencies", "tf32", "float32-frequencies"};
  for (const Policy& policy : policies())
    for (const std::size_t dim : {6U, 64U, 96U, 128U})
      for (const double base : {1e4, 5e5, 1e7}) {
        const Setting setting(policy, dim, base, PairLayout::interleaved);
        const std::string what = policy.name + ", d = " + std::to_string(dim) + ", base " +
                                 std::to_string(base) + ", pair ";
        const Real eta = bits_of(policy.angle).eta();
        bool beyond = false;
        for (std::size_t k = 0; k < dim / 2; ++k) {
          const Real most = granted(policy, base, dim, k) * setting.theta[k];
          const Real got(setting.bounds.granted_frequency_error(k));
          const Real floor = most == 0 ? Real(0) : most + eta / 2;
          ASSERT_GE(got, floor * (1 - 1e-6)) << what << k;
          ASSERT_LE(got, most * (1 + 1e-6) + eta) << what << k;
          const Real off = abs(setting.used[k] - setting.theta[k]);
          const Real told(setting.bounds.frequency_error(k));
          ASSERT_GE(told, policy.angle_rule == AngleRule::exact ? Real(0) : off) << what << k;
          // θ_i is known as a double, and s^i is to two units of it.
          ASSERT_LE(told, off + setting.theta[k] * power_of_two(-50)) << what << k;
          beyond = beyond || off > got;
        }
        EXPECT_EQ(beyond, unfaithful.contains(policy.name)) << what;
      }
}

}  // namespace
}  // namespace rope
