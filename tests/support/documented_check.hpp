#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rope/error.hpp"
#include "rope/precision/bounds.hpp"
#include "rope/verify/case_check.hpp"
#include "support/documented_bounds.hpp"
#include "support/documented_running.hpp"
#include "support/random_setting.hpp"

// The bounds that the library states, beside those of docs/accuracy.md computed once more
// (documented_bounds.hpp) and beside errors of another emulation (emulation.hpp), measured in
// intervals of 200 bits.
namespace rope::test {

/// What became of the checks of many settings.
struct DocumentedTally {
  std::uint64_t settings = 0, refused = 0;  ///< refused: a frequency that its format cannot hold
  std::uint64_t positions = 0, cases = 0;   ///< (m, n, shift, pair), and (m, n, q, k)
  std::uint64_t errors = 0, bounds = 0;     ///< that were compared with a bound, with another bound
  std::uint64_t beyond = 0;                 ///< errors that are surely beyond a bound
  std::uint64_t undecided = 0;              ///< errors that intervals could not tell from a bound
  std::uint64_t below = 0;                  ///< bounds surely below the documented one
  std::uint64_t wider = 0;                  ///< bounds that are wider than roundings explain
  std::string told;                         ///< the first few of these, a line each
  double identity = 0, shift = 0, exact = 0, entry = 0, score = 0, rotated = 0;  ///< error/bound
  double running = 0, certificate = 0;                                           ///< the same

  void add(const DocumentedTally& other) {
    for (const auto field :
         {&DocumentedTally::settings, &DocumentedTally::refused, &DocumentedTally::positions,
          &DocumentedTally::cases, &DocumentedTally::errors, &DocumentedTally::bounds,
          &DocumentedTally::beyond, &DocumentedTally::undecided, &DocumentedTally::below,
          &DocumentedTally::wider})
      this->*field += other.*field;
    for (const auto field :
         {&DocumentedTally::identity, &DocumentedTally::shift, &DocumentedTally::exact,
          &DocumentedTally::entry, &DocumentedTally::score, &DocumentedTally::rotated,
          &DocumentedTally::running, &DocumentedTally::certificate})
      this->*field = std::max(this->*field, other.*field);
    tell(other.told);
  }
  void tell(const std::string& lines) {
    constexpr std::size_t kEnough = 4000;
    if (told.size() < kEnough) told += lines;
  }
  bool right() const { return settings > 0 && beyond + undecided + below + wider == 0; }
};

class DocumentedCheck {
 public:
  /// Every bound of the library is taken `share` times, to see that this notices.
  explicit DocumentedCheck(const Setting& setting, std::uint64_t seed, double share = 1)
      : setting_(setting),
        pipeline_(setting.policy, setting.embedding),
        scheme_(setting.policy, right_scheme(pipeline_.embedding())),
        check_(scheme_, pipeline_, {}),
        emulation_(setting.policy, setting.embedding),
        documented_(emulation_),
        in_doubles_(emulation_, true),
        running_(emulation_, documented_),
        running_in_doubles_(emulation_, in_doubles_),
        draw_(seed, 0),
        maker_(seed, setting.embedding.head_dim, setting.range, setting.policy.input()),
        share_(share) {}

  /// Positions whose angles are rounded far, on a pair that is drawn.
  void positions() {
    const auto k = static_cast<std::size_t>(
        draw_.integer(0, static_cast<std::int64_t>(setting_.embedding.pairs()) - 1));
    const std::int64_t m = worst_position(k, -1), n = worst_position(k, 1);
    const std::int64_t by = draw_.integer(-setting_.range / 4, setting_.range / 4);
    const ErrorBounds& bounds = check_.bounds();
    std::vector<double> identity, shift, left, entry, faithful;
    bounds.identity(m, n, n - m, identity);
    bounds.shift(m, n, by, shift);
    bounds.exact(m, n, n - m, left);
    bounds.exact(n, entry);
    bounds.faithfulness(n, faithful);
    agrees("T", identity[k], documented_.identity(m, n, k));
    agrees("T of a shift", shift[k], documented_.shift(m, n, by, k));
    agrees("C", left[k], documented_.exact(m, n, k), in_doubles_.exact(m, n, k));
    agrees("(2')", entry[k], documented_.exact(n, k), in_doubles_.exact(n, k));
    agrees("(2') of what is granted", faithful[k], documented_.faithful(n, k));
    ++tally.positions;

    const Interval& a = documented_.factor();
    const Plane at_n = computed(n, k), relative = computed(n - m, k);
    const Plane product = conjugate_times(computed(m, k), at_n);
    const Plane moved = conjugate_times(computed(m + by, k), computed(n + by, k));
    if (!product.finite() || !moved.finite() || !relative.finite()) return;
    const Plane truth = exact(n - m, k);
    holds("T", length(product - relative.times(a)), a * a * stated(identity[k]), tally.identity);
    holds("T of a shift", length(product - moved), a * a * stated(shift[k]), tally.shift);
    holds("C", length(product - truth.times(a * a)), a * a * stated(left[k]), tally.exact);
    holds("(2')", length(at_n - exact(n, k).times(a)), a * stated(entry[k]), tally.entry);
  }

  /// A case with all its pairs; of vectors of one pair alone where `number` is odd.
  void scores(std::uint64_t number) {
    VerifyCase given;
    maker_.make(number, given);
    resize_vectors(setting_, given);
    const std::size_t pairs = setting_.embedding.pairs();
    if (number % 2 == 1) keep_pair(number % pairs, given);
    const CaseResult result = check_.check(given, RotationForm::elementwise);
    ++tally.cases;
    const Interval q = norm(given.q), k = norm(given.k);
    const Interval left = documented_.left(q, k), right = documented_.right(q, k);
    const Interval square = documented_.factor() * documented_.factor();
    Interval tables, weight;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const auto [i, j] = emulation_.dimensions(pair);
      weight = square * length({given.q[i], given.q[j]}) * length({given.k[i], given.k[j]});
      if (surely_above(weight, Interval()))
        tables += documented_.identity(given.m, given.n, pair) * weight;
    }
    const Interval most_left = in_doubles_.left(q, k), most_right = in_doubles_.right(q, k);
    agrees("A_L", check_.bounds().rotated_score(q.high(), k.high()), left, most_left);
    agrees("A_R", check_.bounds().relative_score(q.high(), k.high()), right, most_right);
    rotated(given.n, given.k);
    if (!result.finite) return;
    agrees("a priori", result.a_priori_bound, tables + left + right,
           tables + most_left + most_right);
    const Interval error = abs(Interval(result.left) - Interval(result.right));
    holds("a priori", error, stated(result.a_priori_bound), tally.score);
    running(given, result, tables, error);
    const double other =
        emulation_.score(emulation_.turned(given.m, given.q), emulation_.turned(given.n, given.k));
    if (other != result.left) fail(tally.beyond, "another emulation gives another score");
    ++tally.errors;
  }

  static constexpr int kCandidates = 32;  // for each of m and n
  DocumentedTally tally;

 private:
  struct Plane {
    Interval x, y;
    bool finite() const { return x.finite() && y.finite(); }
    Plane times(const Interval& a) const { return {a * x, a * y}; }
  };
  friend Plane operator-(const Plane& a, const Plane& b) { return {a.x - b.x, a.y - b.y}; }
  static Plane conjugate_times(const Plane& a, const Plane& b) {
    return {a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x};
  }
  static Interval length(const Plane& a) {
    const Interval x = abs(a.x), y = abs(a.y);
    return sqrt(x * x + y * y);
  }
  static Interval norm(const std::vector<double>& x) {
    Interval sum;
    for (const double each : x) sum += Interval(each) * Interval(each);
    return sqrt(sum);
  }

  Plane computed(std::int64_t position, std::size_t k) const {
    const Entry entry = emulation_.entry(position, k);
    return {entry.cos, entry.sin};
  }
  Plane exact(std::int64_t position, std::size_t k) const {
    const Interval angle = Interval(position) * documented_.theta(k);
    return {cos(angle), sin(angle)};
  }
  void keep_pair(std::size_t pair, VerifyCase& given) const {
    const auto [i, j] = emulation_.dimensions(pair);
    for (std::vector<double>* x : {&given.q, &given.k})
      for (std::size_t d = 0; d < x->size(); ++d)
        if (d != i && d != j) (*x)[d] = 0;
  }

  /// Of many positions, that whose angle is rounded farthest to one side.
  std::int64_t worst_position(std::size_t k, int side) {
    std::int64_t worst = 0;
    double farthest = -HUGE_VAL;
    const double theta = emulation_.theta(k);
    for (int i = 0; i < kCandidates; ++i) {
      const std::int64_t p = draw_.integer(-setting_.range, setting_.range);
      const double angle = emulation_.angle(p, k);
      const double off = side * std::remainder(std::fma(-static_cast<double>(p), theta, angle),
                                               2 * std::numbers::pi);
      if (off > farthest || i == 0) {
        worst = p;
        farthest = off;
      }
    }
    return worst;
  }

  void rotated(std::int64_t position, const std::vector<double>& x) {
    std::vector<double> per_pair;
    const double through = check_.bounds().rotated(Position(position), x, per_pair);
    const std::size_t pairs = setting_.embedding.pairs();
    std::vector<DocumentedBounds::Turned> turned, most;
    Interval longest, longest_most;
    bool granted = true;
    for (std::size_t k = 0; k < pairs; ++k) {
      const auto [i, j] = emulation_.dimensions(k);
      const Interval w = length({x[i], x[j]});
      turned.push_back(documented_.turned(position, k, w));
      most.push_back(in_doubles_.turned(position, k, w));
      longest = larger_of(longest, turned.back().length);
      longest_most = larger_of(longest_most, most.back().length);
      granted = granted && surely_at_most(documented_.frequency_error(k),
                                          documented_.granted_frequency_error(k));
    }
    for (std::size_t i = 2 * pairs; i < x.size(); ++i)
      for (Interval* each : {&longest, &longest_most})
        *each = larger_of(*each, abs(Interval(x[i])));
    const std::vector<double> y = emulation_.turned(position, x);
    for (std::size_t k = 0; k < pairs; ++k) {
      agrees("a rotated pair", per_pair[k], documented_.stored(turned[k], longest),
             in_doubles_.stored(most[k], longest_most));
      const auto [i, j] = emulation_.dimensions(k);
      if (!granted || !std::isfinite(y[i]) || !std::isfinite(y[j])) continue;
      const Plane turn = exact(position, k).times(documented_.factor());
      const Plane off = {Interval(y[i]) - (Interval(x[i]) * turn.x - Interval(x[j]) * turn.y),
                         Interval(y[j]) - (Interval(x[i]) * turn.y + Interval(x[j]) * turn.x)};
      holds("a rotated pair", length(off), stated(per_pair[k]), tally.rotated);
    }
    double ignored = 0;
    for (std::size_t i = 2 * pairs; i < x.size(); ++i)
      if (std::isfinite(y[i]))
        holds("passes through", abs(Interval(y[i]) - Interval(x[i])), stated(through), ignored);
  }

  /// The running bounds of both sides.
  static Interval evaluated(const DocumentedRunning& running, const VerifyCase& given) {
    return running.score(running.turned(given.m, given.q), running.turned(given.n, given.k)) +
           running.score(running.scaled(given.q), running.turned(given.n - given.m, given.k));
  }

  /// The bounds that are made of what arose, with the defect of the tables that is there.
  void running(const VerifyCase& given, const CaseResult& result, const Interval& tables,
               const Interval& error) {
    const Interval evaluation = evaluated(running_, given);
    const Interval most_evaluation = evaluated(running_in_doubles_, given);
    agrees("running", result.identity.bound, tables + evaluation, tables + most_evaluation);
    holds("running", error, stated(result.identity.bound), tally.running);

    const Interval& a = documented_.factor();
    Interval defect, most;
    for (std::size_t k = 0; k < setting_.embedding.pairs(); ++k) {
      const Plane product = conjugate_times(computed(given.m, k), computed(given.n, k));
      const Plane off = product - computed(given.n - given.m, k).times(a);
      defect = larger_of(defect, length(off));
      most = larger_of(most, documented_.identity(given.m, given.n, k));
    }
    double ignored = 0;
    // And the norm is told in a double.
    const Interval precision = a * a * Interval(kDefectError) + Interval(0x1p-53) * defect;
    holds("the certificate", abs(Interval(result.defect->norm) - defect), precision, ignored);
    agrees("max T", result.defect_bound, a * a * most);
    const Interval norms = norm(given.q) * norm(given.k);
    agrees("from the certificate", result.from_certificate.bound, defect * norms + evaluation,
           (defect + Interval(2.0) * precision) * norms + most_evaluation);
    holds("from the certificate", error, stated(result.from_certificate.bound), tally.certificate);
  }

  Interval stated(double bound) const { return Interval(bound) * Interval(share_); }

  void holds(const char* what, const Interval& error, const Interval& bound, double& largest) {
    ++tally.errors;
    if (!bound.finite()) return;
    if (surely_above(error, bound)) return fail(tally.beyond, what);
    if (!surely_at_most(error, bound)) return fail(tally.undecided, what);
    if (surely_above(bound, Interval())) largest = std::max(largest, (error / bound).low());
  }

  /// The library's bound is no less than the documented one, and no wider than by its inflation
  /// (4e-9), a turn (1.3e-9 of π·2^-24) and what it spends on second orders (8u² in place of u² for
  /// an attention factor: 2^-22 of 2u at u = 2^-24).
  void agrees(const char* what, double bound, const Interval& documented) {
    agrees(what, bound, documented, documented);
  }
  void agrees(const char* what, double bound, const Interval& documented, const Interval& most) {
    static const Interval kWider = Interval(1.0) + Interval(0x1p-22 + 6e-9);
    static const Interval kUnderflow = Interval(1e-300);
    ++tally.bounds;
    if (!documented.finite()) {
      if (std::isfinite(bound)) fail(tally.below, what);
      return;
    }
    if (std::isnan(bound)) return fail(tally.below, what);
    if (surely_above(documented, stated(bound))) return fail(tally.below, what);
    if (surely_above(stated(bound), most * kWider + kUnderflow)) fail(tally.wider, what);
  }

  void fail(std::uint64_t& count, const char* what) {
    ++count;
    tally.tell(std::string(&count == &tally.beyond      ? "beyond: "
                           : &count == &tally.undecided ? "undecided: "
                           : &count == &tally.below     ? "below the documented bound: "
                                                        : "wider than documented: ") +
               what + ", " + setting_.text() + "\n");
  }

  const Setting& setting_;
  Pipeline pipeline_;
  Scheme scheme_;
  CaseCheck check_;
  Emulation emulation_;
  DocumentedBounds documented_, in_doubles_;
  DocumentedRunning running_, running_in_doubles_;
  Draw draw_;
  CaseMaker maker_;
  double share_;
};

/// Settings number first … first + settings − 1 of a seed. A setting is a function of its number.
inline DocumentedTally check_documented(std::uint64_t seed, std::uint64_t first,
                                        std::uint64_t settings, std::uint64_t positions_each,
                                        std::uint64_t cases_each, double share = 1) {
  DocumentedTally all;
  for (std::uint64_t number = first; number < first + settings; ++number) {
    const Setting setting = draw_setting(seed, number, number % 500 == 0 ? 512 : 48);
    std::optional<DocumentedCheck> check;
    try {
      check.emplace(setting, seed + number, share);
    } catch (const DomainError&) {
      ++all.refused;
      continue;
    }
    for (std::uint64_t i = 0; i < positions_each; ++i) check->positions();
    for (std::uint64_t i = 0; i < cases_each; ++i) check->scores(number + i);
    ++check->tally.settings;
    all.add(check->tally);
  }
  return all;
}

}  // namespace rope::test
