#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rope/model/engine.hpp"
#include "rope/model/fields.hpp"
#include "rope/model/model_rope.hpp"
#include "rope/model/rule_reader.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {

/// The parameters of a rule in a file, while they are read into a layer. The functions take the
/// name that the rule declares for a parameter; its key in the file is part of that declaration.
struct RuleInput {
  const Fields& fields;
  const LayerFacts& facts;
  const ReadOptions& options;
  const ScalingRule& rule;
  LayerRope& layer;

  /// The rule's parameter with this name.
  const Parameter& declared(std::string_view name) const;

  void warn(std::string text) const { fields.warn(std::move(text)); }

  /// The parameter's key in the file.
  std::string_view config_key(std::string_view name) const { return declared(name).config_key; }

  /// The same key as shown in messages: "config.json: rope_scaling.factor".
  std::string key(std::string_view name) const;

  /// The value read for the parameter.
  std::optional<double> number(std::string_view name) const;

  /// The number of positions of the model, as shown in messages.
  std::string context_text() const;

  /// The number of positions divided by the length before extension. That length must have been
  /// read. Throws if the file does not give the number of positions.
  double implied_factor() const;

  /// Throws rope::Error if the key is missing; transformers refuses such a file too.
  void require(std::string_view name, std::string_view expected) const;
  void require_factor() const { require("factor", "the factor by which the context grows"); }

  /// Throws rope::Error if the file does not give the number of positions.
  void require_context() const;

  /// Reads one parameter as declared. Throws rope::Error if its value is invalid.
  void take(std::string_view name) const;

  /// Reads all parameters that are declared with a key. Throws rope::Error if a required one has no
  /// value.
  void take_all() const;

 private:
  void take_original() const;
  void take_list(const Parameter& parameter) const;
  void check_factor() const;
  void check_attention_factor() const;
};

}  // namespace rope
