#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rope/rotary/axial.hpp"
#include "shown/console.hpp"
#include "usage/options.hpp"

namespace rope::app {

/// --sections: the pairs of each axis, with one series of frequencies across all axes.
struct Sections {
  std::vector<std::size_t> pairs;
  SectionOrder order = SectionOrder::contiguous;
};

/// --axes: the dimensions of each axis, which has its own frequencies.
struct AxisDims {
  std::vector<std::size_t> dims;
  AxisSeries series = AxisSeries::restarted;
  bool own_block = false;

  std::size_t sum() const;
};

/// What the options say about positions on several axes.
struct AxesOptions {
  std::optional<Sections> sections;
  std::optional<AxisDims> dims;

  void declare(OptionSet& options);
  bool given() const { return sections || dims; }

  /// Applies the sections to an embedding. Throws rope::Error (invalid input) if they do not add
  /// up.
  void apply_sections(RotaryEmbedding& embedding) const;

  /// The embedding of --axes. Throws rope::Error (invalid input).
  RotaryEmbedding embedding(std::size_t head_dim, double base, PairLayout layout) const;
};

}  // namespace rope::app
