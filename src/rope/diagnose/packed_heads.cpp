// Arrays whose last axis holds several heads, as a projection leaves them: [tokens,
// heads·head_dim].

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "rope/diagnose/all_tokens.hpp"
#include "rope/diagnose/nearest/least_squares.hpp"
#include "rope/diagnose/nearest/reordered_rows.hpp"
#include "rope/diagnose/readings.hpp"
#include "rope/diagnose/samples.hpp"
#include "rope/diagnose/verdict/open_questions.hpp"
#include "rope/precision/largest.hpp"

namespace rope {
namespace {

/// Head sizes of published models, those of most models first.
constexpr auto kUsualHeads =
    std::to_array<std::size_t>({128, 64, 96, 80, 256, 112, 192, 160, 48, 32, 72, 88, 120, 40, 512});
constexpr std::size_t kLongestHead = 512;  // a longer axis holds several heads

/// The sizes that a head may have, the likeliest first: the stated one, the whole axis, usual ones.
std::vector<std::size_t> head_sizes(std::size_t axis, std::optional<std::size_t> stated) {
  std::vector<std::size_t> sizes;
  const auto add = [&](std::size_t size) {
    if (size > 1 && axis % size == 0 && std::ranges::find(sizes, size) == sizes.end())
      sizes.push_back(size);
  };
  if (stated) add(*stated);
  if (axis <= kLongestHead) add(axis);
  for (const std::size_t size : kUsualHeads) add(size);
  add(axis);
  return sizes;
}

class PackedHeads {
 public:
  PackedHeads(std::span<const std::size_t> shape, const Numbers& x, const Numbers& y,
              std::span<const TokenReading> readings, const RequestOfHeads& request_of)
      : shape_(shape), x_(x), y_(y), readings_(readings), request_of_(request_of) {}

  ArrayDiagnosis diagnose(std::optional<std::size_t> stated) const {
    const std::size_t axis = shape_.back();
    std::vector<std::size_t> sizes = head_sizes(axis, stated);
    std::erase_if(sizes, [&](std::size_t size) { return size != axis && !request_of_(size); });
    // Rows of weights in another order are no vectors of tokens.
    if (shape_.size() == 2 && reordered_rows(shape_, x_, y_)) sizes = {axis};
    std::optional<ArrayDiagnosis> likeliest;
    if (sizes.size() == 1 || sizes.front() == axis || sizes.front() == stated) {
      likeliest = read(sizes.front(), true);
      note_parts(shape_, stated, *likeliest);
      const Diagnosis& d = likeliest->diagnosis;
      if (sizes.size() == 1 || settled(d) ||
          (sizes.front() == stated && (recognised(d) || but_for_noise(d))))
        return *std::move(likeliest);
      sizes.erase(sizes.begin());
    }
    std::optional<ArrayDiagnosis> in_part;
    for (const std::size_t size : sizes) {
      ArrayDiagnosis found = read(size, false);
      if (settled(found.diagnosis)) return found;
      // Of heads as they are stated, a part may pass through.
      const bool of_stated = stated && *stated % size == 0;
      if (!in_part && !of_stated && explains_in_part(found)) in_part = std::move(found);
    }
    if (likeliest && recognised(likeliest->diagnosis)) return *std::move(likeliest);
    if (in_part) return *std::move(in_part);
    const std::size_t size =
        likeliest && likeliest->diagnosis.best_fit
            ? axis
            : turning_or_nearest_size(sizes, likeliest && may_turn(likeliest->diagnosis));
    return likeliest && size == axis ? *std::move(likeliest) : read(size, size != axis);
  }

 private:
  std::vector<std::size_t> split(std::size_t head_dim) const {
    std::vector<std::size_t> shape(shape_.begin(), shape_.end());
    if (shape.back() == head_dim) return shape;
    shape.back() /= head_dim;
    shape.push_back(head_dim);
    return shape;
  }

  ArrayDiagnosis read(std::size_t head_dim, bool nearest) const {
    DiagnosisRequest request = request_of_(head_dim).value();
    request.nearest = request.nearest && nearest;
    std::vector<std::size_t> shape = split(head_dim);
    ArrayDiagnosis found = diagnose_arrays(shape, x_, y_, readings_, request);
    found.shape = std::move(shape);
    return found;
  }

  /// Leaves the size of a head open, unless it is stated, where what passes through may be other
  /// heads, which are not rotated: half of an axis longer than the heads of most models and, where
  /// no other axis counts heads, what would be whole heads before the rotated dimensions or one
  /// after them.
  static void note_parts(std::span<const std::size_t> shape, std::optional<std::size_t> stated,
                         ArrayDiagnosis& found) {
    if (stated) return;
    constexpr std::size_t kLongHead = 256, kShortHead = 64;
    const std::size_t axis = shape.back();
    const bool headless = shape.size() <= 3 && found.tensors.token_axis + 2 == shape.size();
    for (Explanation& e : found.diagnosis.explanations) {
      const Arrangement& a = e.arrangement;
      const bool two = headless && a.rotary_dim >= kShortHead && 2 * a.rotary_dim == axis;
      const bool after = (two || axis > kLongHead) && a.offset + a.rotary_dim <= axis / 2;
      const bool before =
          headless && a.offset > 0 && a.offset % a.rotary_dim == 0 && axis % a.rotary_dim == 0;
      if (!after && !before) continue;
      e.open.emplace_back(before ? kHeadsBeforeOpen : kHeadsAfterOpen);
      found.diagnosis.verdict = DiagnosisVerdict::ambiguous;
    }
  }

  /// Whether no other size explains these numbers. A wrong one may, but by frequencies that no rule
  /// has.
  static bool settled(const Diagnosis& d) {
    return d.unchanged || d.x_zero || d.y_zero || (d.of_all_numbers() && recognised(d));
  }
  /// Whether these numbers are a rotation, if by frequencies or positions that stay open.
  static bool may_turn(const Diagnosis& d) { return d.undetermined || !d.explanations.empty(); }
  static bool but_for_noise(const Diagnosis& d) { return d.best_fit && d.best_fit->noise; }
  static bool recognised(const Diagnosis& d) {
    return !d.explanations.empty() && d.explanations.front().spectrum().recognised;
  }

  /// Whether all vectors but some that nobody wrote are explained, and are no parts of longer
  /// heads.
  bool explains_in_part(const ArrayDiagnosis& found) const {
    const Diagnosis& d = found.diagnosis;
    if (!recognised(d) || d.tail) return false;
    std::size_t vectors = 1;
    for (const std::size_t length : found.shape) vectors *= length;
    std::vector<bool> same(vectors / found.shape.back() / d.tokens);
    for (const std::size_t lane : d.unwritten.same_lanes) same[lane] = true;
    return !one_part_turns(same, shape_.back() / found.shape.back());
  }

  /// Whether these may be the parts of several longer heads, of each of which the same one turns:
  /// one convention of all numbers, where heads that were left out are so each by a mistake.
  static bool one_part_turns(const std::vector<bool>& same, std::size_t heads_of_row) {
    const auto turning = static_cast<std::size_t>(std::ranges::find(same, false) - same.begin());
    for (std::size_t parts = 2; parts <= heads_of_row && 2 * parts <= same.size(); ++parts) {
      if (heads_of_row % parts != 0) continue;
      std::size_t as_parts = 0;
      for (std::size_t i = 0; i < same.size(); ++i)
        if (same[i] == (i % parts != turning)) ++as_parts;
      if (as_parts == same.size()) return true;
    }
    return false;
  }

  /// The whole axis where no size does either. That vectors turn alike says more than that some
  /// come near a convention: at half the size of a head that is rotated in part, every second one
  /// does.
  /// `may_be_one`: one head of that size may turn.
  std::size_t turning_or_nearest_size(std::span<const std::size_t> sizes, bool may_be_one) const {
    std::optional<std::size_t> size = turning_size(sizes);
    if (!size && !may_be_one) size = nearest_size(sizes);
    return size.value_or(shape_.back());
  }

  /// The size at which some convention leaves least of a sample, where one comes near.
  std::optional<std::size_t> nearest_size(std::span<const std::size_t> sizes) const {
    constexpr double kNear = 0.1;  // a wrong convention leaves about |x|
    std::optional<std::size_t> best;
    double least = kNear;
    for (const std::size_t size : sizes)
      if (const double left = left_by(size); left < 0.9 * least) best = size, least = left;
    return best;
  }

  /// The size at which all vectors of a token turn alike up to noise, by whatever angles, if they
  /// do at any.
  std::optional<std::size_t> turning_size(std::span<const std::size_t> sizes) const {
    constexpr std::size_t kTokens = 16, kLanes = 64;
    constexpr double kNoise = 1e-3;  // of |y|²
    std::optional<std::size_t> best;
    double least = kNoise;
    for (const std::size_t size : sizes)
      for (const TokenReading& reading : readings_) {
        // Rows of a batch may have positions of their own.
        const std::vector<std::size_t> shape = split(size);
        RotatedTensors tensors = reading.axis > 0 ? rotated_rows(shape, 0, reading.axis, x_, y_)
                                                  : rotated_tensors(shape, 0, x_, y_);
        drop_nonfinite_tokens(tensors);
        if (tensors.tokens == 0 || tensors.lanes < 2) continue;
        // The last ones are those of one token, which turned, where tokens are among the lanes.
        std::vector<std::size_t> lanes(std::min<std::size_t>(tensors.lanes, kLanes));
        std::iota(lanes.begin(), lanes.end(), tensors.lanes - lanes.size());
        const RotatedTensors some = some_vectors(tensors, spread(tensors.tokens, kTokens), lanes);
        const double left = nearest_turn(some, request_of_(size).value()).left;
        if (left < 0.5 * least) best = size, least = left;
      }
    return best;
  }

  double left_by(std::size_t head_dim) const {
    double least = 1;
    for (const TokenReading& reading : readings_)
      least = smaller(least, left_by(head_dim, reading));
    return least;
  }

  double left_by(std::size_t head_dim, const TokenReading& reading) const {
    constexpr std::size_t kTokens = 16, kLanes = 8;
    RotatedTensors tensors = rotated_tensors(split(head_dim), reading.axis, x_, y_);
    DiagnosisRequest request = request_of_(head_dim).value();
    request.positions = reading.row_axis ? std::nullopt : reading.positions;
    const std::vector<std::int64_t> all = given_or_counted(request, tensors.tokens);
    const std::vector<std::size_t> kept = drop_nonfinite_tokens(tensors);
    if (kept.empty()) return 1;
    const std::vector<std::size_t> tokens = spread(kept.size(), kTokens);
    std::vector<std::int64_t> given;
    given.reserve(tokens.size());
    for (const std::size_t t : tokens) given.push_back(all[kept[t]]);
    return fit_convention(some_tokens(tensors, tokens, kLanes), given, request).residual;
  }

  std::span<const std::size_t> shape_;
  const Numbers& x_;
  const Numbers& y_;
  std::span<const TokenReading> readings_;
  const RequestOfHeads& request_of_;
};

}  // namespace

ArrayDiagnosis diagnose_heads(std::span<const std::size_t> shape, const Numbers& x,
                              const Numbers& y, std::span<const TokenReading> readings,
                              std::optional<std::size_t> head_dim,
                              const RequestOfHeads& request_of) {
  return PackedHeads(shape, x, y, readings, request_of).diagnose(head_dim);
}

Diagnosis diagnose_any_axis(std::span<const std::size_t> shape, const Numbers& x, const Numbers& y,
                            const DiagnosisRequest& request) {
  const std::optional<std::size_t> stated =
      request.assumed ? std::optional(request.assumed->embedding.head_dim) : std::nullopt;
  ArrayDiagnosis found = diagnose_heads(shape, x, y, token_readings(shape, request.positions),
                                        stated, [&](std::size_t) { return request; });
  found.diagnosis.reading = static_cast<ArrayReading&&>(found);
  return std::move(found.diagnosis);
}

}  // namespace rope
