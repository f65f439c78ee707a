// Rounding policies against their bounds.
//
//     rope_sweep [CASES]     every policy that has a name, CASES each in all (default 20000)
//
// Prints a table for docs/accuracy.md: the largest and the median ratio of what was measured to
// what each bound allows. Exit 1 if any rigorous bound was exceeded or any score was not a finite
// number.
//
//     rope_sweep any FIRST SETTINGS [CASES [EACH]]
//
// Any stage list, embedding, position and size of vectors that can be stated (support/
// random_setting.hpp): settings number FIRST, FIRST + 1, …, CASES cases each (default 500), and the
// self-test of every EACH-th (default 0: none). A setting is a function of its number, so a long
// sweep may be run in parts. Exit 1 if a bound was exceeded, a self-test failed, or an ordinary
// case was not decided.
//
//     rope_sweep documented FIRST SETTINGS [POSITIONS [CASES]]
//
// The bounds that the library states beside those of docs/accuracy.md, computed once more, and
// beside errors of another emulation, in intervals of 200 bits (support/documented_check.hpp), on
// all processors: POSITIONS pairs of positions of each setting (default 400), each the worst of
// many, and CASES scores (default 10). Exit 1 if an error is beyond a bound, or bounds differ.
//
//     rope_sweep kernel ANGLES
//
// cos_sin at that many fractions of a turn, on all processors, half of them near eighths of a turn,
// against cosl and sinl of the fraction that is left of the nearest quarter. Exit 1 if one is
// beyond kCosSinError.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "long_sweeps.hpp"
#include "random_sweep.hpp"
#include "rope/precision/largest.hpp"
#include "rope/verify/case_check.hpp"

namespace {

using namespace rope;

constexpr std::array<std::size_t, 4> kDims = {2, 64, 128, 256};
constexpr std::array<double, 4> kBases = {1e4, 5e5, 1e6, 1e7};
constexpr std::array<std::int64_t, 5> kRanges = {1000, 10000, 100000, 1000000, 10000000};
constexpr std::int64_t kFloat16Range = 32759;  // n − m ends at 65518, the last one float16 holds

/// The largest and the median of a ratio.
struct Ratios {
  std::vector<float> values;
  double largest = 0;

  void add(double ratio) {
    values.push_back(static_cast<float>(ratio));
    if (exceeds(ratio, largest)) largest = ratio;
  }
  double median() {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return static_cast<double>(*middle);
  }
};

struct Result {
  Ratios certificate, a_priori, running, exact;
  double probabilistic = 0;
  std::uint64_t cases = 0, vacuous = 0, violations = 0;
};

void add(const CaseResult& c, double deviation, Result& result) {
  ++result.cases;
  if (c.vacuous) ++result.vacuous;
  if (c.violated() || !c.finite) ++result.violations;
  if (!c.vacuous && c.defect)
    result.certificate.add(Measured{c.defect->norm, c.defect_bound}.ratio());
  result.a_priori.add(Measured{c.identity.error, c.a_priori_bound}.ratio());
  result.running.add(c.identity.ratio());
  result.exact.add(c.exact.ratio());
  const Measured probable{c.identity.error, 4 * deviation};
  if (exceeds(probable.ratio(), result.probabilistic)) result.probabilistic = probable.ratio();
}

Result sweep_policy(const Policy& policy, std::uint64_t cases) {
  Result result;
  const std::uint64_t each = cases / (kDims.size() * kBases.size() * kRanges.size());
  std::uint64_t seed = 0;
  for (const std::size_t dim : kDims) {
    for (const double base : kBases) {
      const Pipeline claimed(policy, default_embedding(dim, base));
      const Scheme scheme(policy, right_scheme(claimed.embedding()));
      CaseCheck check(scheme, claimed, {});
      for (std::int64_t range : kRanges) {
        if (policy.position == Format::float16) range = std::min(range, kFloat16Range);
        const CaseMaker maker(++seed, dim, range, policy.input());
        VerifyCase given;
        for (std::uint64_t number = 0; number < each; ++number) {
          maker.make(number, given);
          const CaseResult checked = check.check(given, RotationForm::elementwise);
          add(checked, check.deviation(given, RotationForm::elementwise), result);
        }
      }
    }
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i, std::uint64_t otherwise) {
    return argc > i ? std::strtoull(argv[i], nullptr, 10) : otherwise;
  };
  if (argc > 3 && std::string_view(argv[1]) == "any")
    return sweep::run({number(2, 0), number(3, 0), number(4, 500), number(5, 0)}) ? 0 : 1;
  if (argc > 3 && std::string_view(argv[1]) == "documented")
    return sweep::run_documented(number(2, 0), number(3, 0), number(4, 400), number(5, 10)) ? 0 : 1;
  if (argc > 2 && std::string_view(argv[1]) == "kernel")
    return sweep::run_kernel(number(2, 0)) ? 0 : 1;
  const std::uint64_t cases = number(1, 20000);
  const std::span<const Policy> all = policies();
  std::vector<Result> results(all.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < all.size(); i = next++)
      results[i] = sweep_policy(all[i], cases);
  };
  std::vector<std::jthread> others(std::max(std::thread::hardware_concurrency(), 1U) - 1);
  for (std::jthread& thread : others) thread = std::jthread(work);
  work();
  others.clear();

  std::printf(
      "| policy | all q, k | a priori | running | exact score | 4 deviations | vacuous |\n"
      "|---|---|---|---|---|---|---|\n");
  std::uint64_t violations = 0, total = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Result& r = results[i];
    std::printf(
        "| `%s` | %.3f / %.3f | %.3f / %.3f | %.3f / %.3f | %.3f / %.3f | %.2f | %.0f %% |\n",
        all[i].name.c_str(), r.certificate.largest, r.certificate.median(), r.a_priori.largest,
        r.a_priori.median(), r.running.largest, r.running.median(), r.exact.largest,
        r.exact.median(), r.probabilistic,
        100 * static_cast<double>(r.vacuous) /
            static_cast<double>(std::max<std::uint64_t>(r.cases, 1)));
    violations += r.violations;
    total += r.cases;
  }
  std::printf("\n%llu cases, %llu violations\n", static_cast<unsigned long long>(total),
              static_cast<unsigned long long>(violations));
  return total > 0 && violations == 0 ? 0 : 1;
}
