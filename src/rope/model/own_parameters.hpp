#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "rope/io/json.hpp"
#include "rope/model/engine.hpp"
#include "rope/model/fields.hpp"
#include "rope/model/rule_reader.hpp"

namespace rope {

/// The model type as written in a file, and the type of the text model that its class creates.
struct TypeNames {
  std::string_view of_file;
  std::string_view known;  ///< empty if the class is not known

  bool are(std::string_view type) const { return of_file == type || known == type; }
};

/// The parameters of a layer after the model's own code has transformed them.
struct OwnParameters {
  io::Json parameters;
  std::string rope_type;  ///< the file's rope_type, if that of `parameters` differs
  std::string warning, note;
};

struct OwnParametersRequest {
  TypeNames types;
  /// "config.json: rope_scaling.type" if the parameters come from rope_scaling.
  std::string legacy_key;
  std::optional<std::int64_t> seq_len;
  Engine engine = Engine::hf;
};

/// YaRN parameters from keys of the root, as in the original files of gpt-oss (openai/gpt-oss
/// 7b583341, gpt_oss/torch/model.py) and in PLaMo 3 (configuration_plamo.py); null if there are
/// none.
io::Json yarn_of_root(const Fields& root);

/// Transforms the parameters of models whose code reads them in its own way: Hunyuan's alpha (which
/// vLLM and SGLang accept for any model), GTE's ntk, the mscales of Phi-3.5-MoE, and rope_scaling
/// in classes that merge it into an object with a rope_type of their own.
OwnParameters own_parameters(const io::Json& parameters, const LayerFacts& facts,
                             const OwnParametersRequest& request);

}  // namespace rope
