#include "named/model_option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "rope/error.hpp"
#include "rope/io/file.hpp"
#include "rope/io/input_file.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/gguf_file.hpp"
#include "rope/model/preset_remedy.hpp"
#include "rope/model/presets.hpp"
#include "rope/model/read_model.hpp"
#include "rope/parameters/number_text.hpp"
#include "usage/numbers.hpp"

namespace rope::app {
namespace {

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// What to do about a word for a model that means no preset and is no file.
std::string remedy_for_model(const std::string& word, const PresetMatch& match) {
  return preset_remedy(word, match, "rope inspect --list shows all of them.");
}

/// Whether it is a file of weights, which is not read as a whole. A pipe is read once only.
bool begins_like_gguf(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return false;
  const auto input = io::open_input(file);
  std::string magic(std::min<std::uint64_t>(kGgufMagic.size(), input->size()), '\0');
  input->read(0, magic);
  return magic == kGgufMagic;
}

ModelReader file_reader(const std::string& path) {
  std::error_code ignored;
  std::string file = path;
  if (std::filesystem::is_directory(file, ignored)) {
    file += file.ends_with('/') ? "config.json" : "/config.json";
    if (!exists(file))
      throw SystemError(
          "cannot read " + io::in_quotes(path) + ": there is no config.json in that folder",
          "Give the file itself, or the folder of a downloaded model.");
  }
  // A name in messages: on one line, and not too long.
  std::string shown = path == "-" ? "standard input" : io::printable(file, 200);
  if (begins_like_gguf(file)) {
    const auto keys = read_gguf_file(*io::open_input(file));
    return [keys, name = std::move(shown)](const ReadOptions& options) {
      return read_gguf_keys(keys, name, options);
    };
  }
  return [text = io::read_file(file, kMaxModelFile), name = std::move(shown)](
             const ReadOptions& options) { return read_model(text, name, options); };
}

/// Says which preset is taken for a word that is not its name.
void say_preset(const std::string& word, const std::string& name, const Console& console) {
  if (!find_preset(word))
    console.warn(fmt::format("{} is taken as the preset {} ({})", io::printable(word, 60), name,
                             preset(name).title));
}

/// Refuses several files in one word: a name may hold a comma, so they are not told apart there.
void refuse_listed_files(const std::string& path) {
  std::string repeated;
  const std::vector<std::string_view> items = list_items(path);
  for (const std::string_view item : items) {
    if (items.size() < 2 || !exists(std::string(item))) return;
    repeated.append(" --config ").append(item);
  }
  refuse("--config", "one file", io::in_quotes(path), "Write" + repeated + ".");
}

}  // namespace

ModelRope model_of_file(const std::string& path, const ReadOptions& options) {
  if (path != "-" && !exists(path)) {
    refuse_listed_files(path);
    const PresetMatch match = match_preset(path);
    if (match.name || model_word(path) == ModelWord::hub)
      throw Error(ErrorKind::invalid_input,
                  "--config: expected a file, found none called " + io::in_quotes(path),
                  match.name ? "A preset needs --model before it: --model " + path + "."
                             : remedy_for_model(path, match));
  }
  return file_reader(path)(options);
}

ModelRope model_of_preset(const std::string& option, const std::string& name,
                          const Console& console, const ReadOptions& options) {
  const PresetMatch match = match_preset(name);
  if (!match.name) {
    const bool file = model_word(name) == ModelWord::path;
    refuse(option, "the name of a preset", io::in_quotes(name),
           file && exists(name) ? "A file needs --config before it: --config " + name + "."
           : file ? "A file needs --config before it, and no file of that name exists."
                  : remedy_for_model(name, match));
  }
  say_preset(name, *match.name, console);
  return preset_model(*match.name, options);
}

ModelReader named_model(const std::string& word, const Console& console) {
  if (exists(word) || model_word(word) == ModelWord::path) return file_reader(word);
  const PresetMatch match = match_preset(word);
  if (match.name) {
    say_preset(word, *match.name, console);
    return [name = *match.name](const ReadOptions& options) { return preset_model(name, options); };
  }
  throw Error(ErrorKind::invalid_input,
              "expected a file or the name of a preset, got " + io::in_quotes(word),
              remedy_for_model(word, match));
}

void warn_of(const ModelRope& model, const Console& console) {
  for (const std::string& warning : model.all_warnings()) {
    const bool named = warning.starts_with(model.name);
    console.warn(named ? warning : model.name + ": " + warning);
  }
}

}  // namespace rope::app
