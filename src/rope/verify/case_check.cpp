#include "rope/verify/case_check.hpp"

#include <algorithm>
#include <cmath>

#include "rope/precision/largest.hpp"
#include "rope/precision/length.hpp"

namespace rope {
namespace {

/// Largest distance of a table entry from the circle of radius A.
double modulus_error(const Rotor::Row& row, double radius) {
  Largest worst;
  for (std::size_t k = 0; k < row.table.cos.size(); ++k) {
    const auto c = static_cast<long double>(row.table.cos[k]);
    const auto s = static_cast<long double>(row.table.sin[k]);
    const auto error =
        static_cast<double>(std::abs(std::sqrt(c * c + s * s) - static_cast<long double>(radius)));
    worst.take(error);
  }
  return worst.value();
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
  rotor.apply(form, row, x, side.values);
  rotation_running_error(rotor.pipeline(), row.blocks(), x, side.values, side.errors);
}

ScoreError CaseCheck::dot(const Pipeline& pipeline, const Side& a, const Side& b, double& score) {
  const Score sum = pipeline.dot(a.values, b.values);
  score = sum.value;
  return dot_running_error(pipeline, {a.values, a.errors}, {b.values, b.errors}, sum);
}

void CaseCheck::scale_query(const std::vector<double>& q) {
  const RotaryEmbedding& embedding = scheme_.relative.pipeline().embedding();
  given_.values = q;
  scale_rotated(embedding, given_.values);
  given_.errors.clear();
  if (embedding.attention_factor == 1) return;
  for (const double value : given_.values)
    given_.errors.push_back(0x1p-53 * std::abs(value) + kBoundUnderflow);
}

double CaseCheck::weighted(const std::vector<double>& per_pair) const {
  double sum = 0;
  for (std::size_t k = 0; k < per_pair.size(); ++k)
    if (per_pair[k] != 0) sum += per_pair[k] * weights_[k];  // nothing, even of an infinite weight
  return sum * kBoundInflation;
}

CaseResult CaseCheck::check(const VerifyCase& given, RotationForm form, bool with_defect) {
  CaseResult result;
  const std::int64_t distance = given.n - given.m;
  scheme_rows(scheme_, given.m, given.n, rows_);
  scale_query(given.q);
  encode(scheme_.query, rows_.query, form, given.q, query_);
  encode(scheme_.key, rows_.key, form, given.k, key_);
  encode(scheme_.relative, rows_.relative, form, given.k, relative_);
  const ScoreError left = dot(claimed_, query_, key_, result.left);
  const ScoreError right = dot(claimed_, given_, relative_, result.right);
  const double evaluation = left.rigorous + right.rigorous;
  const double q_norm = vector_length(given.q), k_norm = vector_length(given.k);
  result.norms = q_norm * k_norm;

  const double factor = claimed_.embedding().attention_factor;
  const double square = factor * factor;
  weights_.resize(claimed_.embedding().pairs());
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    const auto [i, j] = claimed_.embedding().dimensions(k);
    weights_[k] = square * pair_weight(given.q[i], given.q[j], given.k[i], given.k[j]);
  }
  bounds_.identity(given.m, given.n, distance, per_pair_);
  const double largest = largest_of(per_pair_);
  result.defect_error = square * kDefectError;
  result.defect_bound = square * largest * (factor == 1 ? 1 : kBoundInflation);
  const double error = std::abs(result.left - result.right);
  const double table_part = weighted(per_pair_);
  result.identity = {error, table_part + evaluation};
  result.a_priori_bound =
      table_part + bounds_.rotated_score(q_norm, k_norm) + bounds_.relative_score(q_norm, k_norm);
  long double squares = left.squares + right.squares;
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    const auto part = static_cast<long double>(per_pair_[k] * weights_[k]);
    squares += part * part;
  }
  result.deviation = static_cast<double>(std::sqrt(squares));
  if (with_defect) result.defect = defect(scheme_, rows_);
  if (result.defect)
    result.from_certificate = {
        error,
        (result.defect->norm + result.defect_error) * result.norms * kBoundInflation + evaluation};
  // A rotation by the wrong position keeps lengths as well as one by the right position there.
  for (const auto& [row, position] : {std::pair{&rows_.query, scheme_.query.rotated_by(given.m)},
                                      {&rows_.key, scheme_.key.rotated_by(given.n)},
                                      {&rows_.relative, scheme_.relative.rotated_by(distance)}})
    result.modulus =
        worse(result.modulus, Measured{modulus_error(*row, factor),
                                       factor * bounds_.table_error(position) * kBoundInflation});
  check_exact(given, left.rigorous, right.rigorous, result);
  check_shift(given, form, left.rigorous, result);
  result.finite = std::isfinite(result.left) && std::isfinite(result.right) &&
                  std::isfinite(result.shift.error);
  result.bounded = std::isfinite(result.identity.bound) && std::isfinite(result.a_priori_bound) &&
                   std::isfinite(result.exact.bound) && std::isfinite(result.shift.bound);
  result.vacuous = !(largest < 1) || !result.bounded;
  return result;
}

void CaseCheck::check_exact(const VerifyCase& given, double left_error, double right_error,
                            CaseResult& result) {
  const std::int64_t distance = given.n - given.m;
  exact_.row(distance, exact_row_);
  encode(exact_, exact_row_, RotationForm::elementwise, given.k, relative_);
  double score = 0;
  const ScoreError evaluation = dot(exact_.pipeline(), given_, relative_, score);
  exact_bounds_.exact(distance, per_pair_);
  const double own = weighted(per_pair_) + evaluation.rigorous;
  bounds_.exact(given.m, given.n, distance, per_pair_);
  const Measured left{std::abs(result.left - score), weighted(per_pair_) + left_error + own};
  bounds_.exact(distance, per_pair_);
  const Measured right{std::abs(result.right - score), weighted(per_pair_) + right_error + own};
  result.exact = worse(left, right);
}

void CaseCheck::check_shift(const VerifyCase& given, RotationForm form, double left_error,
                            CaseResult& result) {
  bounds_.shift(given.m, given.n, given.shift, per_pair_);
  scheme_.query.row(given.m + given.shift, rows_.query);
  scheme_.key.row(given.n + given.shift, rows_.key);
  encode(scheme_.query, rows_.query, form, given.q, query_);
  encode(scheme_.key, rows_.key, form, given.k, key_);
  double shifted = 0;
  const ScoreError error = dot(claimed_, query_, key_, shifted);
  result.shift = {std::abs(shifted - result.left),
                  weighted(per_pair_) + left_error + error.rigorous};
}

}  // namespace rope
