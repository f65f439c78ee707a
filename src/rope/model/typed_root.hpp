#pragma once

#include <string>
#include <string_view>

#include "rope/model/fields.hpp"
#include "rope/model/known_models.hpp"
#include "rope/model/rule_reader.hpp"

namespace rope {

/// Whether only the classes of certain model types read this key.
bool is_of_single_types(std::string_view key);

/// Whether the class of a model type reads this key; true for keys that are not specific to certain
/// model types.
bool class_reads(std::string_view key, std::string_view model_type);

/// The root key from which the class takes its base or, with `local`, the base of its local layers.
std::string_view base_key_of_class(std::string_view model_type, bool local = false);

/// The root of a config.json together with the class of its model type, which determines how its
/// keys are read.
class TypedRoot {
 public:
  /// `model_type` must outlive the object; `known` may be nullptr.
  TypedRoot(const Fields& root, const std::string& model_type, const KnownModel* known);

  /// The members, without the model-specific keys that the class of this type does not read.
  io::Json members_of_class() const;

  /// Warns about each key that members_of_class omits, unless its value equals the one that applies
  /// anyway. `facts` were read without these keys.
  void warn_of_foreign(const LayerFacts& facts) const;

 protected:
  void warn(const std::string& text) const { root_.warn(text); }
  std::string key(std::string_view name) const { return root_.path() + std::string(name); }

  /// Whether `type` is the model type, or the type of the text model that its class creates.
  bool is(std::string_view type) const {
    return model_type_ == type || (known_ != nullptr && known_->model_type == type);
  }

  /// Whether a class of transformers reads this file, rather than code that may read other keys:
  /// code that comes with the file, code known only by the name of its class, or MLC.
  bool is_read_by_class() const;

  /// Whether code other than the class uses this name for an attention size.
  bool is_size_of_other_code(std::string_view name) const;

  /// The key that the class reads instead of rope_theta; empty if there is none.
  std::string_view own_base_key() const;

  const Fields& root_;
  const std::string& model_type_;
  const KnownModel* known_;
  const KnownModel* class_;  // the class that fills in missing values; nullptr: none are filled in
};

}  // namespace rope
