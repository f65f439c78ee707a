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

/// A layer as read by transformers, to be changed to match an engine's reading.
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

/// An engine that supports the rule.
struct EngineReading {
  Engine engine;
  void (*read)(EngineInput& input) = nullptr;  ///< nullptr: it reads the rule as transformers does
  /// Throws DomainError if an assertion in the engine's own code fails for the scaled layer.
  void (*check)(const LayerRope& layer) = nullptr;
};

/// The keys of a GGUF file, while they are converted to the parameters of an equivalent
/// config.json.
struct GgufInput {
  const Fields& fields;
  const std::string& architecture;
  std::optional<std::int64_t> context;  ///< tokens
  std::optional<double> factor;         ///< under either of its names
  io::Json& config;                     ///< the parameters, to be filled
  std::vector<std::string>& notes;

  std::string key(std::string_view name) const { return architecture + "." + std::string(name); }
};

/// Names that the code of one family of models uses for a rule.
struct FamilyTypes {
  std::span<const std::string_view> models;  ///< what their model_type begins with
  std::string_view whose;                    ///< "Phi-3"
  std::span<const std::string_view> types;
};

/// How files store a rule and how engines read it, in addition to its declaration in ScalingRule
/// and its parameters. A rule without an entry here is read as declared, and only transformers
/// supports it.
struct RuleReading {
  std::string_view rule;
  /// Reads the rule from a config.json; throws rope::Error. nullptr: all parameters are read as
  /// declared.
  void (*read)(const RuleInput& input) = nullptr;
  /// The beginnings of the rule's warnings that are dropped because `read` gives them in the terms
  /// of the file.
  std::span<const std::string_view> told = {};
  /// Reads the rule from GGUF keys. nullptr: no such file can contain the rule.
  void (*read_gguf)(GgufInput& input) = nullptr;
  std::span<const EngineReading> engines = {};  ///< other than transformers
  FamilyTypes family = {};
  /// The factor on the softmax scale in latent attention, once the layer is read. nullptr: 1.
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

/// The reading of the rule; an empty one if the declaration is sufficient.
const RuleReading& find_reading(std::string_view rule);

/// Whether the engine supports a rule, by this library's name for it. If not, the layer is read as
/// in transformers, with a warning.
bool knows(Engine engine, std::string_view rule);

/// Changes the layer and the current length to what the engine uses, with a warning for every
/// difference; for Engine::hf there is none.
void read_as(Engine engine, EngineInput& input);

/// Refuses a scaled layer for which an assertion in the engine's own code fails.
///
/// Throws    DomainError.
void check_as(Engine engine, const LayerRope& layer);

/// Fills `config` with the parameters that the rule declares with a GGUF key.
void take_declared(GgufInput& input, std::string_view rule);

/// The scaling in Meta's code that a params.json only switches on, in the form of a config.json.
io::Json llama3_of_params(const Fields& root);

}  // namespace rope
