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

/// The parameters of a rule in a file, on their way into a layer. Here they go by their own names;
/// their keys in the file are those they declare.
struct RuleInput {
  const Fields& fields;
  const LayerFacts& facts;
  const ReadOptions& options;
  const ScalingRule& rule;
  LayerRope& layer;

  /// One of the rule's parameters.
  const Parameter& declared(std::string_view name) const;

  void warn(std::string text) const { fields.warn(std::move(text)); }

  /// The parameter's key in the file.
  std::string_view config_key(std::string_view name) const { return declared(name).config_key; }

  /// The same as messages name it: "config.json: rope_scaling.factor".
  std::string key(std::string_view name) const;

  /// The value read for the parameter.
  std::optional<double> number(std::string_view name) const;

  /// The number of positions of the model, as messages show it.
  std::string context_text() const;

  /// The number of positions divided by the length before extension, which was read. Throws if the
  /// file does not give the first.
  double implied_factor() const;

  /// Throws rope::Error if the key is missing; transformers refuses that too.
  void require(std::string_view name, std::string_view expected) const;
  void require_factor() const { require("factor", "the factor by which the context grows"); }

  /// Throws rope::Error if the file does not give the number of positions.
  void require_context() const;

  /// Reads one parameter, as it is declared. Throws rope::Error if its value is invalid.
  void take(std::string_view name) const;

  /// Reads all that are declared with a key. Throws rope::Error for required ones without a value.
  void take_all() const;

 private:
  void take_original() const;
  void take_list(const Parameter& parameter) const;
  void check_factor() const;
  void check_attention_factor() const;
};

}  // namespace rope
