#include "rope/model/read_model.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rope/error.hpp"
#include "rope/io/json.hpp"
#include "rope/model/diffusers.hpp"
#include "rope/model/families/family.hpp"
#include "rope/model/gguf_file.hpp"
#include "rope/model/gguf_keys.hpp"
#include "rope/model/hugging_face.hpp"
#include "rope/model/known_models.hpp"
#include "rope/model/meta_params.hpp"
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

std::string type_in(const io::Json& part) {
  const auto found = part.find("model_type");
  return found != part.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The type of a part. A vision part that names none, or the whole's, is of the class that the
/// whole makes: "kimi_k25_vision" of "kimi_k25".
std::string type_of(const io::Json& part, const std::string& key, const io::Json& whole) {
  std::string type = type_in(part);
  std::string made = type_in(whole) + "_vision";
  const bool named = !type.empty() && type != type_in(whole);
  return key == "vision_config" && !named && rotates_over_an_image(made) ? made : type;
}

/// Whether it rotates when it is read by itself.
bool rotates_alone(const io::Json& part, const std::string& type) {
  const auto in_plane = part.find("use_rope2d");  // of perception_encoder
  if (in_plane != part.end() && *in_plane == false) return false;
  if (rotates_over_an_image(type) || is_vision_model(type)) return true;
  try {
    const ModelRope model = read_hugging_face(part, "part");
    return std::ranges::any_of(model.layers, &LayerRope::rotates);
  } catch (const Error&) {
    return false;  // nothing shows that it does
  }
}

class Parts {
 public:
  Parts(std::string main, bool vision) : main_(std::move(main)), vision_(vision) {}

  std::vector<std::string> in(const io::Json& root) {
    walk(root, "", 0);
    return std::move(found_);
  }

 private:
  void walk(const io::Json& whole, const std::string& path, int depth) {
    constexpr int kDeepest = 4;
    if (depth == kDeepest) return;
    for (const auto& [key, part] : whole.items()) {
      if (!part.is_object()) continue;
      const std::string inner = path + key;
      const std::string type = type_of(part, key, whole);
      if (is_candidate(part, type, inner) && ++read_ <= kMost && rotates_alone(part, type))
        found_.push_back(inner);
      walk(part, inner + '.', depth + 1);
    }
  }

  /// A part of a model, and not what was told of already or is made of parts itself.
  bool is_candidate(const io::Json& part, const std::string& type, const std::string& path) const {
    if (main_ == path + '.' || is_told_vision(path)) return false;
    return (!type.empty() || has_sizes(part)) && text_part(part).path.empty();
  }

  bool is_told_vision(const std::string& path) const {
    return vision_ && (path == "vision_config" || path == "thinker_config.vision_config");
  }

  static constexpr int kMost = 32;  // parts that are read: no model has more
  std::string main_;
  bool vision_;
  int read_ = 0;
  std::vector<std::string> found_;
};

/// The parts of a file that rotate beside what `model` tells of: "talker_config",
/// "token2wav_config.dit_config". `main` is the part that was read, "" for the root.
std::vector<std::string> other_rotating_parts(const io::Json& root, const std::string& main,
                                              const ModelRope& model) {
  return Parts(main, model.vision.has_value()).in(root);
}

void add_other_parts(ModelRope& model, const io::Json& document, const std::string& main) {
  model.others = other_rotating_parts(document, main, model);
  std::string names;
  for (const std::string& part : model.others) names += (names.empty() ? "" : ", ") + part;
  if (!names.empty()) model.notes.push_back("other parts that rotate: " + names);
}

/// The schema of an answer of this program; empty for any other document.
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
    throw Error(ErrorKind::invalid_input, name + ": expected a config.json, found binary data",
                "Give the config.json next to the weights of a model.");
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    throw Error(ErrorKind::invalid_input, name + ": expected a config.json, found nothing",
                "Give the config.json of a model.");
  if (text[first] != '{' && is_gguf_dump(text)) return read_gguf_dump(text, name, options);
  if (is_of_ollama_show(text.substr(first)))
    throw Error(ErrorKind::invalid_input,
                name + ": expected a config.json, found the output of ollama show",
                "Give the JSON that Ollama's API returns for /api/show, or the output of gguf-dump "
                "for the model's file.");
  io::Json document;
  try {
    document = io::printable_document(io::parse_json(as_json(text), name));
  } catch (const Error& error) {
    const std::string& remedy = error.remedy();
    throw Error(error.kind(), error.what(),
                remedy.empty()
                    ? "rope reads a config.json, a params.json or the keys of a GGUF file."
                    : remedy);
  }
  if (const std::string schema = own_schema(document); !schema.empty())
    throw Error(ErrorKind::invalid_input,
                name + ": expected a config.json, found output of rope (" + schema + ")",
                "Give the config.json that this output was made from.");
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
