#include "rope/model/presets.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "rope/error.hpp"
#include "rope/io/data_file.hpp"
#include "rope/io/json.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/hugging_face.hpp"
#include "rope/model/preset_remedy.hpp"
#include "rope/parameters/suggest.hpp"
#include "rope/rotary/layout.hpp"

namespace rope {

io::DataFiles preset_files();  // made by cmake/DataFiles.cmake

namespace {

io::Json document_of(std::string_view name) {
  for (const io::DataFile& file : preset_files())
    if (file.name == name) return io::parse_json(file.text, std::string(file.name));
  throw std::logic_error("no preset " + std::string(name));  // a mistake of ours
}

std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z')
      text += static_cast<char>(c - 'A' + 'a');
    else
      text += c == ' ' || c == '_' || c == ':' ? '-' : c;  // Ollama writes llama3.1:8b
  }
  return text;
}

/// A word for a preset.
struct Called {
  std::string word;
  std::string preset;
};

/// Every word for every preset, the names first.
const std::vector<Called>& all_words() {
  static const std::vector<Called> all = [] {
    std::vector<Called> words;
    for (const std::string& name : preset_names()) words.push_back({plain(name), name});
    for (const std::string& name : preset_names())
      for (const std::string& other : preset(name).also_called) words.push_back({other, name});
    return words;
  }();
  return all;
}

void cut_endings(std::string& text, std::span<const std::string_view> endings) {
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view ending : endings)
      if (text.ends_with(ending)) {
        text.resize(text.size() - ending.size());
        cut = true;
      }
  }
}

/// How a model is stored changes nothing of its rotation.
void cut_storage(std::string& text) {
  constexpr std::array<std::string_view, 11> kStored = {
      "-gguf", "-awq",      "-gptq",     "-gptq-int4", "-gptq-int8", "-fp8",
      "-bf16", "-bnb-4bit", "-bnb-8bit", "-4bit",      "-8bit"};
  cut_endings(text, kStored);
}

/// `Meta-Llama-3.1-8B-Instruct` without what hubs put before and behind the model.
std::string without_tuning(std::string_view word) {
  std::string text = plain(word);
  if (text.starts_with("meta-")) text.erase(0, 5);
  cut_storage(text);
  constexpr std::array<std::string_view, 5> kTunings = {"-instruct", "-it", "-chat", "-hf", "-pt"};
  cut_endings(text, kTunings);
  return text;
}

/// Hub names, in small letters, without how the model is stored.
const std::vector<Called>& all_hub_names() {
  static const std::vector<Called> all = [] {
    std::vector<Called> words;
    for (const std::string& name : preset_names())
      for (const std::string& hub : preset(name).hub) {
        words.push_back({plain(hub), name});
        cut_storage(words.back().word);  // of MiniCPM-2B-sft-bf16 too
      }
    return words;
  }();
  return all;
}

/// Who offers models of others stored in another way, under the name that they have.
bool stores_models_of_others(std::string_view owner) {
  constexpr std::array<std::string_view, 10> kOwners = {
      "unsloth",      "thebloke",       "bartowski", "lmstudio-community", "mlx-community",
      "nousresearch", "hugging-quants", "redhatai",  "neuralmagic",        "maziyarpanahi"};
  return std::ranges::count(kOwners, owner) > 0;
}

std::string_view behind_owner(std::string_view name) { return name.substr(name.rfind('/') + 1); }

/// The preset that is the configuration of what a hub calls so, with its owner or without.
std::optional<std::string> preset_on_hub(std::string_view word) {
  std::string name = plain(word);
  cut_storage(name);
  const std::size_t owner = name.rfind('/');
  const bool any_owner =
      owner == std::string::npos || stores_models_of_others(name.substr(0, owner));
  for (const Called& one : all_hub_names())
    if (one.word == name || (any_owner && behind_owner(one.word) == behind_owner(name)))
      return one.preset;
  return std::nullopt;
}

/// config.json, model.gguf: a point and letters behind it, which no version is.
bool has_extension(std::string_view word) {
  const std::size_t point = word.rfind('.');
  if (point == std::string_view::npos || point + 1 == word.size()) return false;
  const std::string ending = plain(word.substr(point + 1));
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool version = ending[0] == 'v' && ending.size() > 1 && digit(ending[1]);
  return letter(ending[0]) && !version &&
         std::ranges::all_of(ending, [&](char c) { return letter(c) || digit(c); });
}

/// What stands behind the address of the hub; nothing if the word is none.
std::optional<std::string_view> behind_address(std::string_view word) {
  for (const std::string_view scheme : {"https://", "http://"})
    if (word.starts_with(scheme)) word.remove_prefix(scheme.size());
  for (const std::string_view host : {"huggingface.co/", "www.huggingface.co/", "hf.co/"})
    if (word.starts_with(host)) return word.substr(host.size());
  return std::nullopt;
}

std::string without_hyphens(std::string text) {
  std::erase(text, '-');
  return text;
}

bool begins_so(std::string_view known, std::string_view beginning) {
  constexpr std::size_t kFewest = 3;  // letters that tell anything, if they are no whole word: yi
  return known.starts_with(beginning) &&
         (beginning.size() >= kFewest || known.substr(beginning.size()).starts_with('-'));
}

/// The presets one of whose words is so, each once.
std::vector<std::string> presets_called(const std::function<bool(const std::string&)>& so) {
  std::vector<std::string> presets;
  for (const Called& one : all_words())
    if (so(one.word) && std::ranges::find(presets, one.preset) == presets.end())
      presets.push_back(one.preset);
  return presets;
}

/// The preset whose word is likely meant; none if none is near. Another number, or a word more, is
/// another model and no slip of the finger.
std::vector<std::string> near_in_letters(const std::string& word) {
  constexpr std::size_t kMost = 2;
  const auto digits = [](std::string text) {
    std::erase_if(text, [](char c) { return c < '0' || c > '9'; });
    return text;
  };
  std::vector<std::string> words;
  for (const Called& one : all_words())
    if (digits(one.word) == digits(word) && edit_distance(one.word, word) <= kMost)
      words.push_back(one.word);
  const std::string likely = likely_word(word, words);
  if (likely.empty()) return {};
  return {std::ranges::find(all_words(), likely, &Called::word)->preset};
}

}  // namespace

const std::vector<std::string>& preset_names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (const io::DataFile& file : preset_files()) names.emplace_back(file.name);
    std::ranges::sort(names);
    return names;
  }();
  return all;
}

std::optional<std::string> find_preset(std::string_view name) {
  const std::string wanted = plain(name);
  for (const std::string& known : preset_names())
    if (plain(known) == wanted) return known;
  return std::nullopt;
}

ModelWord model_word(std::string_view word) {
  if (behind_address(word)) return ModelWord::hub;
  const std::size_t slash = word.find('/');
  const bool path = word.empty() || std::string_view("./~-").find(word[0]) != std::string::npos ||
                    word.find('\\') != std::string_view::npos || word.ends_with('/') ||
                    slash != word.rfind('/') || has_extension(word);
  if (path) return ModelWord::path;
  return slash == std::string_view::npos ? ModelWord::name : ModelWord::hub;
}

std::string_view name(ModelWord word) {
  if (word == ModelWord::name) return "name";
  return word == ModelWord::hub ? "hub" : "path";
}

std::string hub_name(std::string_view word) {
  const std::string_view name = behind_address(word).value_or(word);
  const std::size_t owner = std::min(name.find('/'), name.size());
  return std::string(name.substr(0, name.find_first_of("/?#", owner + 1)));
}

PresetMatch match_preset(std::string_view word) {
  const ModelWord kind = model_word(word);
  if (kind == ModelWord::path) return {};
  if (kind == ModelWord::hub) return {preset_on_hub(hub_name(word)), {}};
  const std::string beginning = without_tuning(word);
  for (const std::string& written : {plain(word), beginning})
    for (const Called& one : all_words())
      if (one.word == written) return {one.preset, {}};
  if (const std::optional<std::string> on_hub = preset_on_hub(word)) return {on_hub, {}};
  const std::string letters = without_hyphens(beginning);  // llama3, phi3
  std::vector<std::string> presets =
      presets_called([&](const std::string& known) { return without_hyphens(known) == letters; });
  if (presets.empty())
    presets = presets_called([&](const std::string& known) {
      return begins_so(known, beginning) || begins_so(without_hyphens(known), letters);
    });
  if (presets.size() == 1) return {presets.front(), {}};
  if (presets.empty()) presets = near_in_letters(beginning);
  return {std::nullopt, presets};
}

bool called(const std::string& preset, std::string_view word) {
  return std::ranges::any_of(all_words(), [&](const Called& one) {
    return one.preset == preset && one.word.find(plain(word)) != std::string::npos;
  });
}

Preset preset(std::string_view name) {
  const io::Json document = document_of(name);
  Preset found;
  found.name = name;
  found.title = document.at("title").get<std::string>();
  if (document.contains("also_called"))
    found.also_called = document.at("also_called").get<std::vector<std::string>>();
  if (document.contains("hub")) found.hub = document.at("hub").get<std::vector<std::string>>();
  found.source = document.at("source").get<std::string>();
  found.unverified = document.at("unverified").get<std::vector<std::string>>();
  return found;
}

std::string preset_remedy(std::string_view word, const PresetMatch& match, std::string_view all) {
  if (model_word(word) == ModelWord::hub) {
    const std::string name = io::printable(hub_name(word), 200);
    return "No preset is known to match that model. Give the model's own config.json; to fetch it, "
           "run huggingface-cli download " +
           name + " config.json, or open https://huggingface.co/" + name +
           "/resolve/main/config.json.";
  }
  constexpr std::size_t kMost = 8;
  std::string listed(all);
  if (match.candidates.empty()) return listed;
  if (match.candidates.size() == 1)
    return "Did you mean " + match.candidates.front() + "? " + listed;
  const std::size_t shown = std::min(kMost, match.candidates.size());
  const std::vector<std::string_view> words(match.candidates.begin(),
                                            match.candidates.begin() + static_cast<long>(shown));
  return "Choose one: " + alternatives(words) + (shown < match.candidates.size() ? ", …; " : "; ") +
         listed;
}

ModelRope preset_model(std::string_view word, const ReadOptions& options) {
  const PresetMatch match =
      find_preset(word) ? PresetMatch{find_preset(word), {}} : match_preset(word);
  if (!match.name)
    throw DomainError(Subject{"preset"},
                      "expected the name of a published model, got " + io::in_quotes(word),
                      model_word(word) == ModelWord::path
                          ? "To read a file, pass its text to read_model."
                          : preset_remedy(word, match, "preset_names() lists all presets."));
  const std::string& name = *match.name;
  const io::Json document = document_of(name);
  ModelRope model = read_hugging_face(document.at("config"), name, options);
  // The layout is a fact of the checkpoint; other engines permute it, as their tables say.
  if (options.engine != Engine::ggml && options.engine != Engine::llama_models)
    for (LayerRope& layer : model.layers)
      layer.layout = pair_layout(document.at("layout").get<std::string>()).value();
  for (const std::string& field : document.at("unverified").get<std::vector<std::string>>())
    model.warnings.push_back(field + " is unverified: compare it with the model's own config.json");
  return model;
}

}  // namespace rope
