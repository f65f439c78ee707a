#include "rope/model/presets.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "rope/io/json.hpp"
#include "rope/model/hugging_face.hpp"
#include "rope/model/preset_files.hpp"
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
      text += c == ' ' || c == '_' ? '-' : c;
  }
  return text;
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

Preset preset(std::string_view name) {
  const io::Json document = document_of(name);
  Preset found;
  found.name = name;
  found.title = document.at("title").get<std::string>();
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
    model.warnings.push_back("preset " + std::string(name) + ": " + field +
                             " is unverified: compare it with the model's own config.json");
  return model;
}

}  // namespace rope
