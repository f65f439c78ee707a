#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rope/attention/context_bound.hpp"
#include "rope/io/json.hpp"
#include "rope/model/engine_differences.hpp"
#include "rope/model/model_rope.hpp"
#include "rope/plot/figure.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// What is computed from the frequencies of one layer type.
struct LayerNumbers {
  std::vector<double> turns;            ///< of each pair within the context; empty without one
  std::vector<std::size_t> incomplete;  ///< pairs that never complete a turn within it
  NegativeDistance negative;
};

/// One model, read and computed.
struct Inspection {
  std::string label;  ///< the word that named it
  ModelRope model;
  std::vector<LayerNumbers> numbers;      ///< one for each of model.layers
  std::vector<EngineDifference> engines;  ///< what others make of it, if transformers was asked
  ReadOptions options;
};

Inspection inspect(std::string label, const ModelReader& read, const ReadOptions& options);

/// A number as a config or a paper would quote it: up to 12 places behind the point.
std::string precise(double value);

/// "llama-2: llama, schema rope_scaling"
std::string heading(const ModelRope& model);

/// A line for every way in which other engines read the model; empty if all agree.
std::string engines_text(const Inspection& inspection);

/// For people, without the warnings.
std::string inspect_report(const Inspection& inspection, const Console& console);

/// Two models: what differs, and each pair of frequencies.
std::string difference_report(const Inspection& a, const Inspection& b, const Console& console);

/// The presets as a table.
std::string preset_report();

std::string inspect_csv(const std::vector<Inspection>& inspections);
std::string inspect_json(const Inspection& inspection);
std::string difference_json(const Inspection& a, const Inspection& b);
std::string preset_json();

/// The wavelengths, coloured by what scaling did to each; or of two models.
plot::Figure inspect_figure(const std::vector<Inspection>& inspections);

}  // namespace rope::app
