#pragma once

#include "rope/claims/clause.hpp"
#include "rope/io/json_value.hpp"

namespace rope {

/// A text in both languages, in the form that every document uses.
inline io::JsonValue text_json(const claims::Text& text) {
  return {{"zh", text.zh}, {"en", text.en}};
}

}  // namespace rope
