#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rope/io/json.hpp"
#include "rope/model/engine.hpp"
#include "rope/model/fields.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// A family of models whose code reads its own keys instead of those of transformers. Each family
/// has a file next to this one; families.cpp lists them.
struct Family {
  bool (*is_of_it)(const io::Json& config);
  /// Adds the layers and the notes on them to `model`. Warnings given through `root` are added too.
  void (*read)(const Fields& root, const ReadOptions& options, ModelRope& model);
  bool reads_rope_theta = false;
  /// Its files contain a rope_scaling that its code does not read.
  bool holds_idle_scaling = false;
};

/// The family that a file belongs to, or nullptr.
const Family* find_family(const io::Json& config);

/// Reads the rotary embedding from a file of the family.
///
/// Throws    rope::Error (invalid input) for missing or impossible sizes, and for values that the
///           code of the family refuses.
ModelRope read_family(const Family& family, const io::Json& config, const std::string& name,
                      const ReadOptions& options);

/// Whether model_type is `type`.
bool is_of_type(const io::Json& config, std::string_view type);

/// The key of a size, and the value that the class uses if the key is missing.
struct Size {
  std::string_view key;
  std::int64_t otherwise;
};

/// The size of a head: the width divided by the number of heads.
///
/// Throws    rope::Error (invalid input) if the number of heads does not divide the width, or the
///           size is too large.
std::size_t head_of(const Fields& fields, const Size& width, const Size& heads);

/// Layers with this name that rotate without a scaling rule: whole heads, unless `rotary_dim` is
/// given.
///
/// Throws    rope::Error (invalid input) for an impossible base or size.
LayerRope unscaled_layer(std::size_t head_dim, double base, PairLayout layout,
                         const std::string& name = "",
                         std::optional<std::size_t> rotary_dim = std::nullopt);

/// Adds the full-attention layers that a flash-linear-attention model mixes with its other layers.
/// The key `attn` describes them in an object or a list of objects.
void add_hybrid_attention(const Fields& root, ModelRope& model);

extern const Family apriel2_family;
extern const Family chatglm_6b_family;
extern const Family chronos2_family;
extern const Family eva_clip_family;
extern const Family hunyuan_image_3_family;
extern const Family hybrid_attention_family;
extern const Family mamba_ssm_family;
extern const Family moshi_family;
extern const Family open_lm_family;
extern const Family plamo2_family;
extern const Family retnet_family;
extern const Family striped_hyena_family;
extern const Family telechat_family;
extern const Family yuan_family;

}  // namespace rope
