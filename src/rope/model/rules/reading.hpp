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

/// A layer as read by transformers, to be adapted to another engine.
struct EngineInput {
  const LayerFacts& facts;
  const Fields& fields;  ///< the rule's parameters, for the keys that transformers does not read
  LayerRope& layer;
  std::optional<std::int64_t> seq_len;  ///< the current length, tokens
  std::vector<std::string> warnings;    ///< one for every difference

  /// The value of one of the layer's parameters, or `otherwise` if it has none.
  double number(std::string_view name, double otherwise) const;
  void warn(std::string warning) { warnings.push_back(std::move(warning)); }
};

/// How an engine that supports the rule reads it.
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
  std::optional<double> factor;         ///< the factor, from either of its GGUF keys
  io::Json& config;                     ///< the parameters, to be filled in
  std::vector<std::string>& notes;

  std::string key(std::string_view name) const { return architecture + "." + std::string(name); }
};

/// Names that the code of one family of models uses for a rule.
struct FamilyTypes {
  std::span<const std::string_view> models;  ///< prefixes of their model_type
  std::string_view whose;                    ///< the family's name in messages: "Phi-3"
  std::span<const std::string_view> types;
};

/// How files store a rule and how engines read it. This complements the rule's declaration in
/// ScalingRule and its parameters. A rule without an entry here is read as declared, and only
/// transformers supports it.
struct RuleReading {
  std::string_view rule;
  /// Reads the rule from a config.json; throws rope::Error. nullptr: all parameters are read as
  /// declared.
  void (*read)(const RuleInput& input) = nullptr;
  /// Prefixes of the rule's own warnings that are dropped, because `read` gives the same warnings
  /// in terms of the file's keys.
  std::span<const std::string_view> told = {};
  /// Reads the rule from GGUF keys. nullptr: GGUF files cannot contain the rule.
  void (*read_gguf)(GgufInput& input) = nullptr;
  /// The engines other than transformers that support the rule.
  std::span<const EngineReading> engines = {};
  FamilyTypes family = {};
  /// The factor on the softmax scale in latent attention, computed after the layer has been read.
  /// nullptr: 1.
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

/// The entry for the rule; an empty one if the rule's declaration is sufficient.
const RuleReading& find_reading(std::string_view rule);

/// Whether the engine supports a rule, given this library's name for it. If not, the layer is read
/// as transformers reads it, with a warning.
bool knows(Engine engine, std::string_view rule);

/// Changes the layer and the current length to what the engine uses, with a warning for every
/// difference; Engine::hf changes nothing.
void read_as(Engine engine, EngineInput& input);

/// Refuses a scaled layer for which an assertion in the engine's own code fails.
///
/// Throws    DomainError.
void check_as(Engine engine, const LayerRope& layer);

/// Fills `config` with the parameters that the rule declares with a GGUF key.
void take_declared(GgufInput& input, std::string_view rule);

/// The scaling that is fixed in Meta's code and only switched on by params.json, in the form of a
/// config.json.
io::Json llama3_of_params(const Fields& root);

}  // namespace rope
