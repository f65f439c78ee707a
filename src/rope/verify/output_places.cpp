#include "rope/verify/output_places.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace rope {
namespace {

std::vector<std::size_t> whole_axis(std::size_t length) {
  std::vector<std::size_t> all(length);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// The indices that are marked, ascending.
std::vector<std::size_t> marked(const std::vector<bool>& marks) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (marks[i]) indices.push_back(i);
  return indices;
}

}  // namespace

std::string_view name(Unrotated kind) {
  switch (kind) {
    case Unrotated::zero:
      return "zero";
    case Unrotated::unchanged:
      return "unchanged";
    case Unrotated::not_finite:
      break;
  }
  return "not_finite";
}

std::vector<std::size_t> OutputPlaces::right(std::size_t axis) const {
  std::vector<bool> marks(lengths[axis], true);
  for (const std::size_t index : failing[axis]) marks[index] = false;
  return marked(marks);
}

PlaceRecorder::PlaceRecorder(std::vector<std::size_t> lengths, const RotaryEmbedding& embedding)
    : lengths_(std::move(lengths)) {
  for (std::size_t k = 0; k < embedding.pairs(); ++k) pairs_.push_back(embedding.dimensions(k));
}

void PlaceRecorder::add(std::span<const double> x, std::span<const double> y,
                        std::span<const OutputError> errors) {
  const std::size_t row = failing_.size();
  failing_.resize(row + x.size(), false);
  bool fails = false, zero = true, unchanged = true, finite = true;
  for (std::size_t i = 0; i < x.size(); ++i) {
    zero_.push_back(y[i] == 0);
    unchanged_.push_back(y[i] == x[i]);
    zero = zero && y[i] == 0;
    unchanged = unchanged && y[i] == x[i];
    finite = finite && std::isfinite(y[i]);
  }
  for (const OutputError& one : errors) {
    if (!one.violated()) continue;
    fails = true;
    if (one.passes_through) {
      failing_[row + one.pair] = true;
      continue;
    }
    // The bound of the pair holds for each of its numbers.
    const auto [i, j] = pairs_[one.pair];
    const auto beyond = [&](double found, double expected) {
      return Measured{std::abs(found - expected), one.bound}.violated();
    };
    const bool first = beyond(one.found.cos, one.expected.cos);
    const bool second = beyond(one.found.sin, one.expected.sin);
    failing_[row + i] = first || !second;
    failing_[row + j] = second || !first;
  }
  fails_.push_back(fails);
  all_zero_.push_back(zero);
  all_unchanged_.push_back(unchanged);
  not_finite_.push_back(!finite);
  ++vectors_;
}

/// The indices of vectors along each axis but the last.
std::vector<std::vector<std::size_t>> PlaceRecorder::indices_of(
    const std::vector<std::size_t>& vectors) const {
  std::vector<std::vector<std::size_t>> along(lengths_.size() - 1);
  std::size_t below = 1;
  for (std::size_t axis = along.size(); axis-- > 0;) {
    Marks met(lengths_[axis], false);
    for (const std::size_t vector : vectors) met[vector / below % lengths_[axis]] = true;
    along[axis] = marked(met);
    below *= lengths_[axis];
  }
  return along;
}

/// Whether it holds for every vector that has one of the indices along each axis.
bool PlaceRecorder::all_hold(const Block& block, const Marks& holds) const {
  std::size_t count = 1;
  for (const std::vector<std::size_t>& along : block) count *= along.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t vector = 0, below = 1, rest = i;
    for (std::size_t axis = block.size(); axis-- > 0;) {
      vector += block[axis][rest % block[axis].size()] * below;
      rest /= block[axis].size();
      below *= lengths_[axis];
    }
    if (!holds[vector]) return false;
  }
  return true;
}

/// The block of indices that these vectors fill, as far as it holds for all in it; each axis whole
/// where that is so of all along it. Empty if they fill none.
PlaceRecorder::Block PlaceRecorder::block_of(const std::vector<std::size_t>& vectors,
                                             const Marks& holds) const {
  Block block = indices_of(vectors);
  if (!all_hold(block, holds)) return {};
  for (std::size_t axis = 0; axis < block.size(); ++axis) {
    Block wider = block;
    wider[axis] = whole_axis(lengths_[axis]);
    if (all_hold(wider, holds)) block = std::move(wider);
  }
  return block;
}

/// Dimensions that are unrotated in all of these vectors, which fail and are no whole ones.
void PlaceRecorder::add_dimensions(const std::vector<std::size_t>& vectors,
                                   OutputPlaces& places) const {
  const std::size_t d = lengths_.back();
  const auto all_are = [&](const Marks& what, std::size_t i) {
    return std::ranges::all_of(vectors, [&](std::size_t v) { return what[v * d + i]; });
  };
  const auto any_is = [&](const Marks& what, std::size_t i) {
    return std::ranges::any_of(vectors, [&](std::size_t v) { return what[v * d + i]; });
  };
  Marks theirs(vectors_, false);
  for (const std::size_t vector : vectors) theirs[vector] = true;
  std::vector<std::size_t> zero, unchanged;
  places.all_unrotated = true;
  for (std::size_t i = 0; i < d; ++i) {
    if (!any_is(failing_, i)) continue;
    if (all_are(zero_, i))
      zero.push_back(i);
    else if (all_are(unchanged_, i))
      unchanged.push_back(i);
    else
      places.all_unrotated = false;
  }
  const Block block = block_of(vectors, theirs);
  for (const auto& [kind, dimensions] :
       {std::pair(Unrotated::zero, &zero), std::pair(Unrotated::unchanged, &unchanged)})
    if (!dimensions->empty())
      places.unrotated.push_back({kind, vectors.size(), vectors.front(), *dimensions, block});
}

OutputPlaces PlaceRecorder::places() const {
  OutputPlaces places;
  places.lengths = lengths_;
  const std::size_t d = lengths_.back();
  Marks dimensions(d, false);
  for (std::size_t i = 0; i < failing_.size(); ++i)
    if (failing_[i]) dimensions[i % d] = true;
  std::vector<std::size_t> others = marked(fails_);
  places.failing = indices_of(others);
  places.failing.push_back(marked(dimensions));
  places.all_unrotated = !others.empty();
  for (const auto& [kind, holds] :
       {std::pair(Unrotated::zero, &all_zero_), std::pair(Unrotated::unchanged, &all_unchanged_),
        std::pair(Unrotated::not_finite, &not_finite_)}) {
    std::vector<std::size_t> these;
    std::ranges::copy_if(others, std::back_inserter(these),
                         [holds = holds](std::size_t vector) { return (*holds)[vector]; });
    if (these.empty()) continue;
    std::erase_if(others, [holds = holds](std::size_t vector) { return (*holds)[vector]; });
    places.unrotated.push_back(
        {kind, these.size(), these.front(), whole_axis(d), block_of(these, *holds)});
  }
  if (!others.empty()) add_dimensions(others, places);
  return places;
}

}  // namespace rope
