#pragma once

#include <string>

#include "rope/model/engine_differences.hpp"
#include "rope/model/model_rope.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// The model that a word names: a file, a folder that holds a config.json, or a preset. "-" is
/// standard input. A file is read here, once.
///
/// Throws    rope::Error (invalid input) if it is none of these, with the likely preset;
///           rope::SystemError if a file cannot be read. The reader throws where the content is not
///           understood.
ModelReader named_model(const std::string& word);

/// The model of a file.
ModelRope model_of_file(const std::string& path, const ReadOptions& options = {});

/// The preset of that name.
///
/// Throws    rope::Error (invalid input) if there is none: "--model: …", with the likely one.
ModelRope model_of_preset(const std::string& option, const std::string& name,
                          const ReadOptions& options = {});

/// Every warning of the model, on standard error.
void warn_of(const ModelRope& model, const Console& console);

}  // namespace rope::app
