#include "random_sweep.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/not_finite.hpp"
#include "rope/verify/verification.hpp"
#include "support/random_setting.hpp"

namespace rope::sweep {
namespace {

constexpr std::uint64_t kSeed = 20261122;

/// What became of the cases of one kind.
struct Counts {
  std::uint64_t cases = 0, decided = 0, too_far = 0, unbounded = 0, violations = 0;
  std::array<std::uint64_t, 6> not_finite{};  // by stage

  void print(const char* kind) const {
    std::printf("%s: %llu cases\n", kind, number(cases));
    std::printf("  decided                      %llu\n", number(decided));
    std::printf("  beyond a bound               %llu\n", number(violations));
    std::printf("  vacuous: a radian or more    %llu\n", number(too_far));
    std::printf("  vacuous: an infinite bound   %llu\n", number(unbounded));
    for (std::size_t stage = 0; stage < not_finite.size(); ++stage)
      std::printf("  not finite: %-10s       %llu\n",
                  std::string(name(static_cast<Stage>(stage))).c_str(), number(not_finite[stage]));
  }
  static unsigned long long number(std::uint64_t x) { return x; }
};

/// Whether every case of the setting must be decided: formats with the range for its numbers,
/// positions that they hold, angles that they know to a sixteenth of a radian.
bool ordinary(const test::Setting& setting) {
  const Policy& policy = setting.policy;
  const RotaryEmbedding& embedding = setting.embedding;
  const auto wide = [](Format format) { return limits(format).largest > 1e38; };
  const double last = 2 * static_cast<double>(setting.range);  // n − m
  const double theta = *std::ranges::max_element(embedding.frequencies.theta);
  const double roundings =
      policy.angle_rule == AngleRule::recurrence ? static_cast<double>(embedding.pairs()) : 1;
  const double angle = last * std::max(theta, 1.0);
  return setting.q_scale == 0 && setting.k_scale == 0 && wide(policy.table) && wide(policy.apply) &&
         wide(policy.accumulate) && (wide(policy.store) || policy.store == Format::float8) &&
         wide(policy.position) && wide(policy.angle) &&
         last <= std::ldexp(1.0, limits(policy.position).precision) &&
         angle * roundings * limits(policy.angle).unit_roundoff < 1.0 / 16 &&
         (!policy.reduced || angle < 1e12);
}

class Sweep {
 public:
  explicit Sweep(const RandomSweep& options) : options_(options) {}

  bool run() {
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t number = options_.first; number < options_.first + options_.settings;
         ++number)
      add(number);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    ordinary_.print("ordinary");
    others_.print("others");
    const std::uint64_t cases = ordinary_.cases + others_.cases;
    const std::uint64_t violations = ordinary_.violations + others_.violations;
    std::printf("refused settings: %llu (a frequency that its format cannot hold)\n",
                Counts::number(refused_));
    std::printf("self-tests: %llu, failed %llu\n", Counts::number(self_tests_),
                Counts::number(failed_self_tests_));
    std::printf("largest ratios: all q, k %.6f, a priori %.6f, running %.6f, exact %.6f\n",
                certificate_, a_priori_, running_, exact_);
    std::printf("settings %llu to %llu: %llu cases, %llu violations, %.1f s, %.0f cases/s\n",
                Counts::number(options_.first),
                Counts::number(options_.first + options_.settings - 1), Counts::number(cases),
                Counts::number(violations), took.count(),
                static_cast<double>(cases) / took.count());
    const bool all_decided = ordinary_.decided == ordinary_.cases;
    if (!all_decided) std::printf("an ordinary case was not decided\n");
    return violations == 0 && failed_self_tests_ == 0 && all_decided && cases > 0;
  }

 private:
  void add(std::uint64_t number) try {
    const test::Setting setting = test::draw_setting(kSeed, number);
    const Pipeline claimed(setting.policy, setting.embedding);
    const Scheme scheme(setting.policy, right_scheme(claimed.embedding()));
    CaseCheck check(scheme, claimed, {});
    const CaseMaker maker(kSeed + number, setting.embedding.head_dim, setting.range,
                          setting.policy.input());
    Counts& counts = ordinary(setting) ? ordinary_ : others_;
    VerifyCase given;
    bool told = false;
    for (std::uint64_t i = 0; i < options_.cases_each; ++i) {
      maker.make(i, given);
      test::resize_vectors(setting, given);
      const CaseResult result = check.check(given, RotationForm::elementwise);
      const bool wrong = result.finite && result.violated();
      if (!add(claimed, given, result, counts) && &counts == &ordinary_)
        tell(setting, given, "undecided", told);
      if (wrong) tell(setting, given, "beyond a bound", told);
    }
    if (options_.self_test_each > 0 && number % options_.self_test_each == 0)
      self_test(setting, number);
  } catch (const DomainError&) {
    ++refused_;
  }

  static void tell(const test::Setting& setting, const VerifyCase& given, const char* what,
                   bool& told) {
    if (told) return;
    told = true;
    std::printf("%s: %s, case %llu, m = %lld, n = %lld\n", what, setting.text().c_str(),
                Counts::number(given.number), static_cast<long long>(given.m),
                static_cast<long long>(given.n));
  }

  /// Whether the case was decided.
  bool add(const Pipeline& claimed, const VerifyCase& given, const CaseResult& c, Counts& counts) {
    ++counts.cases;
    if (!c.finite) {
      auto found = first_not_finite(claimed, given.m, given.n, given.q, given.k);
      if (!found)
        found = first_not_finite(claimed, given.m + given.shift, given.n + given.shift, given.q,
                                 given.k);
      if (found)
        ++counts.not_finite[static_cast<std::size_t>(found->stage)];
      else
        ++counts.violations;
      return false;
    }
    if (c.violated()) ++counts.violations;
    if (c.vacuous) {
      ++(std::isfinite(c.identity.bound) && std::isfinite(c.exact.bound) ? counts.too_far
                                                                         : counts.unbounded);
      return false;
    }
    if (c.violated()) return false;
    ++counts.decided;
    if (c.defect) note(Measured{c.defect->norm, c.defect_bound}.ratio(), certificate_);
    note(Measured{c.identity.error, c.a_priori_bound}.ratio(), a_priori_);
    note(c.identity.ratio(), running_);
    note(c.exact.ratio(), exact_);
    return true;
  }

  static void note(double ratio, double& largest) {
    if (exceeds(ratio, largest)) largest = ratio;
  }

  void self_test(const test::Setting& setting, std::uint64_t number) {
    ++self_tests_;
    for (const ControlReport& report :
         run_controls(setting.embedding, setting.policy, {}, kSeed + number)) {
      if (report.outcome != ControlReport::Outcome::not_rejected) continue;
      ++failed_self_tests_;
      std::printf("self-test failed: %s: %s\n", setting.text().c_str(),
                  std::string(report.control.name).c_str());
      return;
    }
  }

  RandomSweep options_;
  Counts ordinary_, others_;
  std::uint64_t refused_ = 0, self_tests_ = 0, failed_self_tests_ = 0;
  double certificate_ = 0, a_priori_ = 0, running_ = 0, exact_ = 0;
};

}  // namespace

bool run(const RandomSweep& sweep) { return Sweep(sweep).run(); }

}  // namespace rope::sweep
