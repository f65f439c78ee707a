#include "rope/model/presets.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "rope/io/json.hpp"
#include "rope/model/hugging_face.hpp"
#include "rope/model/preset_files.hpp"
#include "rope/parameters/suggest.hpp"
#include "rope/rotary/layout.hpp"

namespace rope {
namespace {

io::Json document_of(std::string_view name) {
  for (const PresetFile& file : preset_files())
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

/// `meta-llama/Meta-Llama-3.1-8B-Instruct` without what hubs put before and behind the model.
std::string without_owner_and_tuning(std::string_view word) {
  std::string text = plain(word.substr(word.rfind('/') + 1));
  if (text.starts_with("meta-")) text.erase(0, 5);
  constexpr std::array<std::string_view, 11> kTunings = {
      "-instruct", "-it",  "-chat", "-base", "-hf",      "-pt",  // how it was trained,
      "-gguf",     "-awq", "-gptq", "-fp8",  "-bnb-4bit"};       // and how it is stored
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view tuning : kTunings)
      if (text.ends_with(tuning)) {
        text.resize(text.size() - tuning.size());
        cut = true;
      }
  }
  return text;
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

/// The preset whose word is likely meant; none if none is near.
std::vector<std::string> near_in_letters(const std::string& word) {
  std::vector<std::string> words;
  words.reserve(all_words().size());
  for (const Called& one : all_words()) words.push_back(one.word);
  const std::string likely = likely_word(word, words);
  if (likely.empty()) return {};
  return {std::ranges::find(all_words(), likely, &Called::word)->preset};
}

}  // namespace

const std::vector<std::string>& preset_names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (const PresetFile& file : preset_files()) names.emplace_back(file.name);
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

PresetMatch match_preset(std::string_view word) {
  for (const std::string& written : {plain(word), without_owner_and_tuning(word)})
    for (const Called& one : all_words())
      if (one.word == written) return {one.preset, {}};
  const std::string beginning = without_owner_and_tuning(word);
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
  found.source = document.at("source").get<std::string>();
  found.unverified = document.at("unverified").get<std::vector<std::string>>();
  return found;
}

ModelRope preset_model(std::string_view name, const ReadOptions& options) {
  const io::Json document = document_of(name);
  ModelRope model = read_hugging_face(document.at("config"), std::string(name), options);
  // The layout is a fact of the checkpoint; other engines permute it, as their tables say.
  if (options.engine != Engine::ggml && options.engine != Engine::llama_models)
    for (LayerRope& layer : model.layers)
      layer.layout = pair_layout(document.at("layout").get<std::string>()).value();
  for (const std::string& field : document.at("unverified").get<std::vector<std::string>>())
    model.warnings.push_back(field + " is unverified: compare it with the model's own config.json");
  return model;
}

}  // namespace rope
