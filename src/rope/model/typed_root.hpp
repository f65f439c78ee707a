#pragma once

#include <string>
#include <string_view>

#include "rope/model/fields.hpp"
#include "rope/model/known_models.hpp"

namespace rope {

/// The root of a config.json beside the class of its model type, which says how its keys are read.
class TypedRoot {
 public:
  /// `model_type` must outlive it; `known` may be nullptr.
  TypedRoot(const Fields& root, const std::string& model_type, const KnownModel* known);

  /// Whether it is a key of single models, which the class of this one does not read. Code that a
  /// file brings along may read any, and so may that of a type without a class.
  bool is_foreign(std::string_view name) const;

 protected:
  void warn(const std::string& text) { root_.warn(text); }
  std::string key(std::string_view name) const { return root_.path() + std::string(name); }

  /// The type, or that of the text model its class makes.
  bool is(std::string_view type) const {
    return model_type_ == type || (known_ != nullptr && known_->model_type == type);
  }

  /// The key that the class reads instead of rope_theta; empty if there is none.
  std::string_view own_base_key() const;

  const Fields& root_;
  const std::string& model_type_;
  const KnownModel* known_;
  const KnownModel* class_;  // that fills in what is missing; nullptr: nothing is taken from it
};

}  // namespace rope
