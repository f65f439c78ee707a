#include "named/model_option.hpp"

#include <fmt/format.h>

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

/// What to do about a word that means no preset, or several.
std::string preset_remedy(const PresetMatch& match) {
  constexpr std::size_t kMost = 8;
  constexpr const char* all = "rope inspect --list shows all.";
  if (match.candidates.empty()) return all;
  if (match.candidates.size() == 1) return "Did you mean " + match.candidates.front() + "? " + all;
  const std::size_t shown = std::min(kMost, match.candidates.size());
  const std::vector<std::string_view> words(match.candidates.begin(),
                                            match.candidates.begin() + static_cast<long>(shown));
  return "Say which: " + alternatives(words) + (shown < match.candidates.size() ? ", …; " : "; ") +
         all;
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

/// Says which preset is taken for a word that is not its name.
void say_preset(const std::string& word, const std::string& name, const Console& console) {
  if (!find_preset(word))
    console.warn(fmt::format("{} is taken as the preset {} ({})", io::printable(word, 60), name,
                             preset(name).title));
}

}  // namespace

ModelRope model_of_file(const std::string& path, const ReadOptions& options) {
  return file_reader(path)(options);
}

ModelRope model_of_preset(const std::string& option, const std::string& name,
                          const Console& console, const ReadOptions& options) {
  const PresetMatch match = match_preset(name);
  if (!match.name)
    refuse(option, "the name of a preset", io::in_quotes(name), preset_remedy(match));
  say_preset(name, *match.name, console);
  return preset_model(*match.name, options);
}

ModelReader named_model(const std::string& word, const Console& console) {
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored)) return file_reader(word);
  const PresetMatch match = match_preset(word);
  if (!match.name && match.candidates.empty() && looks_like_file(word)) return file_reader(word);
  if (match.name) {
    say_preset(word, *match.name, console);
    return [name = *match.name](const ReadOptions& options) { return preset_model(name, options); };
  }
  throw Error(ErrorKind::invalid_input,
              "expected a file or the name of a preset, got " + io::in_quotes(word),
              preset_remedy(match));
}

void warn_of(const ModelRope& model, const Console& console) {
  for (const std::string& warning : model.all_warnings()) {
    const bool named = warning.starts_with(model.name);
    console.warn(named ? warning : model.name + ": " + warning);
  }
}

}  // namespace rope::app
