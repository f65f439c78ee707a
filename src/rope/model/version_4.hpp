#pragma once

#include <string>
#include <string_view>

#include "rope/model/fields.hpp"
#include "rope/model/known_models.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// Whether transformers 4 has a class of this type too, and of the larger model that it is a part
/// of. False if the class is not part of transformers.
bool is_of_version_4(const KnownModel& model, std::string_view whole);

/// The class as in transformers 4; some classes have a different base there.
KnownModel in_version_4(const KnownModel& model);

/// What transformers 4 does differently with the same file: a warning that says what to write;
/// empty if it does the same. `root` is the file's object with rope_theta.
std::string difference_of_version_4(const Fields& root, const std::string& text_type,
                                    const ModelRope& model, const ModelRope& older);

}  // namespace rope
