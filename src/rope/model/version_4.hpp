#pragma once

#include <string>
#include <string_view>

#include "rope/model/fields.hpp"
#include "rope/model/known_models.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// Whether transformers 4 also has a class for this model, and one for the larger model `whole`
/// that contains it. False if the class is not part of transformers.
bool is_of_version_4(const KnownModel& model, std::string_view whole);

/// The class as in transformers 4; some classes have a different base there.
KnownModel in_version_4(const KnownModel& model);

/// What transformers 4 does differently with the same file, as a warning that says what to write;
/// empty if there is no difference. `root` is the object in the file that contains rope_theta.
std::string difference_of_version_4(const Fields& root, const std::string& text_type,
                                    const ModelRope& model, const ModelRope& older);

}  // namespace rope
