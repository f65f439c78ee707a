#include "rope/diagnose/nearest/table_reads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/nearest/least_squares.hpp"
#include "rope/precision/largest.hpp"

namespace rope {
namespace {

constexpr double kMostLeft = 0.02;     // of what is read: as for known bugs
constexpr std::int64_t kMostRows = 2;  // as distance_text() knows
constexpr std::size_t kMostReads = 4;  // of one table: more would fit by chance
constexpr std::size_t kLeastSeen = 8;  // entries; any number is near some cosine of some pair

/// y_n = Σ_j m_nj x_j of every token and pair of an arrangement, and how well each m_nj is known.
struct Maps {
  Arrangement arrangement;
  std::size_t tokens = 0;
  struct Map {
    std::array<std::array<double, 2>, 2> multiple{};  ///< of x_j in y_n
    std::array<double, 2> weight{};                   ///< of the multiples of x_j: 1/variance
    std::array<double, 2> left{}, size{};             ///< of y_n, squared
  };
  std::vector<Map> maps;  ///< tokens × pairs
  double passing = 0;     ///< |y − x|² of the other dimensions
  double all = 0;         ///< |y|²

  const Map& at(std::size_t t, std::size_t k) const { return maps[t * arrangement.pairs() + k]; }

  /// The share of |y|² that no map explains.
  double left() const {
    double sum = passing;
    for (const Map& map : maps) sum += map.left[0] + map.left[1];
    return all > 0 ? sum / all : 1;
  }

  /// The share of |y_n|² that no map explains.
  double left(std::size_t n) const {
    double rest = 0, size = 0;
    for (const Map& map : maps) rest += map.left[n], size += map.size[n];
    return size > 0 ? rest / size : 1;
  }
};

/// One pair of one token over its vectors.
Maps::Map map_of(const RotatedTensors& tensors, const Arrangement& a, std::size_t t,
                 std::size_t k) {
  const PairDimensions in = a.in_dimensions(k), out = a.out_dimensions(k);
  double xx = 0, xz = 0, zz = 0;
  std::array<double, 2> yx{}, yz{};
  Maps::Map map;
  for (std::size_t lane = 0; lane < tensors.lanes; ++lane) {
    const std::size_t row = tensors.row(t, lane);
    const double x = tensors.x[row + in.first], z = tensors.x[row + in.second];
    xx += x * x, xz += x * z, zz += z * z;
    for (std::size_t n = 0; n < 2; ++n) {
      const double y = tensors.y[row + (n == 0 ? out.first : out.second)];
      yx[n] += y * x, yz[n] += y * z, map.size[n] += y * y;
    }
  }
  const double determinant = xx * zz - xz * xz;
  constexpr double kAlike = 1e-6;  // vectors that are multiples of one another show one multiple
  if (!(determinant > kAlike * xx * zz)) {
    map.left = map.size;
    return map;
  }
  map.weight = {determinant / zz, determinant / xx};
  // Two multiples fit two of the vectors in any case.
  const double free = static_cast<double>(tensors.lanes) / static_cast<double>(tensors.lanes - 2);
  for (std::size_t n = 0; n < 2; ++n) {
    map.multiple[n] = {(yx[n] * zz - yz[n] * xz) / determinant,
                       (yz[n] * xx - yx[n] * xz) / determinant};
    const double fitted = map.multiple[n][0] * yx[n] + map.multiple[n][1] * yz[n];
    map.left[n] = free * larger(0.0, map.size[n] - fitted);
  }
  return map;
}

Maps maps_of(const RotatedTensors& tensors, const Arrangement& a) {
  Maps result;
  result.arrangement = a;
  result.tokens = tensors.tokens;
  for (std::size_t t = 0; t < tensors.tokens; ++t)
    for (std::size_t k = 0; k < a.pairs(); ++k) result.maps.push_back(map_of(tensors, a, t, k));
  for_each_vector(tensors, [&](std::size_t row) {
    for (std::size_t i = 0; i < tensors.dim; ++i) {
      result.all += std::pow(tensors.y[row + i], 2);
      if (!a.rotates(i)) result.passing += std::pow(tensors.y[row + i] - tensors.x[row + i], 2);
    }
  });
  return result;
}

/// The maps that leave the least of y, of layouts and sizes that models have.
Maps nearest_maps(const RotatedTensors& tensors, const DiagnosisRequest& request) {
  std::vector<std::size_t> sizes;
  if (request.assumed) sizes.push_back(request.assumed->embedding.rotary_dim());
  sizes.insert(sizes.end(), {tensors.dim, tensors.dim / 2, tensors.dim / 4});
  std::optional<Maps> best;
  for (const std::size_t size : sizes) {
    if (size < 4 || size % 2 != 0 || size > tensors.dim) continue;
    for (const int layout : {-1, 0}) {
      Maps maps = maps_of(tensors, {0, size, layout, layout});
      // What was listed first is kept unless another leaves clearly less.
      if (!best || maps.left() < 0.5 * best->left()) best = std::move(maps);
    }
  }
  return *std::move(best);
}

/// Which entry of the tables an entry of a map is: ± cos or sin of pair i + `pairs`, `rows`
/// positions later.
struct Read {
  bool sine = false;
  bool negated = false;
  std::ptrdiff_t pairs = 0;
  std::int64_t rows = 0;
  bool known = true;  ///< if not, it is none of them

  friend bool operator==(const Read&, const Read&) = default;
  /// The least of what fits as well is told.
  auto strangeness(bool sine_expected) const {
    return std::tuple(std::abs(rows) + std::abs(pairs) + (sine != sine_expected ? 1 : 0), negated,
                      std::abs(rows));
  }
};

/// What pairs first … last of a table read.
struct ReadRun {
  Read read;
  std::size_t first = 0, last = 0;
  friend bool operator==(const ReadRun&, const ReadRun&) = default;
};
using Reads = std::vector<ReadRun>;

/// cos and sin of each pair at each position that may be read.
class Tables {
 public:
  Tables(const Spectrum& spectrum, std::span<const std::int64_t> positions)
      : pairs_(spectrum.embedding.pairs()), tokens_(positions.size()) {
    for (std::int64_t rows = -kMostRows; rows <= kMostRows; ++rows)
      for (const std::int64_t position : positions) {
        std::vector<double> cos(pairs_), sin(pairs_);
        row_of(spectrum, position + rows, cos, sin);
        cos_.insert(cos_.end(), cos.begin(), cos.end());
        sin_.insert(sin_.end(), sin.begin(), sin.end());
      }
  }

  std::size_t pairs() const { return pairs_; }
  bool holds(const Read& read, std::size_t k) const {
    const std::ptrdiff_t pair = static_cast<std::ptrdiff_t>(k) + read.pairs;
    return pair >= 0 && pair < static_cast<std::ptrdiff_t>(pairs_);
  }
  double value(const Read& read, std::size_t t, std::size_t k) const {
    const auto row = static_cast<std::size_t>(read.rows + kMostRows) * tokens_ + t;
    const std::size_t at = row * pairs_ + k + static_cast<std::size_t>(read.pairs);
    return (read.negated ? -1 : 1) * (read.sine ? sin_[at] : cos_[at]);
  }

 private:
  std::size_t pairs_, tokens_;
  std::vector<double> cos_, sin_;  // rows × tokens × pairs
};

/// The number of y and that of x which one of the four tables joins.
struct Place {
  std::size_t of_y, of_x;
  bool sine() const { return of_y != of_x; }
  /// What the table holds is this times the multiple: y1 = x1 cos − x2 sin.
  double sign() const { return of_y == 0 && of_x == 1 ? -1 : 1; }
};
constexpr std::array<Place, 4> kPlaces = {{{0, 0}, {0, 1}, {1, 0}, {1, 1}}};

class Reader {
 public:
  Reader(const Maps& maps, const Spectrum& spectrum, std::span<const std::int64_t> positions)
      : maps_(maps), tables_(spectrum, positions) {}

  /// What all pairs of a table read; nothing if most read nothing that is known.
  std::optional<Reads> reads(const Place& place) const {
    const std::size_t pairs = maps_.arrangement.pairs();
    std::size_t unknown = 0;
    Reads result;
    for (std::size_t first = 0; first < pairs; first = result.back().last + 1) {
      const std::optional<ReadRun> run = longest_run(place, first);
      if (!run && 2 * ++unknown > pairs) return std::nullopt;
      if (!run && !result.empty() && !result.back().read.known)
        result.back().last = first;
      else
        result.push_back(run.value_or(ReadRun{{.known = false}, first, first}));
      if (result.size() > kMostReads) return std::nullopt;
    }
    return result;
  }

  /// What an entry of the maps holds according to a read.
  double value(const Read& read, const Place& place, std::size_t t, std::size_t k) const {
    return read.known ? tables_.value(read, t, k)
                      : place.sign() * maps_.at(t, k).multiple[place.of_y][place.of_x];
  }

 private:
  template <typename Visit>
  void for_each_read(Visit visit) const {
    const auto most = static_cast<std::ptrdiff_t>(tables_.pairs() + maps_.arrangement.pairs());
    for (const bool sine : {false, true})
      for (std::ptrdiff_t pairs = -most; pairs <= most; ++pairs)
        for (std::int64_t rows = -kMostRows; rows <= kMostRows; ++rows)
          for (const bool negated : {false, true}) visit({sine, negated, pairs, rows});
  }

  /// The longest run of pairs from `first` on that read alike.
  std::optional<ReadRun> longest_run(const Place& place, std::size_t first) const {
    const std::size_t pairs = maps_.arrangement.pairs();
    ReadRun best;
    std::size_t end = first;
    for_each_read([&](const Read& read) {
      std::size_t to = first;
      while (to < pairs && tables_.holds(read, to) && fits(read, place, to)) ++to;
      const auto strange = [&](const Read& r) { return r.strangeness(place.sine()); };
      if (to < end || to == first || (to == end && strange(read) >= strange(best.read))) return;
      if (read != Read{.sine = place.sine()} && (to - first) * maps_.tokens < kLeastSeen) return;
      best = {read, first, to - 1};
      end = to;
    });
    return end == first ? std::nullopt : std::optional(best);
  }

  bool fits(const Read& read, const Place& place, std::size_t k) const {
    double rest = 0, all = 0;
    for (std::size_t t = 0; t < maps_.tokens; ++t) {
      const Maps::Map& map = maps_.at(t, k);
      const double found = place.sign() * map.multiple[place.of_y][place.of_x];
      rest += map.weight[place.of_x] * std::pow(found - tables_.value(read, t, k), 2);
      all += map.weight[place.of_x];
    }
    return rest <= kMostLeft * kMostLeft * all;
  }

  const Maps& maps_;
  Tables tables_;
};

bool right(const Reads& reads, bool sine) {
  return reads.size() == 1 && reads.front().read == Read{.sine = sine};
}

std::string distance_text(std::int64_t rows) {
  if (rows == 0) return "";
  return fmt::format(" {} {}", std::abs(rows) == 1 ? "one position" : "two positions",
                     rows > 0 ? "later" : "earlier");
}

std::string read_text(const Read& read, bool sine) {
  if (!read.known) return "not a known entry";
  const char* const table = read.sine ? "sine" : "cosine";
  const std::string pair = read.pairs == 0 ? "pair i"
                                           : fmt::format("pair i {} {}", read.pairs > 0 ? "+" : "−",
                                                         std::abs(read.pairs));
  if (read == Read{.sine = sine}) return "right";
  return fmt::format("{}the {} of {}{}", read.negated ? "minus " : "", table, pair,
                     distance_text(read.rows));
}

/// "the sine of pair i + 32 for i = 0 … 63, …".
std::string reads_text(const Reads& reads, bool sine) {
  std::string text;
  for (const ReadRun& run : reads) {
    text += (text.empty() ? "" : run == reads.back() ? " and " : ", ") + read_text(run.read, sine);
    if (reads.size() > 1)
      text += run.first == run.last ? fmt::format(" for i = {}", run.first)
                                    : fmt::format(" for i = {} … {}", run.first, run.last);
  }
  return text;
}

/// How far behind its place a table begins, in rows [cos | sin] of `pairs` columns each, if that
/// explains what all pairs read.
std::optional<std::ptrdiff_t> columns_late(const Reads& reads, bool sine, std::size_t pairs) {
  const auto columns = static_cast<std::ptrdiff_t>(pairs);
  std::optional<std::ptrdiff_t> late;
  for (const auto& [read, first, last] : reads) {
    const std::ptrdiff_t one =
        read.pairs + read.rows * 2 * columns + (read.sine ? columns : 0) - (sine ? columns : 0);
    if (read.negated || !read.known || (late && *late != one)) return std::nullopt;
    late = one;
  }
  return late;
}

class TableReads {
 public:
  TableReads(const RotatedTensors& tensors, std::span<const std::int64_t> given,
             const DiagnosisRequest& request)
      : tensors_(tensors), given_(given), request_(request), maps_(nearest_maps(tensors, request)) {
    double product = 0;
    for_each_vector(tensors, [&](std::size_t row) {
      for (std::size_t i = 0; i < tensors.dim; ++i) {
        before_ += std::pow(tensors.x[row + i], 2);
        product += tensors.x[row + i] * tensors.y[row + i];
      }
    });
    if (before_ > 0)
      unturned_ = std::sqrt(larger(0.0, maps_.all - product * product / before_) / before_);
  }

  std::optional<KnownBug> find() {
    constexpr double kMost = kMostLeft * kMostLeft;
    if (!(maps_.passing <= kMost * maps_.all) || !(before_ > 0)) return std::nullopt;
    for (std::size_t n = 0; n < 2; ++n) made_[n] = maps_.left(n) < kMost;
    if (!made_[0] && !made_[1]) return std::nullopt;
    for (const RotaryEmbedding& embedding : readings()) read(named(embedding));
    return std::move(best_);
  }

 private:
  /// What is stated, or what is usual.
  std::vector<RotaryEmbedding> readings() const {
    if (request_.assumed && request_.assumed->frequencies) return {request_.assumed->embedding};
    return plain_readings(request_, maps_.arrangement.rotary_dim);
  }

  void read(const Spectrum& spectrum) {
    const Reader reader(maps_, spectrum, given_);
    std::array<Reads, kPlaces.size()> reads;
    for (std::size_t i = 0; i < kPlaces.size(); ++i) {
      if (!made_[kPlaces[i].of_y]) continue;
      std::optional<Reads> one = reader.reads(kPlaces[i]);
      if (!one) return;
      reads[i] = *std::move(one);
    }
    const double left = residual(reader, reads);
    // Where hardly anything turns, many tables leave as little as x itself does, at any factor.
    if (!(left < kMostLeft) || !(left < 0.1 * unturned_) || !(left < 0.9 * residual_)) return;
    std::optional<KnownBug> bug = told(reads, spectrum);
    if (!bug) return;
    residual_ = left;
    bug->convention = frequencies_text(spectrum);
    bug->residual = made_[0] && made_[1] ? left : std::sqrt(maps_.left() * maps_.all / before_);
    best_ = std::move(bug);
  }

  using Multiples = std::array<std::array<double, 2>, 2>;

  /// What the reads say that multiplies x_j in y_n.
  static Multiples multiples(const Reader& reader, std::span<const Reads> reads, std::size_t t,
                             std::size_t k) {
    Multiples result{};
    for (std::size_t i = 0; i < kPlaces.size(); ++i)
      for (const ReadRun& run : reads[i])
        if (k >= run.first && k <= run.last)
          result[kPlaces[i].of_y][kPlaces[i].of_x] =
              kPlaces[i].sign() * reader.value(run.read, kPlaces[i], t, k);
    return result;
  }

  /// What the reads leave of the numbers that are made of x, over |x|.
  double residual(const Reader& reader, std::span<const Reads> reads) const {
    double rest = maps_.passing;
    for (std::size_t k = 0; k < maps_.arrangement.pairs(); ++k)
      for (std::size_t t = 0; t < tensors_.tokens; ++t)
        rest += left_of_pair(multiples(reader, reads, t, k), t, k);
    return std::sqrt(rest / before_);
  }

  double left_of_pair(const Multiples& multiples, std::size_t t, std::size_t k) const {
    const PairDimensions in = maps_.arrangement.in_dimensions(k);
    const PairDimensions out = maps_.arrangement.out_dimensions(k);
    double rest = 0;
    for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
      const std::size_t row = tensors_.row(t, lane);
      const double x = tensors_.x[row + in.first], z = tensors_.x[row + in.second];
      for (std::size_t n = 0; n < 2; ++n)
        if (made_[n])
          rest += std::pow(tensors_.y[row + (n == 0 ? out.first : out.second)] -
                               multiples[n][0] * x - multiples[n][1] * z,
                           2);
    }
    return rest;
  }

  std::string layout_text() const {
    const PairDimensions pair = maps_.arrangement.in_dimensions(0);
    return maps_.arrangement.in == 0
               ? std::string("interleaved layout")
               : fmt::format("half layout, pairs (i, i+{})", pair.second - pair.first);
  }

  /// "dimensions 64 … 127".
  std::string dimensions_text(std::size_t n) const {
    const std::size_t pairs = maps_.arrangement.pairs();
    if (maps_.arrangement.in == 0) return n == 0 ? "even dimensions" : "odd dimensions";
    return fmt::format("dimensions {} … {}", n * pairs, (n + 1) * pairs - 1);
  }

  /// Whether every pair keeps its length up to a factor, as at other positions.
  bool rotates(double factor) const {
    constexpr double kNearRotation = 0.1;
    for (std::size_t k = 0; k < maps_.arrangement.pairs(); ++k) {
      double off = 0, all = 0;
      for (std::size_t t = 0; t < maps_.tokens; ++t) {
        const Maps::Map& map = maps_.at(t, k);
        const auto& [a, b] = map.multiple[0];
        const auto& [c, d] = map.multiple[1];
        const double weight = map.weight[0] + map.weight[1];
        off += weight *
               (std::pow(a - d, 2) + std::pow(b + c, 2) + std::pow(std::hypot(a, c) - factor, 2));
        all += weight;
      }
      if (off > kNearRotation * kNearRotation * factor * factor * all) return false;
    }
    return true;
  }

  std::optional<KnownBug> told(const std::array<Reads, kPlaces.size()>& reads,
                               const Spectrum& spectrum) const {
    if (made_[0] != made_[1]) return half_made(reads);
    const auto& [cos1, sin1, sin2, cos2] = reads;
    if (rotates(spectrum.embedding.attention_factor)) return std::nullopt;
    KnownBug bug;
    std::string what, remedy;
    bool known = true;
    const auto table = [&](const Reads& one, bool sine, const std::string& which) {
      what += fmt::format("{}{} is {}", what.empty() ? "" : "; ", which, reads_text(one, sine));
      for (const ReadRun& run : one) known = known && run.read.known;
      const std::size_t pairs = spectrum.embedding.pairs();
      const std::optional<std::ptrdiff_t> late = columns_late(one, sine, pairs);
      if (!late || *late == 0) return;
      const auto first = static_cast<std::ptrdiff_t>(sine ? pairs : 0);
      remedy += fmt::format(
          "; in rows [cos | sin] of {} columns, {} was read from column {} on "
          "instead of {}",
          2 * pairs, which, first + *late, first);
    };
    if (cos1 == cos2 && sin1 == sin2) {
      table(cos1, false, "cos");
      table(sin1, true, "sin");
    } else {
      table(cos1, false, "cos of the first numbers");
      table(sin1, true, "sin of the first numbers");
      table(cos2, false, "cos of the second numbers");
      table(sin2, true, "sin of the second numbers");
    }
    bug.finding = fmt::format(
        "{}not every cos and sin is that of its pair and position ({}), so pairs change their "
        "lengths: {}",
        part_found(spectrum), layout_text(), what);
    if (!known) remedy += "; look for code that overwrites the table or reads past its end";
    bug.remedy = {"table-reads",
                  fmt::format("{}use the cos and sin of pair i at the token's own position{}",
                              part_text(spectrum), remedy)};
    return bug;
  }

  /// What else is found if more turns than the tables are for.
  std::string part_found(const Spectrum& spectrum) const {
    const std::size_t r = spectrum.embedding.rotary_dim();
    return r == maps_.arrangement.rotary_dim
               ? std::string()
               : fmt::format("{} dimensions are turned by tables for a rotary_dim of {}, and ",
                             maps_.arrangement.rotary_dim, r);
  }

  /// What else has to change then.
  std::string part_text(const Spectrum& spectrum) const {
    const std::size_t r = spectrum.embedding.rotary_dim();
    return r == maps_.arrangement.rotary_dim
               ? std::string()
               : fmt::format("rotate {} dimensions, not {}, and ", r, maps_.arrangement.rotary_dim);
  }

  std::optional<KnownBug> half_made(const std::array<Reads, kPlaces.size()>& reads) const {
    const std::size_t n = made_[0] ? 0 : 1;
    for (std::size_t i = 0; i < kPlaces.size(); ++i)
      if (kPlaces[i].of_y == n && !right(reads[i], kPlaces[i].sine())) return std::nullopt;
    bool zero = true;
    for (const Maps::Map& map : maps_.maps) zero = zero && map.size[1 - n] == 0;
    const std::string others = dimensions_text(1 - n);
    KnownBug bug;
    bug.finding =
        fmt::format("the {} number of each pair is right ({}, {}), and the {} is {} ({})",
                    n == 0 ? "first" : "second", layout_text(), dimensions_text(n),
                    n == 0 ? "second" : "first", zero ? "zero" : "not computed from x", others);
    bug.remedy = {"foreign-numbers",
                  zero
                      ? fmt::format("compute and write {} as well", others)
                      : fmt::format("compute {} from the same vector of x as the others; another "
                                    "tensor (k for q), or another vector, may have been read there",
                                    others)};
    return bug;
  }

  const RotatedTensors& tensors_;
  std::span<const std::int64_t> given_;
  const DiagnosisRequest& request_;
  Maps maps_;
  double before_ = 0;    // |x|²
  double unturned_ = 0;  // what x times any factor leaves of y, over |x|
  std::array<bool, 2> made_{};
  double residual_ = 1;
  std::optional<KnownBug> best_;
};

}  // namespace

std::optional<KnownBug> table_reads(const RotatedTensors& tensors,
                                    std::span<const std::int64_t> given,
                                    const DiagnosisRequest& request) {
  if (tensors.lanes < kLeastMapLanes || tensors.dim < 4) return std::nullopt;
  return TableReads(tensors, given, request).find();
}

}  // namespace rope
