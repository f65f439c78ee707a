#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace rope::io {

/// A document that was read, with its members in their original order. Include <nlohmann/json.hpp>
/// to inspect one; a document to write is a JsonValue.
using Json = nlohmann::ordered_json;

/// What to do about a key that occurs twice in one object. With two values it is always refused:
/// JSON does not say which counts, and readers differ.
enum class RepeatedKeys {
  equal_pass,  ///< the same value twice says one thing
  refused,
};

/// Reads one JSON document. `name` identifies the text in messages.
///
/// Throws    rope::Error (invalid input), with line and column, at the first thing that is not
///           JSON, at a number out of the range of a double, at more than 64 levels of nesting, at
///           objects with so many members (about 28 000 in one) that finding them would take
///           forever, and at keys that occur twice, with two values or if those are refused.
Json parse_json(std::string_view text, const std::string& name,
                RepeatedKeys repeated = RepeatedKeys::equal_pass);

/// The document with each of its strings and keys made `printable`, for a file whose text is shown
/// but not kept; 200 bytes of each are enough.
Json printable_document(Json document);

}  // namespace rope::io
