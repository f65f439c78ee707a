#include "rope/verify/case_check.hpp"

#include <algorithm>
#include <cmath>

#include "rope/precision/largest.hpp"
#include "rope/precision/twofold.hpp"

namespace rope {
namespace {

/// cos² + sin² of the entries of a table, with twice the digits.
struct TableSquares {
  const RotationRow& table;
  std::vector<double>&high, &low;
};

[[gnu::always_inline]] inline void square_loop(const TableSquares& of) {
  const double* const __restrict cos = of.table.cos.data();
  const double* const __restrict sin = of.table.sin.data();
  double* const __restrict high = of.high.data();
  double* const __restrict low = of.low.data();
  for (std::size_t k = 0, n = of.high.size(); k < n; ++k) {
    const Twofold square = exact_product(cos[k], cos[k]) + exact_product(sin[k], sin[k]);
    high[k] = square.high;
    low[k] = square.low;
  }
}
void square_baseline(const TableSquares& of) { square_loop(of); }
ROPE_TARGET_V3 void square_v3(const TableSquares& of) { square_loop(of); }
ROPE_TARGET_V4 void square_v4(const TableSquares& of) { square_loop(of); }

/// Largest distance of a table entry from the circle of radius A: that of the entry of largest or
/// of least modulus, as roots and differences keep the order of numbers when they are rounded.
double modulus_error(const Rotor::Row& row, double radius, CpuLevel level) {
  std::vector<double> high(row.table.cos.size()), low(row.table.cos.size());
  for_level(level, square_baseline, square_v3, square_v4)({row.table, high, low});
  Twofold largest, least = {HUGE_VAL, 0};  // of the squares
  for (std::size_t k = 0; k < high.size(); ++k) {
    if (exceeds(high[k], largest.high) || (high[k] == largest.high && low[k] > largest.low))
        [[unlikely]]
      largest = {high[k], low[k]};
    if (high[k] < least.high || (high[k] == least.high && low[k] < least.low)) [[unlikely]]
      least = {high[k], low[k]};
  }
  // √s − A = (s − A²)/(√s + A), where nothing is lost but what rounding s − A² loses.
  const auto off = [radius](const Twofold& square) {
    const double difference = (square - exact_product(radius, radius)).high;
    return difference == 0 ? 0 : std::abs(difference) / (std::sqrt(square.high) + radius);
  };
  return larger(off(largest), off(least));
}

const Measured& worse(const Measured& a, const Measured& b) { return a.worse_than(b) ? a : b; }

}  // namespace

double wrong_sign_score(const Pipeline& pipeline, const VerifyCase& given) {
  RotationRow row;
  pipeline.table_row(given.m - given.n, row);
  std::vector<double> rotated(given.k.size());
  pipeline.rotate(RotationForm::elementwise, row, given.k, rotated);
  std::vector<double> query = given.q;
  scale_rotated(pipeline.embedding(), query);
  return pipeline.dot(query, rotated).value;
}

bool CaseResult::identity_violated() const {
  return identity.violated() || Measured{identity.error, a_priori_bound}.violated() ||
         (defect && from_certificate.violated());
}

bool CaseResult::inconsistent() const {
  return identity_violated() ||
         (defect && Measured{defect->norm, defect_bound + defect_error}.violated()) ||
         modulus.violated() || shift.violated();
}

CaseCheck::CaseCheck(const Scheme& scheme, const Pipeline& claimed, Hypotheses hypotheses)
    : scheme_(scheme),
      claimed_(claimed),
      bounds_(claimed, hypotheses),
      exact_(*find_policy("exact"), right_scheme(claimed.embedding()).key),
      exact_bounds_(exact_.pipeline()) {}

void CaseCheck::encode(const Rotor& rotor, const Rotor::Row& row, RotationForm form,
                       const std::vector<double>& x, Side& side) {
  side.values.resize(x.size());
  side.errors.resize(x.size());
  rotor.apply(form, row, x, side.values, zeros_);
  rotation_running_error(rotor.pipeline(), row.blocks(), x, side.values, side.errors);
}

void CaseCheck::scale_query(const std::vector<double>& q) {
  const RotaryEmbedding& embedding = scheme_.relative.pipeline().embedding();
  given_.values = q;
  scale_rotated(embedding, given_.values);
  given_.errors.assign(q.size(), 0);
  if (embedding.attention_factor != 1)
    for (std::size_t i = 0; i < q.size(); ++i)
      given_.errors[i] = 0x1p-53 * std::abs(given_.values[i]) + kBoundUnderflow;
}

void CaseCheck::encode_sides(const VerifyCase& given, RotationForm form) {
  scheme_rows(scheme_, given.m, given.n, rows_);
  scale_query(given.q);
  encode(scheme_.query, rows_.query, form, given.q, query_);
  encode(scheme_.key, rows_.key, form, given.k, key_);
  encode(scheme_.relative, rows_.relative, form, given.k, relative_);
}

void CaseCheck::weigh(const VerifyCase& given) {
  lengths_.take(claimed_.embedding(), given.q, given.k, claimed_.level());
  weights_.assign(lengths_.weights().begin(), lengths_.weights().end());
  const double factor = claimed_.embedding().attention_factor;
  for (double& weight : weights_) weight *= factor * factor;
}

double CaseCheck::weighted(const std::vector<double>& per_pair) const {
  double sum = 0;
  for (std::size_t k = 0; k < per_pair.size(); ++k)
    sum += per_pair[k] == 0 ? 0 : per_pair[k] * weights_[k];  // 0 even of an infinite weight
  return sum * kBoundInflation;
}

CaseResult CaseCheck::check(const VerifyCase& given, RotationForm form, bool with_defect) {
  CaseResult result;
  encode_sides(given, form);
  weigh(given);
  const auto [left, right] =
      bounded_scores({claimed_, query_, key_}, {claimed_, given_, relative_});
  result.left = left.score.value;
  result.right = right.score.value;
  result.norms = lengths_.q() * lengths_.k();
  check_identity(given, left, right, result);
  check_tables(given, left.error + right.error, with_defect, result);
  check_exact_and_shift(given, form, left.error, right.error, result);
  result.finite = std::isfinite(result.left) && std::isfinite(result.right) &&
                  std::isfinite(result.shift.error);
  result.bounded = std::isfinite(result.identity.bound) && std::isfinite(result.a_priori_bound) &&
                   std::isfinite(result.exact.bound) && std::isfinite(result.shift.bound);
  result.vacuous = result.vacuous || !result.bounded;
  return result;
}

void CaseCheck::check_identity(const VerifyCase& given, const BoundedScore& left,
                               const BoundedScore& right, CaseResult& result) {
  const double factor = claimed_.embedding().attention_factor, square = factor * factor;
  bounds_.identity(given.m, given.n, given.n - given.m, per_pair_);
  const double largest = largest_of(per_pair_);
  result.defect_error = square * kDefectError;
  result.defect_bound = square * largest * (factor == 1 ? 1 : kBoundInflation);
  result.vacuous = !(largest < 1);
  const double table_part = weighted(per_pair_);
  result.identity = {std::abs(result.left - result.right), table_part + (left.error + right.error)};
  result.a_priori_bound = table_part + bounds_.rotated_score(lengths_.q(), lengths_.k()) +
                          bounds_.relative_score(lengths_.q(), lengths_.k());
  result.least_deviation = least_deviation(left.score, right.score);
}

double CaseCheck::least_deviation(const Score& left, const Score& right) const {
  const double u = limits(claimed_.policy().accumulate).unit_roundoff;
  const auto numbers = 2 * static_cast<double>(claimed_.embedding().head_dim);
  const double least =
      u * std::sqrt((left.magnitudes * left.magnitudes + right.magnitudes * right.magnitudes) /
                    numbers);
  return least > 1e-100 && least < 1e100 ? least * (1 - 1e-9) : 0;
}

double CaseCheck::deviation(const VerifyCase& given, RotationForm form) {
  encode_sides(given, form);
  weigh(given);
  bounds_.identity(given.m, given.n, given.n - given.m, per_pair_);
  independent_.clear();
  add_dot_errors(claimed_, query_, key_, independent_);
  add_dot_errors(claimed_, given_, relative_, independent_);
  for (std::size_t k = 0; k < weights_.size(); ++k)
    independent_.push_back(per_pair_[k] * weights_[k]);
  return vector_length(independent_);
}

void CaseCheck::check_tables(const VerifyCase& given, double evaluation, bool with_defect,
                             CaseResult& result) {
  if (with_defect) result.defect = defect(scheme_, rows_);
  if (result.defect)
    result.from_certificate = {
        result.identity.error,
        (result.defect->norm + result.defect_error) * result.norms * kBoundInflation + evaluation};
  const double factor = claimed_.embedding().attention_factor;
  // A rotation by the wrong position keeps lengths as well as one by the right position there.
  for (const auto& [row, position] :
       {std::pair{&rows_.query, scheme_.query.rotated_by(given.m)},
        {&rows_.key, scheme_.key.rotated_by(given.n)},
        {&rows_.relative, scheme_.relative.rotated_by(given.n - given.m)}})
    result.modulus =
        worse(result.modulus, Measured{modulus_error(*row, factor, claimed_.level()),
                                       factor * bounds_.table_error(position) * kBoundInflation});
}

void CaseCheck::check_exact_and_shift(const VerifyCase& given, RotationForm form, double left_error,
                                      double right_error, CaseResult& result) {
  const std::int64_t distance = given.n - given.m;
  exact_.row(distance, rows_.relative);
  encode(exact_, rows_.relative, RotationForm::elementwise, given.k, relative_);
  scheme_.query.row(given.m + given.shift, rows_.query);
  scheme_.key.row(given.n + given.shift, rows_.key);
  encode(scheme_.query, rows_.query, form, given.q, query_);
  encode(scheme_.key, rows_.key, form, given.k, key_);
  const auto [exact, shifted] =
      bounded_scores({exact_.pipeline(), given_, relative_}, {claimed_, query_, key_});

  exact_bounds_.exact(distance, per_pair_);
  const double own = weighted(per_pair_) + exact.error;
  bounds_.exact(given.m, given.n, distance, per_pair_);
  const Measured left{std::abs(result.left - exact.score.value),
                      weighted(per_pair_) + left_error + own};
  bounds_.exact(distance, per_pair_);
  const Measured right{std::abs(result.right - exact.score.value),
                       weighted(per_pair_) + right_error + own};
  result.exact = worse(left, right);

  bounds_.shift(given.m, given.n, given.shift, per_pair_);
  result.shift = {std::abs(shifted.score.value - result.left),
                  weighted(per_pair_) + left_error + shifted.error};
}

}  // namespace rope
