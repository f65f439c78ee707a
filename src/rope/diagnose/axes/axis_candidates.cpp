#include "rope/diagnose/axes/axis_candidates.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/rotary/axial.hpp"

namespace rope {
namespace {

/// M-RoPE: pairs of time, height and width.
struct UsualSections {
  std::array<std::size_t, 3> pairs;
  SectionOrder order;
};
constexpr std::array kUsualSections = {
    UsualSections{{16, 24, 24}, SectionOrder::contiguous},   // Qwen2-VL, Qwen2.5-VL
    UsualSections{{24, 20, 20}, SectionOrder::interleaved},  // Qwen3-VL
    UsualSections{{11, 11, 10}, SectionOrder::interleaved},  // Qwen3.5
    UsualSections{{8, 12, 12}, SectionOrder::contiguous},    // GLM-4.1V
    UsualSections{{20, 22, 22}, SectionOrder::time_last},    // ERNIE 4.5 VL
};
constexpr std::array kBasesOfSections = {1e6, 5e6, 1e4, 5e5, 1e7};

/// Rotated dimensions of each axis, and the base of their frequencies.
struct UsualAxes {
  std::array<std::size_t, kMaxAxes> dims;  // 0 where there is no axis
  double base;
};
constexpr std::array kUsualAxes = {
    UsualAxes{{16, 56, 56}, 1e4},       // FLUX, HunyuanVideo
    UsualAxes{{44, 42, 42}, 1e4},       // Wan
    UsualAxes{{16, 24, 24}, 1e4},       // CogVideoX
    UsualAxes{{32, 48, 48}, 256},       // Z-Image
    UsualAxes{{32, 32, 32, 32}, 2000},  // FLUX.2
};

/// Embeddings of so many dimensions as published models have them, without their names.
std::vector<RotaryEmbedding> usual_embeddings(std::size_t rotary_dim) {
  std::vector<RotaryEmbedding> all;
  for (const UsualSections& sections : kUsualSections) {
    const std::size_t pairs =
        std::accumulate(sections.pairs.begin(), sections.pairs.end(), std::size_t{0});
    if (2 * pairs != rotary_dim) continue;
    for (const double base : kBasesOfSections) {
      all.push_back(default_embedding(rotary_dim, base));
      all.back().axes = section_axes(sections.pairs, pairs, sections.order);
    }
  }
  for (const UsualAxes& axes : kUsualAxes) {
    const auto count =
        static_cast<std::size_t>(std::ranges::find(axes.dims, std::size_t{0}) - axes.dims.begin());
    if (std::accumulate(axes.dims.begin(), axes.dims.end(), std::size_t{0}) == rotary_dim)
      all.push_back(axial_embedding(rotary_dim, axes.base, std::span(axes.dims).first(count)));
  }
  // Images: rows and columns turn half of the head each.
  if (rotary_dim % 4 == 0)
    for (const double base : {1e4, 1e2})
      for (const AxisSeries series : {AxisSeries::restarted, AxisSeries::dealt})
        all.push_back(axial_embedding(rotary_dim, base, std::array{rotary_dim / 2, rotary_dim / 2},
                                      PairLayout::interleaved, series));
  return all;
}

/// An embedding of several axes with another base; nothing where its frequencies are not those of
/// its base.
std::optional<RotaryEmbedding> with_base(const RotaryEmbedding& embedding, double base) {
  if (!embedding.base || embedding.scaling.rule != "default") return std::nullopt;
  const Axes& axes = embedding.axes;
  if (!axes.own_series) {
    RotaryEmbedding other = default_embedding(embedding.rotary_dim(), base, embedding.layout);
    other.head_dim = embedding.head_dim;
    other.axes = axes;
    return other;
  }
  std::vector<std::size_t> dims;
  for (std::size_t axis = 0; axis < axes.count(); ++axis) dims.push_back(2 * axes.pairs_of(axis));
  const bool equal = std::ranges::count(dims, dims.front()) == std::ssize(dims);
  for (const AxisSeries series : {AxisSeries::restarted, AxisSeries::dealt}) {
    if (series == AxisSeries::dealt && !equal) continue;
    const auto of = [&](double each) {
      return axial_embedding(embedding.head_dim, each, dims, embedding.layout, series,
                             axes.own_block);
    };
    if (of(*embedding.base).frequencies.theta == embedding.frequencies.theta) return of(base);
  }
  return std::nullopt;
}

}  // namespace

std::vector<AxisCandidate> axes_of_other_bases(const RotaryEmbedding& stated) {
  std::vector<AxisCandidate> all;
  for (const double base : kUsualBases)
    if (const std::optional<RotaryEmbedding> other = with_base(stated, base))
      all.push_back({named(*other), false});
  return all;
}

std::vector<AxisCandidate> axis_candidates(const DiagnosisRequest& request,
                                           std::size_t rotary_dim) {
  std::vector<AxisCandidate> all;
  const auto add = [&](const RotaryEmbedding& embedding, const std::string& name, bool assumed) {
    if (!embedding.axes.several() || embedding.rotary_dim() != rotary_dim) return;
    for (AxisCandidate& other : all)
      if (other.spectrum.embedding.axes.of_pair == embedding.axes.of_pair &&
          other.spectrum.embedding.frequencies.theta == embedding.frequencies.theta) {
        if (!name.empty()) other.spectrum.also.push_back(name);
        return;
      }
    Spectrum spectrum = named(embedding);
    if (!name.empty()) spectrum.also.push_back(name);
    all.push_back({std::move(spectrum), assumed});
  };
  if (request.assumed) add(request.assumed->embedding, {}, true);
  for (const NamedEmbedding& preset : request.presets) add(preset.embedding, preset.name, false);
  for (const RotaryEmbedding& embedding : usual_embeddings(rotary_dim)) add(embedding, {}, false);
  return all;
}

std::vector<AxisCandidate> candidates_at(const MeasuredAngles& angles,
                                         const std::vector<Position>& places, std::size_t axes,
                                         const Search& search) {
  std::vector<AngleLines> lines;
  for (std::size_t a = 0; a < axes; ++a) {
    std::vector<std::int64_t> positions;
    positions.reserve(places.size());
    for (const Position& place : places) positions.push_back(place[a]);
    lines.push_back(fit_lines(angles, positions, search.angle_rounding, true));
  }
  AngleLines of_pairs = lines.front();
  Axes found{{}, usual_axis_names(axes), false, false};
  for (std::size_t k = 0; k < angles.pairs; ++k) {
    const auto turns_by = [&](std::size_t axis) { return lines[axis].lines[k].straight; };
    // Sections are mostly contiguous: a pair that fits several axes is taken for its neighbour's.
    std::size_t axis = k > 0 ? found.of_pair.back() : 0;
    for (std::size_t a = 0; a < axes && !turns_by(axis); ++a) axis = a;
    if (!turns_by(axis)) return {};
    found.of_pair.push_back(static_cast<std::uint8_t>(axis));
    of_pairs.lines[k] = lines[axis].lines[k];
  }
  std::vector<AxisCandidate> all;
  for (Spectrum& spectrum : recognise(of_pairs, search.tensors.dim, {})) {
    spectrum.embedding.axes = found;
    all.push_back({std::move(spectrum), false});
  }
  return all;
}

}  // namespace rope
