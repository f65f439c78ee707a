#pragma once

#include <string>

#include "rope/model/engine_differences.hpp"
#include "rope/model/model_rope.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// The model that a word names: a file, a folder that contains a config.json, or a preset
/// (match_preset). "-" is standard input. A file takes precedence over a preset. The file is read
/// once, by this function.
///
/// Throws    rope::Error (invalid input) if it is none of these; the message suggests the preset
///           that is probably meant. rope::SystemError if a file cannot be read. The returned
///           reader throws if it does not understand the content.
ModelReader named_model(const std::string& word, const Console& console);

/// The model that a file describes.
ModelRope model_of_file(const std::string& path, const ReadOptions& options = {});

/// The preset that a name means (match_preset). Prints the name of the preset if it differs from
/// `name`.
///
/// Throws    rope::Error (invalid input) if the name means no preset, or several, which the message
///           lists. `option` begins the message: "--model: …".
ModelRope model_of_preset(const std::string& option, const std::string& name,
                          const Console& console, const ReadOptions& options = {});

/// Prints every warning of the model on standard error.
void warn_of(const ModelRope& model, const Console& console);

}  // namespace rope::app
