#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rope/model/engine.hpp"
#include "rope/model/fields.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// What the rest of the file contributes to the parameters of one layer type.
struct LayerFacts {
  std::string name;       ///< the layer type
  std::string root_path;  ///< the text that precedes a key of the file's root in messages
  std::string_view model_type;
  std::size_t head_dim = 0;
  PairLayout layout = PairLayout::half;
  double base = 10000;                       ///< unless the parameters contain rope_theta
  std::string_view base_key = "rope_theta";  ///< the key of the file's root that sets the base
  std::optional<double> root_base;  ///< the base of the root, used to report contradictions
  std::optional<double> partial;    ///< unless the parameters contain partial_rotary_factor
  /// The key of the file's root that sets the fraction.
  std::string_view partial_key = "partial_rotary_factor";
  bool partial_of_file = false;  ///< whether a key of the file's root sets the fraction
  /// The fraction that takes precedence in all rules except default.
  std::optional<double> partial_of_rules;
  std::optional<double> partial_of_rules_alone;  ///< like partial_of_rules, for a class that reads
                                                 ///< its own fraction under another name
  /// The parameters come from one of several objects, one per layer type.
  bool in_layer_type = false;
  bool whole_by_default = false;  ///< the default rule turns whole heads, whatever the fraction
  /// The class of the type turns whole heads, and reads no fraction.
  bool class_turns_whole_heads = false;
  /// The file comes with its own code, which may read keys that the class does not.
  bool brings_code = false;
  std::optional<std::size_t> rotary_dim;  ///< the rotated size, if the file gives it directly
  std::optional<std::int64_t> context;
  bool context_of_class = false;  ///< the context is that of the class
  /// The file has dual_chunk_attention_config, which some engines follow.
  bool dual_chunks = false;
  std::optional<std::int64_t> root_original;  ///< original_max_position_embeddings of the root

  /// The fraction that a rule uses in preference to all others.
  std::optional<double> partial_of(std::string_view rope_type) const {
    return rope_type == "default" ? std::nullopt : partial_of_rules;
  }

  /// Whether the model uses multi-head latent attention, whose code scales the softmax too.
  bool latent_attention() const;
};

/// Reads the parameters of one layer type from rope_scaling or rope_parameters, from one of the
/// objects in it, or from an empty object.
///
/// Throws    rope::Error (invalid input), for input that transformers v5 refuses: an unknown type,
///           a missing key that the type needs, lists of the wrong length, or a size that cannot be
///           rotated.
LayerRope read_rule(const Fields& parameters, const LayerFacts& facts, const ReadOptions& options);

}  // namespace rope
