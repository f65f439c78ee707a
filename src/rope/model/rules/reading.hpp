#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/io/json.hpp"
#include "rope/model/engine.hpp"
#include "rope/model/fields.hpp"
#include "rope/model/model_rope.hpp"
#include "rope/model/rule_input.hpp"

namespace rope {

/// A layer as transformers reads it, which an engine changes to its own reading.
struct EngineInput {
  const LayerFacts& facts;
  const Fields& fields;  ///< the rule's parameters, for the keys that transformers does not read
  LayerRope& layer;
  std::optional<std::int64_t> seq_len;  ///< the current length, tokens
  std::vector<std::string> warnings;    ///< one for every difference

  /// A parameter of the layer.
  double number(std::string_view name, double otherwise) const;
  void warn(std::string warning) { warnings.push_back(std::move(warning)); }
};

/// An engine that has the rule.
struct EngineReading {
  Engine engine;
  void (*read)(EngineInput& input) = nullptr;  ///< nullptr: it reads as transformers does
  /// Throws DomainError where the engine's own code asserts against the scaled layer.
  void (*check)(const LayerRope& layer) = nullptr;
};

/// The keys of a GGUF file, on their way into the parameters of an equivalent config.json.
struct GgufInput {
  const Fields& fields;
  const std::string& architecture;
  std::optional<std::int64_t> context;  ///< tokens
  std::optional<double> factor;         ///< under either of its names
  io::Json& config;                     ///< the parameters, to be filled
  std::vector<std::string>& notes;

  std::string key(std::string_view name) const { return architecture + "." + std::string(name); }
};

/// Names that the code of one family of models gave to a rule.
struct FamilyTypes {
  std::span<const std::string_view> models;  ///< what their model_type begins with
  std::string_view whose;                    ///< "Phi-3"
  std::span<const std::string_view> types;
};

/// How files hold a rule and what engines make of it, beyond its declaration in ScalingRule and its
/// parameters. A rule without an entry here is read as declared, and only transformers has it.
struct RuleReading {
  std::string_view rule;
  /// From a config.json; throws rope::Error. nullptr: all parameters are read as declared.
  void (*read)(const RuleInput& input) = nullptr;
  /// The beginnings of those warnings of the rule that `read` gives in the words of the file.
  std::span<const std::string_view> told = {};
  /// From GGUF keys. nullptr: no such file can hold the rule.
  void (*read_gguf)(GgufInput& input) = nullptr;
  std::span<const EngineReading> engines = {};  ///< without transformers
  FamilyTypes family = {};
  /// What latent attention multiplies its softmax scale by, once the layer is read. nullptr: 1.
  double (*latent_softmax_factor)(const LayerRope& layer) = nullptr;
};

// Each is defined in the source file of its rule; readings.cpp puts them into the table.
extern const RuleReading linear_reading;
extern const RuleReading dynamic_reading;
extern const RuleReading yarn_reading;
extern const RuleReading longrope_reading;
extern const RuleReading llama3_reading;
extern const RuleReading proportional_reading;

std::span<const RuleReading> rule_readings();

/// The reading of the rule; an empty one if the declaration says everything.
const RuleReading& find_reading(std::string_view rule);

/// Whether the engine has a rule, by the name this library gives it. Without it, the engine reads
/// as transformers does, with a warning.
bool knows(Engine engine, std::string_view rule);

/// Changes what the layer asks for, and the current length, into what the engine makes of it; with
/// a warning for every difference, none for Engine::hf.
void read_as(Engine engine, EngineInput& input);

/// Refuses what the engine's own code asserts against, once the layer is scaled.
///
/// Throws    DomainError.
void check_as(Engine engine, const LayerRope& layer);

/// Fills in `config` what the rule declares with a GGUF key.
void take_declared(GgufInput& input, std::string_view rule);

/// Meta's code for the scaling that a params.json only switches on, in the form of a config.json.
io::Json llama3_of_params(const Fields& root);

}  // namespace rope
