#include "rope/model/other_parts.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rope/error.hpp"
#include "rope/model/hugging_face.hpp"
#include "rope/model/known_models.hpp"
#include "rope/model/text_part.hpp"
#include "rope/model/vision.hpp"

namespace rope {
namespace {

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

}  // namespace

std::vector<std::string> other_rotating_parts(const io::Json& root, const std::string& main,
                                              const ModelRope& model) {
  return Parts(main, model.vision.has_value()).in(root);
}

}  // namespace rope
