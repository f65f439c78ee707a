#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rope/rotary/axial.hpp"
#include "shown/console.hpp"
#include "usage/options.hpp"

namespace rope::app {

/// --sections: the number of pairs of each axis; one series of frequencies runs across all axes.
struct Sections {
  std::vector<std::size_t> pairs;
  SectionOrder order = SectionOrder::contiguous;
};

/// --axes: the number of dimensions of each axis; each axis has its own frequencies.
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

  /// Applies the sections to an embedding. Throws rope::Error (invalid input) if they do not add up
  /// to its pairs.
  void apply_sections(RotaryEmbedding& embedding) const;

  /// The embedding that --axes describes. Throws rope::Error (invalid input).
  RotaryEmbedding embedding(std::size_t head_dim, double base, PairLayout layout) const;
};

}  // namespace rope::app
