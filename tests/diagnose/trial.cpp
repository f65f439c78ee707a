// Implementations made up at random, and what the diagnosis makes of them:
//
//     diagnose_trial [CASES [SEED [CASE]]]     default 3000 cases of seed 42; CASE: that one alone
//
// Each case draws a layout, a sign, a base from 100 to 10^8, a scaling rule, a rotated part, an
// offset, a pipeline and noise, and rotates random vectors by it: once 48 to 200 tokens, of which
// the diagnosis is given nothing but the vectors; once 1 to 16, which may fall, be in any order or
// lie scattered, told nothing, told what is right, and told another base. Prints how often each
// format was solved. Exit 1 if any answer was given as certain and is wrong, "none" included, since
// each was made by a convention, or if a format was solved less often than it should be, by more
// than four standard deviations of so many cases.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/scaling/scaling.hpp"
#include "support/rotated.hpp"

namespace {

using namespace rope;

/// What is told beside the vectors.
enum class Told { nothing, right, another_base };

/// The cases that are counted together, and the share of them that must be solved.
struct Group {
  const char* name;
  std::size_t format;  // index into kPolicies
  bool few;            // 1 to 16 tokens
  Told told;
  double least_solved;
};
constexpr std::array<Group, 15> kGroups = {{
    {"float64", 0, false, Told::nothing, 0.97},
    {"float32", 1, false, Told::nothing, 0.9},
    {"bfloat16", 2, false, Told::nothing, 0.7},
    {"float64, few", 0, true, Told::nothing, 0.58},
    {"float32, few", 1, true, Told::nothing, 0.48},
    {"bfloat16, few", 2, true, Told::nothing, 0.2},
    {"float16, few", 3, true, Told::nothing, 0.33},
    {"float64, few, told", 0, true, Told::right, 0.9},
    {"float32, few, told", 1, true, Told::right, 0.8},
    {"bfloat16, few, told", 2, true, Told::right, 0.28},
    {"float16, few, told", 3, true, Told::right, 0.52},
    {"float64, few, misled", 0, true, Told::another_base, 0.9},
    {"float32, few, misled", 1, true, Told::another_base, 0.8},
    {"bfloat16, few, misled", 2, true, Told::another_base, 0.25},
    {"float16, few, misled", 3, true, Told::another_base, 0.5},
}};

/// A made-up implementation, and the vectors it was given.
struct Case {
  std::size_t format = 0;  // index into kPolicies
  bool few = false;
  Arrangement arrangement;
  RotaryEmbedding embedding;
  Policy policy;
  bool clockwise = false;
  std::vector<std::int64_t> positions;
  bool noise = false;
  RotatedTensors tensors;

  std::int64_t offset() const { return *std::min_element(positions.begin(), positions.end()); }
  double unit() const { return limits(policy.store).unit_roundoff; }
};

class Maker {
 public:
  Maker(std::uint64_t seed, std::uint64_t number) : random_(seed, number) {}

  Case make(bool few) {
    Case c;
    c.few = few;
    c.format = pick(few ? 4 : 3);
    const std::size_t dim = std::array<std::size_t, 5>{16, 32, 64, 128, 256}.at(pick(5));
    c.arrangement = arrangement(dim);
    c.clockwise = pick(4) == 0;
    const std::int64_t offset = pick(2) == 0 ? 0 : random_.integer(1, 5000);
    c.noise = pick(4) == 0;
    c.policy = policy(c.format);
    c.embedding = embedding(c.arrangement.rotary_dim);
    const auto tokens =
        static_cast<std::size_t>(few ? random_.integer(1, 16) : random_.integer(48, 200));
    const std::size_t lanes = std::array<std::size_t, 3>{1, 2, 8}.at(pick(3));
    c.tensors = test::random_tensors(tokens, lanes, dim, c.policy.store, random_);
    c.positions = test::counted(offset, tokens);
    if (few) reorder(c.positions);
    fill(c);
    return c;
  }

 private:
  std::size_t pick(std::int64_t n) { return static_cast<std::size_t>(random_.integer(0, n - 1)); }

  /// Mostly not; else falling, in any order, or scattered.
  void reorder(std::vector<std::int64_t>& positions) {
    const std::size_t order = pick(8);
    if (order == 0) std::reverse(positions.begin(), positions.end());
    if (order == 1)
      for (std::size_t i = positions.size(); i > 1; --i)
        std::swap(positions[i - 1], positions[pick(static_cast<std::int64_t>(i))]);
    if (order == 2)
      for (std::int64_t& position : positions) position = random_.integer(0, 20000);
  }

  Arrangement arrangement(std::size_t dim) {
    Arrangement a;
    a.rotary_dim = std::array<std::size_t, 4>{dim, dim, dim / 2, dim / 4}.at(pick(4));
    a.offset = pick(4) == 0 ? dim - a.rotary_dim : 0;
    constexpr std::array<std::pair<int, int>, 6> kOrders = {
        {{0, 0}, {-1, -1}, {0, 0}, {-1, -1}, {0, -1}, {-1, 0}}};
    std::tie(a.in, a.out) = kOrders.at(pick(6));
    return a;
  }

  Policy policy(std::size_t format) {
    constexpr std::array<std::array<const char*, 3>, 4> kPolicies = {
        {{"float64", "float64", "exact"},
         {"float32", "ggml", "float64-angle"},
         {"bfloat16-table", "bfloat16-store", "float64-angle-bfloat16"},
         {"float16-table", "float32,store=f16", "float32,table=f16,store=f16"}}};
    return parse_policy(kPolicies.at(format).at(pick(3)));
  }

  /// As models have it, or any number.
  double factor() {
    if (pick(2) == 0) return std::array<double, 4>{2, 4, 8, 32}.at(pick(4));
    const double any = 1.5 * std::exp2(5.4 * static_cast<double>(random_.integer(0, 1000)) / 1000);
    return pick(2) == 0 ? any : std::ceil(any);
  }

  double length() {
    if (pick(2) == 0) return pick(2) == 0 ? 4096 : 8192;
    return std::exp2(static_cast<double>(random_.integer(10, 18)));
  }

  RotaryEmbedding embedding(std::size_t rotary_dim) {
    constexpr std::array<double, 6> kKnown = {1e4, 5e5, 1e6, 1e4, 5e6, 1.5e5};
    const double exponent = 2 + 6 * static_cast<double>(random_.integer(0, 1 << 20)) / (1 << 20);
    const double base = pick(2) == 0 ? kKnown.at(pick(6)) : std::pow(10.0, exponent);
    const ScalingContext context{base, rotary_dim, rotary_dim, {}, {}};
    const double factor = this->factor(), original = length();
    const std::size_t rule = pick(10);
    if (rule == 0) return scaled_embedding({"linear", {{"factor", factor}}, {}}, context);
    if (rule == 1 && rotary_dim > 2)
      return scaled_embedding({"ntk", {{"factor", factor}}, {}}, context);
    if (rule == 2 && rotary_dim > 8)
      return scaled_embedding({"yarn", {{"factor", factor}, {"original", original}}, {}}, context);
    if (rule == 3) {
      const auto [low, high] =
          std::array<std::pair<double, double>, 4>{{{1, 4}, {1, 4}, {1, 8}, {2, 4}}}.at(pick(4));
      return scaled_embedding(
          {"llama3",
           {{"factor", factor}, {"low", low}, {"high", high}, {"original", original}},
           {}},
          context);
    }
    return scaled_embedding({}, context);
  }

  void fill(Case& c) {
    test::rotate_into({c.arrangement, c.embedding, c.policy, c.clockwise}, c.positions, c.tensors);
    const Arrangement& a = c.arrangement;
    if (c.noise)
      for (std::size_t row = 0; row < c.tensors.y.size(); row += c.tensors.dim)
        for (std::size_t i = row + a.offset; i < row + a.offset + a.rotary_dim; ++i)
          c.tensors.y[i] = disturbed(c, c.tensors.y[i]);
  }

  /// The number or one of its neighbours in the format.
  double disturbed(const Case& c, double value) {
    const double step = 1.5 * c.unit() * value * static_cast<double>(random_.integer(-1, 1));
    return round_to(c.policy.store, value + step);
  }

  RandomStream random_;
};

/// What an explanation says that θ_k may be off by.
double stated_error(const Spectrum& s, std::size_t k) {
  const double theta = s.embedding.frequencies.theta[k];
  double error = s.theta_error.empty() ? 0 : s.theta_error[k];
  if (s.recognised && s.base_low > 0 && s.base_high > s.base_low)
    error = std::max(error, theta * (std::log(s.divisor_high / s.divisor_low) +
                                     std::log(s.base_high / s.base_low) * static_cast<double>(k) /
                                         static_cast<double>(s.embedding.pairs())));
  return error;
}

/// Whether an explanation says what was done: the same pairs, direction, positions, and
/// frequencies that differ by no more than these vectors can show.
bool right(const Case& c, const Explanation& e) {
  const Arrangement &a = c.arrangement, &b = e.arrangement;
  if (a.offset != b.offset || a.rotary_dim != b.rotary_dim) return false;
  for (std::size_t k = 0; k < a.pairs(); ++k)
    if (a.in_dimensions(k).first != b.in_dimensions(k).first ||
        a.in_dimensions(k).second != b.in_dimensions(k).second ||
        a.out_dimensions(k).first != b.out_dimensions(k).first)
      return false;
  const Spectrum& s = e.spectrum();
  if (s.clockwise != c.clockwise || s.reversed || e.regimes.size() != 1 ||
      e.regimes.front().positions != c.positions)
    return false;
  const double factor = c.embedding.attention_factor;
  const bool near = std::abs(s.embedding.attention_factor / factor - 1) <= 1e-12;
  if (!near && (factor < s.factor_low || factor > s.factor_high)) return false;
  const double farthest = static_cast<double>(c.tensors.tokens) + static_cast<double>(c.offset());
  for (std::size_t k = 0; k < a.pairs(); ++k) {
    const double truth = c.embedding.frequencies.theta[k];
    const double error = std::abs(s.embedding.frequencies.theta[k] - truth);
    const double stated = stated_error(s, k);
    if (!(error * farthest <= 16 * c.unit() + 1e-6 * farthest * truth + farthest * stated))
      return false;
  }
  if (s.recognised && s.embedding.geometric_base() && c.embedding.geometric_base() &&
      a.pairs() > 1) {
    const double base = *c.embedding.base;
    if (base < s.base_low * (1 - 1e-6) || base > s.base_high * (1 + 1e-6)) return false;
  }
  return true;
}

DiagnosisRequest request_of(const Case& c, Told told) {
  DiagnosisRequest request;
  request.hypotheses.noise_ulp = c.noise ? 1 : 0;
  if (told == Told::nothing) return request;
  request.positions = c.positions;
  request.assumed = Assumption{c.embedding};
  request.assumed->positions = true;
  RotaryEmbedding& assumed = request.assumed->embedding;
  if (told == Told::another_base)
    assumed = default_embedding(assumed.rotary_dim(), *assumed.base == 1e4 ? 5e5 : 1e4);
  assumed.layout = c.arrangement.in == 0 ? PairLayout::interleaved : PairLayout::half;
  return request;
}

struct Count {
  std::size_t cases = 0, solved = 0, ambiguous = 0, ambiguous_without = 0, none = 0, wrong = 0;
};

std::string text(const Case& c) {
  char line[300];
  std::snprintf(line, sizeof line,
                "%s %s r=%zu+%zu/%zu base=%.8g %s A=%.4g %s first=%ld%s %zux%zu%s",
                c.policy.name.c_str(), name(c.arrangement).c_str(), c.arrangement.offset,
                c.arrangement.rotary_dim, c.tensors.dim, *c.embedding.base,
                scaling_text(c.embedding.scaling).c_str(), c.embedding.attention_factor,
                c.clockwise ? "clockwise" : "", static_cast<long>(c.positions.front()),
                std::is_sorted(c.positions.begin(), c.positions.end()) ? "" : " reordered",
                c.tensors.tokens, c.tensors.lanes, c.noise ? " noise" : "");
  return line;
}

std::string text(const Explanation& e) {
  char line[300];
  const Spectrum& s = e.spectrum();
  std::snprintf(line, sizeof line, "%s r=%zu+%zu base=%.8g [%.8g, %.8g] %s A=%.6g %s%soffset=%s %s",
                name(e.arrangement).c_str(), e.arrangement.offset, e.arrangement.rotary_dim,
                s.embedding.base.value_or(0), s.base_low, s.base_high,
                s.recognised ? scaling_text(s.embedding.scaling).c_str() : "measured",
                s.embedding.attention_factor, s.clockwise ? "clockwise " : "",
                s.reversed ? "reversed " : "",
                e.position_offset ? std::to_string(*e.position_offset).c_str() : "runs",
                e.policy.name.c_str());
  return line;
}

void print(const char* what, std::uint64_t number, const Case& c, const Diagnosis& d) {
  std::printf("%s, case %llu: %s\n", what, static_cast<unsigned long long>(number),
              text(c).c_str());
  for (std::size_t i = 0; i < std::min<std::size_t>(4, d.explanations.size()); ++i)
    std::printf("    %s%s\n", text(d.explanations[i]).c_str(),
                right(c, d.explanations[i]) ? "  (right)" : "");
  if (d.near_miss)
    std::printf("    near: %s, %zu of %zu beyond\n", text(*d.near_miss).c_str(),
                d.near_miss->judgement.violations, d.near_miss->judgement.elements);
}

/// Diagnoses a case, and counts what came of it.
void count_one(const Group& group, std::uint64_t number, const Case& c, bool all, Count& count) {
  const Diagnosis d = diagnose(c.tensors, request_of(c, group.told));
  ++count.cases;
  const bool known = std::any_of(d.explanations.begin(), d.explanations.end(),
                                 [&](const Explanation& e) { return right(c, e); });
  if (all)
    print((std::string(group.name) + ": " + std::string(name(d.verdict))).c_str(), number, c, d);
  switch (d.verdict) {
    case DiagnosisVerdict::unique:
      ++(known ? count.solved : count.wrong);
      if (!known) print("wrong", number, c, d);
      break;
    case DiagnosisVerdict::ambiguous:
      ++count.ambiguous;
      if (!known) ++count.ambiguous_without;
      if (!group.few && (!known || c.format == 0)) print("ambiguous", number, c, d);
      break;
    case DiagnosisVerdict::none:
      ++count.none;
      print("none", number, c, d);
      break;
  }
}

/// The fewest solved cases that a share of all cases makes likely.
double fewest(double share, std::size_t cases) {
  const auto n = static_cast<double>(cases);
  return share * n - 4 * std::sqrt(n * share * (1 - share));
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const auto number = [&](int i, std::uint64_t otherwise) {
    return argc > i ? std::strtoull(argv[i], nullptr, 10) : otherwise;
  };
  const std::uint64_t cases = number(1, 3000), seed = number(2, 42);
  const bool one = argc > 3;
  std::array<Count, kGroups.size()> counts;
  for (std::uint64_t i = one ? number(3, 0) : 0; i < (one ? number(3, 0) + 1 : cases); ++i)
    for (const bool few : {false, true}) {
      const Case c = Maker(seed, few ? ~i : i).make(few);
      for (std::size_t g = 0; g < kGroups.size(); ++g)
        if (kGroups.at(g).few == few && kGroups.at(g).format == c.format)
          count_one(kGroups.at(g), i, c, one, counts.at(g));
    }
  bool enough = true;
  std::printf("%-22s %6s %8s %10s %25s %6s %6s\n", "format", "cases", "unique", "ambiguous",
              "ambiguous, right missing", "none", "wrong");
  for (std::size_t g = 0; g < kGroups.size(); ++g) {
    const Count& count = counts.at(g);
    const auto solved = static_cast<double>(count.solved);
    std::printf("%-22s %6zu %7.2f%% %10zu %25zu %6zu %6zu\n", kGroups.at(g).name, count.cases,
                count.cases == 0 ? 100.0 : 100 * solved / static_cast<double>(count.cases),
                count.ambiguous, count.ambiguous_without, count.none, count.wrong);
    enough = enough && count.wrong + count.none == 0 &&
             solved >= fewest(kGroups.at(g).least_solved, count.cases);
  }
  return enough || one ? 0 : 1;
}
