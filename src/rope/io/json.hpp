#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace rope::io {

/// A document that was read, with its members in their original order. Include <nlohmann/json.hpp>
/// to inspect one; a document to write is a JsonValue.
using Json = nlohmann::ordered_json;

/// What to do about a key that occurs twice in one object. If the two values differ, the key is
/// always refused: JSON does not say which one applies, and parsers disagree.
enum class RepeatedKeys {
  equal_pass,  ///< the same value twice is accepted
  refused,
};

/// Reads one JSON document. `name` identifies the text in messages.
///
/// Throws    rope::Error (invalid input), with line and column, at the first thing that is not
///           JSON, at a number out of the range of a double, at more than 64 levels of nesting, at
///           objects with so many members (about 28 000 in one) that finding them would take far
///           too long, and at a repeated key if its values differ or repeats are refused.
Json parse_json(std::string_view text, const std::string& name,
                RepeatedKeys repeated = RepeatedKeys::equal_pass);

/// The document with each of its strings and keys made `printable` and cut to 200 bytes, for a file
/// whose text is shown but not saved.
Json printable_document(Json document);

}  // namespace rope::io
