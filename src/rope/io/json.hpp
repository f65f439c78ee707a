#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace rope::io {

/// Keeps its members in the order they were added, so that output never changes its order. Include
/// <nlohmann/json.hpp> to build or to read one.
using Json = nlohmann::ordered_json;

/// Returns the document as text: two spaces a level, a line end at the end, and an array that holds
/// only numbers on one line.
///
/// Accuracy  a double is the shortest text that reads back to the same bits, and always a floating
///           point number (1.0, not 1).
/// Edge      NaN and infinities, which JSON does not have, become null. Bytes that are not UTF-8
///           become U+FFFD, and characters that would steer a terminal are spelt \uNNNN.
std::string to_json_text(const Json& document);

/// What is done about a key that stands twice in one object. With two values it is always refused:
/// JSON does not say which counts, and readers differ.
enum class RepeatedKeys {
  equal_pass,  ///< with the same value twice it says one thing
  refused,
};

/// Reads one JSON document. `name` stands for the text in messages.
///
/// Throws    rope::Error (invalid input), with line and column, at the first thing that is not
///           JSON, at a number out of the range of a double, at more than 64 levels of nesting, at
///           objects with so many members (about 28 000 in one) that finding them would not end,
///           and at keys that stand twice, with two values or where those are refused.
Json parse_json(std::string_view text, const std::string& name,
                RepeatedKeys repeated = RepeatedKeys::equal_pass);

/// The document with each of its strings and keys made `printable`, for a file whose words are
/// shown and not kept; 200 bytes of each are enough.
Json printable_document(Json document);

}  // namespace rope::io
