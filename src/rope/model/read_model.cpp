#include "rope/model/read_model.hpp"

#include <nlohmann/json.hpp>

#include "rope/error.hpp"
#include "rope/io/json.hpp"
#include "rope/model/diffusers.hpp"
#include "rope/model/families/family.hpp"
#include "rope/model/gguf_file.hpp"
#include "rope/model/gguf_keys.hpp"
#include "rope/model/hugging_face.hpp"
#include "rope/model/meta_params.hpp"
#include "rope/model/other_parts.hpp"
#include "rope/model/text_part.hpp"
#include "rope/model/vision.hpp"

namespace rope {
namespace {

/// Python writes and reads NaN, Infinity and -Infinity, which are no JSON: as words in quotes they
/// are a mistake only where a number is needed.
std::string as_json(std::string_view text) {
  std::string json;
  json.reserve(text.size());
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\' && i + 1 < text.size()) {
      json += c;
      json += text[++i];
      continue;
    }
    if (c == '"') quoted = !quoted;
    std::string_view word;
    if (!quoted)
      for (const std::string_view each : {"NaN", "-Infinity", "Infinity"})
        if (text.substr(i).starts_with(each)) word = each;
    if (word.empty()) {
      json += c;
    } else {
      json += '"' + std::string(word) + '"';
      i += word.size() - 1;
    }
  }
  return json;
}

void add_other_parts(ModelRope& model, const io::Json& document, const std::string& main) {
  model.others = other_rotating_parts(document, main, model);
  std::string names;
  for (const std::string& part : model.others) names += (names.empty() ? "" : ", ") + part;
  if (!names.empty()) model.notes.push_back("also rotates: " + names);
}

/// "rope.inspect/2" of an answer of this program; empty for any other document.
std::string own_schema(const io::Json& document) {
  const auto schema = document.find("schema");
  if (schema == document.end() || !schema->is_string()) return {};
  const auto name = schema->get<std::string>();
  return name.starts_with("rope.") ? name : std::string();
}

/// Its first lines: "  Model\n    architecture        llama".
bool is_of_ollama_show(std::string_view text) {
  constexpr std::string_view kModel = "Model";
  if (!text.starts_with(kModel)) return false;
  text.remove_prefix(kModel.size());
  const std::size_t word = text.find_first_not_of(" \t\r\n");
  return word != std::string_view::npos && text.substr(word).starts_with("architecture");
}

}  // namespace

ModelRope read_model(std::string_view text, const std::string& name, const ReadOptions& options) {
  if (text.size() > kMaxModelFile)
    throw Error(
        ErrorKind::invalid_input,
        name + ": expected at most " + std::to_string(kMaxModelFile >> 20) + " MiB, found more",
        "Give the config.json of a model, not its weights.");
  if (text.starts_with(kGgufMagic))
    return read_gguf_keys(read_gguf_file(*io::input_from_bytes(std::string(text), name)), name,
                          options);
  if (text.substr(0, 4096).find('\0') != std::string_view::npos)
    throw Error(ErrorKind::invalid_input, name + ": expected a config.json, found no text",
                "Give the config.json next to the weights of a model.");
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    throw Error(ErrorKind::invalid_input, name + ": expected a config.json, found nothing",
                "Give the config.json of a model.");
  if (text[first] != '{' && is_gguf_dump(text)) return read_gguf_dump(text, name, options);
  if (is_of_ollama_show(text.substr(first)))
    throw Error(ErrorKind::invalid_input,
                name + ": expected a config.json, found the text of ollama show",
                "Give the JSON that its API answers to /api/show, or what gguf-dump prints of the "
                "model's file.");
  io::Json document;
  try {
    document = io::printable_document(io::parse_json(as_json(text), name));
  } catch (const Error& error) {
    const std::string& remedy = error.remedy();
    throw Error(error.kind(), error.what(),
                remedy.empty()
                    ? "A config.json, a params.json or the keys of a GGUF file can be read."
                    : remedy);
  }
  if (const std::string schema = own_schema(document); !schema.empty())
    throw Error(ErrorKind::invalid_input,
                name + ": expected a config.json, found an answer of rope (" + schema + ")",
                "Give the config.json that it was made of.");
  if (const auto keys = gguf_keys_in(document)) return read_gguf_keys(*keys, name, options);
  if (is_meta_params(document)) return read_meta_params(document, name, options);
  if (is_diffusers_config(document)) return read_diffusers(document, name);
  if (const Family* const family = find_family(document)) {
    ModelRope model = read_family(*family, document, name, options);
    add_other_parts(model, document, "");
    return model;
  }
  if (const auto type = document.find("model_type"); type != document.end() && type->is_string() &&
                                                     is_vision_model(type->get<std::string>()) &&
                                                     text_part(document).path.empty())
    return read_vision_model(document, name);
  ModelRope model = read_hugging_face(document, name, options);
  model.vision = read_vision(document, name);
  add_other_parts(model, document, text_part(document).path);
  return model;
}

}  // namespace rope
