#include "rope/model/config_root.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/root_base.hpp"
#include "rope/model/rope_keys.hpp"
#include "rope/model/rotation_signs.hpp"
#include "rope/model/typed_root.hpp"

namespace rope {
namespace {

constexpr std::size_t kOfGptJ = 64;  // rotary_dim of its class

/// How much of a head CLVP rotates: modeling_clvp.py takes half of what would be a head of the
/// projection, at least 32.
std::size_t rotary_dim_of_clvp(const Fields& root, std::int64_t heads_of_class,
                               std::size_t head_dim) {
  constexpr std::int64_t kProjection = 768;  // of its class
  constexpr std::int64_t kLeast = 32;
  const auto heads = root.positive_integer("num_attention_heads").value_or(heads_of_class);
  const auto projection = root.positive_integer("projection_dim").value_or(kProjection);
  return std::min(static_cast<std::size_t>(std::max(projection / (2 * heads), kLeast)), head_dim);
}

/// Its length, which its class sets whatever max_position_embeddings says.
constexpr std::int64_t kContextOfLongZamba = 16384;

/// Whether a Zamba 2 is one of long context; warns that versions differ on its base then.
bool is_long_zamba(const Fields& root, double base, std::size_t head_dim) {
  if (!root.flag("use_long_context").value_or(false)) return false;
  // configuration_zamba2.py of 4.55
  constexpr double kRaise = 8;
  const auto d = static_cast<double>(head_dim);
  root.warn(root.path() + "use_long_context sets the context to " +
            std::to_string(kContextOfLongZamba) +
            " tokens and, in transformers v4, raises the base to " +
            shown(std::round(base * std::pow(kRaise, d / (d - 2)))) +
            "; transformers v5 and this report keep the base: check which version the model was "
            "trained with");
  return true;
}

class RootReader : TypedRoot {
 public:
  RootReader(const Fields& root, const std::string& model_type, const KnownModel* known,
             const ReadOptions& options)
      : TypedRoot(root, model_type, known), options_(options) {}

  ConfigRoot read() {
    facts_.model_type = model_type_;
    facts_.root_path = root_.path();
    // Qwen 1 was trained at seq_length; its max_position_embeddings is what its code stretches to.
    if (is("qwen")) facts_.context = root_.positive_integer("seq_length");
    if (!facts_.context)
      facts_.context = root_.first_integer({"max_position_embeddings", "n_positions", "seq_length",
                                            "max_seq_len", "max_seqlen", "context_window_size",
                                            "max_context_length", "max_sequence_length"});
    if (!facts_.context && class_ != nullptr && class_->max_position_embeddings > 0) {
      facts_.context = class_->max_position_embeddings;
      facts_.context_of_class = true;
    }
    facts_.head_dim = read_head_dim();
    warn_of_class();
    facts_.whole_by_default = is_gemma4();
    facts_.class_turns_whole_heads = class_turns_whole_heads();
    facts_.brings_code = root_.find("auto_map") != nullptr;
    read_global_head_dim();
    facts_.layout = read_layout();
    facts_.root_original = root_.positive_integer("original_max_position_embeddings");
    facts_.dual_chunks = root_.find("dual_chunk_attention_config") != nullptr;
    take_base();
    if (is("zamba2") && is_long_zamba(root_, facts_.base, facts_.head_dim))
      facts_.context = kContextOfLongZamba;
    read_partial();
    return std::move(result_);
  }

 private:
  /// Whose class fills in what is missing: that of the type, of the name of a class, or of the
  /// model it is the text part of.
  std::string maker() const {
    if (known_ == find_known_model(model_type_) || !text_type(model_type_).empty())
      return model_type_;
    const bool of_architecture = known_ == find_known_model(known_->model_type);
    return of_architecture ? std::string(known_->model_type) : "the larger model";
  }

  // --- sizes -----------------------------------------------------------------------------------

  std::size_t checked_size(std::int64_t size, std::string_view from) const {
    if (size > static_cast<std::int64_t>(kMaxRotaryDim))
      throw Error(ErrorKind::invalid_input,
                  key(from) + ": expected a head of at most " + std::to_string(kMaxRotaryDim) +
                      " dimensions, found " + std::to_string(size),
                  "head_dim is the size of one attention head.");
    return static_cast<std::size_t>(size);
  }

  /// qk_rope_head_dim, of which 0 is what files without latent attention hold.
  std::optional<std::int64_t> latent_size() const {
    for (const char* name : {"qk_rope_head_dim", "attention_qk_rope_dim"})  // the latter: openPangu
      if (const io::Json* const size = root_.find(name);
          size != nullptr && !(size->is_number() && size->get<double>() == 0))
        return root_.positive_integer(name);
    return std::nullopt;
  }

  /// DeepSeek's smallest models keep the keys of latent attention and have none.
  bool plain_attention() const {
    const io::Json* const latent = root_.find("use_mla");
    return is("deepseek_v2") &&
           ((latent != nullptr && latent->is_boolean() && !latent->get<bool>()) ||
            (root_.find("qk_rope_head_dim") != nullptr && !latent_size()));
  }

  /// A size that the file does not give.
  std::int64_t of_class(std::string_view name, std::int64_t size) {
    of_class_ += (of_class_.empty() ? "" : ", ") + std::string(name) + " " + std::to_string(size);
    return size;
  }

  void warn_of_class() {
    if (!of_class_.empty())
      warn(root_.subject() + "missing sizes are taken from the class of " + maker() +
           ", as in transformers (" + of_class_ + "): set them");
  }

  /// qk_rope_head_dim of latent attention, else head_dim, else hidden_size/num_attention_heads.
  std::size_t read_head_dim() {
    std::string_view name;
    const auto given =
        root_.first_integer({"head_dim", "attention_head_dim", "kv_channels"}, &name);
    const std::optional<std::int64_t> latent = latent_size();
    if (latent && !is("deepseek_v4") && !is("mistral4")) {
      const auto rest = root_.positive_integer("qk_nope_head_dim");
      result_.latent_attention = true;
      result_.notes.push_back("latent attention: " + std::to_string(*latent) +
                              " dimensions of each head rotate" +
                              (rest ? ", and " + std::to_string(*rest) + " do not" : ""));
      return checked_size(*latent, "qk_rope_head_dim");
    }
    if (is("zamba2")) {
      const std::size_t size = twice_the_quotient();
      if (given && *given != static_cast<std::int64_t>(size))
        warn(key(name) + ": " + std::to_string(*given) + " is ignored: the class of zamba2 uses " +
             std::to_string(size) + ", twice hidden_size divided by num_attention_heads");
      return size;
    }
    if (given) return checked_size(*given, "head_dim");
    // null is a size that is given, too: the quotient.
    if (known_ != nullptr && known_->head_dim > 0 && !root_.has("head_dim") && !plain_attention()) {
      const std::string near = near_key(root_, "head_dim");
      const std::string text = key("head_dim") + " is missing, so " +
                               std::to_string(known_->head_dim) + ", the default of " + maker() +
                               ", is used, regardless of hidden_size and " + "num_attention_heads";
      warn(text + ": set it" + near);
      return known_->head_dim;
    }
    return quotient_of_sizes();
  }

  /// Meta's code calls the width dim, and that within a layer hidden_dim; code with no dim calls
  /// the width so.
  std::optional<std::int64_t> width_of_other_code(std::string_view heads) {
    if (!is_size_of_other_code(heads)) return std::nullopt;
    std::string_view name;
    const auto width = root_.first_integer({"dim", "hidden_dim"}, &name);
    if (width)
      warn(key(name) + ": " + std::to_string(*width) + " is read as hidden_size alongside " +
           std::string(heads) + ": transformers reads neither; write hidden_size and " +
           "num_attention_heads");
    return width;
  }

  void warn_of_name(std::string_view name, std::string_view usual) {
    if (is_read_by_class() && is_size_of_other_code(name))
      warn(key(name) + " is read as " + std::string(usual) + ", though the class of " +
           model_type_ + " does not read this key: write " + std::string(usual));
  }

  std::size_t quotient_of_sizes() {
    std::string_view width_key, heads_key;
    auto hidden = root_.first_integer({"hidden_size", "n_embd", "d_model"}, &width_key);
    auto heads = root_.first_integer(
        {"num_attention_heads", "n_head", "n_heads", "num_heads", "decoder_num_attention_heads"},
        &heads_key);
    if (hidden) {
      warn_of_name(width_key, "hidden_size");
      warn_of_name(heads_key, "num_attention_heads");
    } else {
      hidden = width_of_other_code(heads_key);
    }
    if (!hidden && class_ != nullptr && !is_size_of_other_code(heads_key))
      hidden = of_class("hidden_size", class_->hidden_size);
    if (!heads && class_ != nullptr && !is_size_of_other_code(width_key))
      heads = of_class("num_attention_heads", class_->num_attention_heads);
    if (!hidden || !heads) {
      const std::string_view missing = hidden ? "num_attention_heads" : "hidden_size";
      std::string near = near_key(root_, "head_dim");
      if (near.empty()) near = near_key(root_, missing);
      throw Error(
          ErrorKind::invalid_input,
          root_.subject() + "expected head_dim, or hidden_size and num_attention_heads, " +
              "found no " + std::string(missing) + near,
          "Give the whole config.json of a model: these keys determine the size of a head.");
    }
    if (*hidden % *heads != 0 && !of_class_.empty())
      throw Error(ErrorKind::invalid_input,
                  root_.subject() + "expected a number of heads that divides the width, found " +
                      std::to_string(*heads) + " heads and a width of " + std::to_string(*hidden) +
                      "; the class of " + maker() + " supplies " + of_class_,
                  "Write hidden_size and num_attention_heads, or head_dim.");
    if (*hidden % *heads != 0)
      warn(key("hidden_size") + ": " + std::to_string(*hidden) + " is not a multiple of " +
           std::to_string(*heads) + ", the number of heads: the quotient is truncated to " +
           std::to_string(*hidden / *heads) + "; write head_dim");
    if (*hidden < *heads)
      throw Error(ErrorKind::invalid_input,
                  key("hidden_size") + ": expected at least num_attention_heads, " +
                      std::to_string(*heads) + ", found " + std::to_string(*hidden),
                  "A head needs at least one dimension.");
    return checked_size(*hidden / *heads, "hidden_size");
  }

  /// Zamba 2 attends over its hidden state and its input, side by side.
  std::size_t twice_the_quotient() {
    const auto hidden = root_.positive_integer("hidden_size").value_or(known_->hidden_size);
    const auto heads =
        root_.positive_integer("num_attention_heads").value_or(known_->num_attention_heads);
    return checked_size(std::max<std::int64_t>(1, 2 * hidden / heads), "hidden_size");
  }

  bool class_turns_whole_heads() const {
    return class_ != nullptr && !is_gemma4() && turns_whole_heads(known_->model_type);
  }

  bool is_gemma4() const {
    return is("gemma4_text") || is("gemma4_unified_text") || is("diffusion_gemma_text");
  }

  /// head_dim in per_layer_config, where transformers 5.16 keeps Gemma 4's global_head_dim.
  std::optional<std::int64_t> size_of_own_layers() const {
    const auto layers = root_.inner("per_layer_config");
    if (!layers || !is_gemma4()) return std::nullopt;
    for (const auto& [layer, value] : layers->object().items())
      if (const auto own = layers->inner(layer))
        if (const auto size = own->positive_integer("head_dim")) return size;
    return std::nullopt;
  }

  /// The heads of full attention in Gemma 4 are larger than those of its windows.
  void read_global_head_dim() {
    constexpr std::size_t kGlobalOfGemma4 = 512;
    constexpr std::string_view kKey = "global_head_dim";
    if (const auto size = root_.positive_integer(kKey)) {
      result_.global_head_dim = checked_size(*size, kKey);
    } else if (const auto own = size_of_own_layers()) {
      result_.global_head_dim = checked_size(*own, "per_layer_config");
    } else if (is_gemma4() && !root_.has(kKey) && root_.find("per_layer_config") == nullptr) {
      result_.global_head_dim = kGlobalOfGemma4;
      warn(key(kKey) + " is missing, so " + std::to_string(kGlobalOfGemma4) + ", the default of " +
           model_type_ + ", is used for the full-attention layers: set it" + near_key(root_, kKey));
    }
  }

  /// Of a layout that is none of the file's; nothing where the user states one.
  void warn_of_layout(const std::string& text) {
    if (!options_.layout_stated) warn(text + std::string(options_.layout_remedy));
  }

  PairLayout read_layout() {
    for (const char* name : {"rope_interleave", "rope_interleaved", "rotary_emb_interleaved"})
      if (const std::optional<bool> interleaved = root_.flag(name))
        return *interleaved ? PairLayout::interleaved : PairLayout::half;
    if (known_ != nullptr && options_.engine == Engine::ggml) {
      if (const auto layout = known_->gguf_layout) return *layout;
      warn_of_layout(root_.subject() +
                     "it is not known whether llama.cpp permutes the weights of " + model_type_ +
                     ": the layout shown is the one in transformers");
    }
    // Meta's checkpoints are those that transformers' converter has not permuted.
    if (model_type_ == "llama" && options_.engine == Engine::llama_models)
      return PairLayout::interleaved;
    if (known_ != nullptr) return plain_attention() ? PairLayout::half : known_->layout;
    if (const auto named = layout_of_kind(root_)) return *named;
    if (const auto own = own_layout(model_type_)) return *own;
    const std::string quoted = "model_type " + io::in_quotes(model_type_);
    std::string which = quoted + " is not known";
    if (model_type_.empty()) which = "model_type is missing";
    if (has_no_rotation(model_type_)) which = "the class of " + quoted + " rotates nothing";
    warn_of_layout(root_.subject() + which +
                   ", and no other key states which dimensions form a pair: half is assumed, as in "
                   "most models");
    return PairLayout::half;
  }

  void take_base() {
    RootBase base = read_root_base(*this);
    facts_.base = base.base;
    facts_.base_key = base.key;
    facts_.root_base = base.rope_theta;
    result_.notes.insert(result_.notes.end(), base.notes.begin(), base.notes.end());
    result_.missing_base = std::move(base.missing);
  }

  // --- the rotated part ------------------------------------------------------------------------

  /// Classes that take their fraction from rotary_pct, and put it into the parameters alone.
  bool is_neox() const { return is("gpt_neox") || is("gpt_neox_japanese"); }

  /// Whether the class leaves its fraction in the parameters, and is none of those that set
  /// partial_rotary_factor on the whole configuration, too.
  bool keeps_fraction_in_parameters() const {
    return class_ == nullptr || is_neox() || is("deepseek_v4") || is("mimo_v2_flash") ||
           is("mistral4") || is("zaya");
  }

  /// What every rule but default overwrites the fraction of the parameters with: the root's key,
  /// or what the class sets where it is missing.
  ///
  /// Source    transformers 5, modeling_rope_utils.py: convert_rope_params_to_dict leaves the key
  ///           where it is, and each _compute_*_parameters calls standardize_rope_params once more.
  void read_fraction_of_rules(const std::optional<double>& of_root) {
    facts_.partial_of_rules = of_root;
    if (!of_root && !keeps_fraction_in_parameters() && known_->partial != 1)
      facts_.partial_of_rules = known_->partial;
  }

  /// Takes the fraction of a key at the root, unless another has given it.
  void take_fraction(const char* name) {
    const std::optional<double> value = root_.number(name);
    if (!value) return;
    if (!facts_.partial) {
      facts_.partial = value;
      facts_.partial_key = name;
    } else if (*value != *facts_.partial) {
      warn(key(name) + ": " + shown(*value) + " is ignored in favour of " +
           std::string(facts_.partial_key) + ": keep only one");
    }
  }

  void read_fraction() {
    constexpr const char* kUsual = "partial_rotary_factor";
    const io::Json* const given = root_.find(kUsual);
    if (given == nullptr || !given->is_array()) {
      const std::optional<double> usual = root_.number(kUsual);
      read_fraction_of_rules(usual);
      (is_neox() ? facts_.partial_of_rules_alone : facts_.partial) = usual;
      for (const char* name : {"rotary_pct", "rotary_emb_fraction", "rope_pct"})
        take_fraction(name);
    }
    facts_.partial_of_file = facts_.partial.has_value();
  }

  void read_partial() {
    read_fraction();
    const std::optional<std::int64_t> size = root_.positive_integer("rotary_dim");
    if (size) {
      if (*size > static_cast<std::int64_t>(facts_.head_dim))
        root_.refuse("rotary_dim", "at most head_dim, " + std::to_string(facts_.head_dim),
                     "At most a whole head can be rotated.");
      facts_.rotary_dim = static_cast<std::size_t>(*size);
      if (facts_.rotary_dim != facts_.head_dim && is("minimax"))
        warn(key("rotary_dim") + ": " + std::to_string(*size) +
             " is used here, as in the model's " +
             "own code, but transformers turns whole heads, and no key of its class changes that");
      if (is("minimax_m2") && !facts_.partial && facts_.rotary_dim != facts_.head_dim)
        warn(key("rotary_dim") + ": " + std::to_string(*size) +
             " is used here, as in the model's " +
             "own code, but without partial_rotary_factor transformers v5 turns whole heads: " +
             "set that key");
      warn_of_two_sizes();
    }
    if (is("clvp_encoder")) {
      facts_.rotary_dim = rotary_dim_of_clvp(root_, known_->num_attention_heads, facts_.head_dim);
      result_.notes.emplace_back("the values are rotated like the queries and the keys");
    }
    const bool of_gptj = is("gptj") || is("codegen");
    if (of_gptj && !root_.has("rotary_dim"))
      facts_.rotary_dim = std::min<std::size_t>(kOfGptJ, facts_.head_dim);
    if (is("chatglm")) facts_.rotary_dim = facts_.head_dim / 2;
    if (facts_.partial_of_file && facts_.rotary_dim && !size)
      warn(key(facts_.partial_key) + ": " + shown(*facts_.partial) + " is ignored: the code of " +
           model_type_ + " turns " + std::to_string(*facts_.rotary_dim) +
           " dimensions of each head, regardless of this key");
    if ((is("deepseek_v4") || is("mistral4")) && !facts_.partial)
      if (const auto latent = latent_size())
        facts_.partial = static_cast<double>(*latent) / static_cast<double>(facts_.head_dim);
    if (facts_.partial || facts_.rotary_dim || known_ == nullptr || known_->partial == 1) return;
    facts_.partial = known_->partial;
    const char* const name = is_neox() ? "rotary_pct" : "partial_rotary_factor";
    result_.missing_partial = key(name) + " is missing, so " + shown(*facts_.partial) +
                              ", the default of " + model_type_ + ", is used: set it" +
                              near_key(root_, name);
  }

  void warn_of_two_sizes() {
    if (!facts_.partial) return;
    const auto by_factor =
        static_cast<std::size_t>(static_cast<double>(facts_.head_dim) * *facts_.partial);
    if (by_factor != *facts_.rotary_dim)
      warn(key("rotary_dim") + ": " + std::to_string(*facts_.rotary_dim) +
           " is used here, though partial_rotary_factor gives " + std::to_string(by_factor) +
           ", and engines differ on which to use: make the two keys agree");
  }

  const ReadOptions& options_;
  std::string of_class_;  // what was taken from it
  ConfigRoot result_;
  LayerFacts& facts_ = result_.facts;
};

}  // namespace

ConfigRoot read_config_root(const Fields& root, const std::string& model_type,
                            const KnownModel* known, const ReadOptions& options) {
  return RootReader(root, model_type, known, options).read();
}

}  // namespace rope
