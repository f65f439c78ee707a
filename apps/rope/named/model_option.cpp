#include "named/model_option.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "rope/error.hpp"
#include "rope/io/file.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/presets.hpp"
#include "rope/model/read_model.hpp"
#include "rope/parameters/suggest.hpp"
#include "usage/numbers.hpp"

namespace rope::app {
namespace {

/// The preset meant by a name that is none: near in letters, or the only one that holds it.
std::string likely_preset(const std::string& name) {
  std::string lower = name;
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  std::string likely = likely_word(lower, preset_names());
  if (!likely.empty() || lower.size() < 3) return likely;
  for (const std::string& known : preset_names())
    if (known.find(lower) != std::string::npos || known.starts_with(lower)) return known;
  return likely;
}

std::string preset_remedy(const std::string& name) {
  const std::string likely = likely_preset(name);
  return likely.empty() ? "rope inspect --list shows the presets." : "Did you mean " + likely + "?";
}

bool looks_like_file(const std::string& word) {
  return word == "-" || word.find('/') != std::string::npos || word.ends_with(".json") ||
         word.ends_with(".txt");
}

ModelReader file_reader(const std::string& path) {
  std::error_code ignored;
  std::string file = path;
  if (std::filesystem::is_directory(file, ignored) &&
      std::filesystem::exists(file + "/config.json", ignored))
    file += file.ends_with('/') ? "config.json" : "/config.json";
  // A name in messages: on one line, and not too long.
  std::string shown = path == "-" ? "standard input" : io::printable(file, 200);
  return [text = io::read_file(file, kMaxModelFile), name = std::move(shown)](
             const ReadOptions& options) { return read_model(text, name, options); };
}

}  // namespace

ModelRope model_of_file(const std::string& path, const ReadOptions& options) {
  return file_reader(path)(options);
}

ModelRope model_of_preset(const std::string& option, const std::string& name,
                          const ReadOptions& options) {
  const std::optional<std::string> found = find_preset(name);
  if (!found) refuse(option, "the name of a preset", io::in_quotes(name), preset_remedy(name));
  return preset_model(*found, options);
}

ModelReader named_model(const std::string& word) {
  std::error_code ignored;
  if (looks_like_file(word) || std::filesystem::exists(word, ignored)) return file_reader(word);
  if (const std::optional<std::string> found = find_preset(word))
    return [name = *found](const ReadOptions& options) { return preset_model(name, options); };
  throw Error(ErrorKind::invalid_input,
              "expected a file or the name of a preset, got " + io::in_quotes(word),
              preset_remedy(word));
}

void warn_of(const ModelRope& model, const Console& console) {
  for (const std::string& warning : model.all_warnings()) {
    const bool named = warning.starts_with(model.name);
    console.warn(named ? warning : model.name + ": " + warning);
  }
}

}  // namespace rope::app
