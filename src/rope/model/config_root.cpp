#include "rope/model/config_root.hpp"

#include <nlohmann/json.hpp>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/class_defaults.hpp"
#include "rope/model/rope_keys.hpp"

namespace rope {
namespace {

class RootReader {
 public:
  RootReader(const Fields& root, const std::string& model_type, const KnownModel* known,
             const ReadOptions& options, bool part)
      : root_(root),
        model_type_(model_type),
        known_(known),
        options_(options),
        class_(part ? find_class_sizes(model_type) : nullptr) {}

  ConfigRoot read() {
    facts_.model_type = model_type_;
    facts_.root_path = root_.path();
    // Qwen 1 was trained at seq_length; its max_position_embeddings is what its code stretches to.
    if (is("qwen")) facts_.context = root_.positive_integer("seq_length");
    if (!facts_.context)
      facts_.context = root_.first_integer(
          {"max_position_embeddings", "n_positions", "seq_length", "max_seq_len"});
    if (!facts_.context && class_ != nullptr)
      facts_.context = of_class("max_position_embeddings", class_->max_position_embeddings);
    facts_.head_dim = read_head_dim();
    warn_of_class();
    read_global_head_dim();
    facts_.layout = read_layout();
    facts_.root_original = root_.positive_integer("original_max_position_embeddings");
    read_root_base();
    read_partial();
    return std::move(result_);
  }

 private:
  void warn(const std::string& text) { root_.warn(text); }
  std::string key(std::string_view name) const { return root_.path() + std::string(name); }
  bool is(std::string_view type) const { return model_type_ == type; }

  // --- sizes -----------------------------------------------------------------------------------

  std::size_t checked_size(std::int64_t size, std::string_view from) const {
    if (size > static_cast<std::int64_t>(kMaxRotaryDim))
      throw Error(ErrorKind::invalid_input,
                  key(from) + ": expected a head of at most " + std::to_string(kMaxRotaryDim) +
                      " dimensions, found " + std::to_string(size),
                  "head_dim is the size of one attention head.");
    return static_cast<std::size_t>(size);
  }

  /// A size that the file does not give.
  std::int64_t of_class(std::string_view name, std::int64_t size) {
    of_class_ += (of_class_.empty() ? "" : ", ") + std::string(name) + " " + std::to_string(size);
    return size;
  }

  void warn_of_class() {
    if (!of_class_.empty())
      warn(root_.subject() + "what is missing is taken from the class of " + model_type_ +
           ", as transformers takes it (" + of_class_ + "): write it");
  }

  /// qk_rope_head_dim of latent attention, else head_dim, else hidden_size/num_attention_heads.
  std::size_t read_head_dim() {
    const std::optional<std::int64_t> given =
        root_.first_integer({"head_dim", "attention_head_dim", "kv_channels"});
    const std::optional<std::int64_t> latent = root_.positive_integer("qk_rope_head_dim");
    if (latent && !is("deepseek_v4")) {
      if (given && *given != *latent)
        warn(key("head_dim") + ": " + std::to_string(*given) + " is ignored: qk_rope_head_dim " +
             std::to_string(*latent) + " is what is rotated; leave head_dim out");
      const auto rest = root_.positive_integer("qk_nope_head_dim");
      result_.notes.push_back("multi-head latent attention: " + std::to_string(*latent) +
                              " dimensions of each head are rotated by themselves" +
                              (rest ? ", beside " + std::to_string(*rest) + " that are not" : ""));
      return checked_size(*latent, "qk_rope_head_dim");
    }
    if (given) return checked_size(*given, "head_dim");
    if (const std::optional<std::size_t> size = default_head_dim(model_type_)) {
      warn(key("head_dim") + " is missing, so " + std::to_string(*size) + ", the default of " +
           model_type_ + ", is taken, whatever hidden_size and num_attention_heads are: " +
           "write it" + near_key(root_, "head_dim"));
      return *size;
    }
    auto hidden = root_.first_integer({"hidden_size", "n_embd", "d_model"});
    auto heads = root_.first_integer({"num_attention_heads", "n_head", "n_heads"});
    if (!hidden && class_ != nullptr) hidden = of_class("hidden_size", class_->hidden_size);
    if (!heads && class_ != nullptr)
      heads = of_class("num_attention_heads", class_->num_attention_heads);
    if (!hidden || !heads) {
      const std::string_view missing = hidden ? "num_attention_heads" : "hidden_size";
      std::string near = near_key(root_, "head_dim");
      if (near.empty()) near = near_key(root_, missing);
      throw Error(ErrorKind::invalid_input,
                  root_.subject() + "expected head_dim, or hidden_size and num_attention_heads, " +
                      "found no " + std::string(missing) + near,
                  "Give the config.json of a model, whole: the size of a head comes from them.");
    }
    if (*hidden % *heads != 0)
      warn(key("hidden_size") + ": " + std::to_string(*hidden) + " is no multiple of " +
           std::to_string(*heads) + " heads: the quotient is cut off to " +
           std::to_string(*hidden / *heads) + "; write head_dim");
    if (*hidden < *heads)
      throw Error(ErrorKind::invalid_input,
                  key("hidden_size") + ": expected at least num_attention_heads, " +
                      std::to_string(*heads) + ", found " + std::to_string(*hidden),
                  "A head needs a dimension at least.");
    return checked_size(*hidden / *heads, "hidden_size");
  }

  /// The heads of full attention in Gemma 4 are larger than those of its windows.
  void read_global_head_dim() {
    constexpr std::size_t kOfGemma4 = 512;
    constexpr std::string_view kKey = "global_head_dim";
    if (const auto size = root_.positive_integer(kKey)) {
      result_.global_head_dim = checked_size(*size, kKey);
    } else if ((is("gemma4_text") || is("gemma4")) && !root_.has(kKey)) {
      result_.global_head_dim = kOfGemma4;
      warn(key(kKey) + " is missing, so " + std::to_string(kOfGemma4) + ", the default of " +
           model_type_ + ", is taken for the layers of full attention: write it" +
           near_key(root_, kKey));
    }
  }

  PairLayout read_layout() {
    for (const char* name : {"rope_interleave", "rope_interleaved", "rotary_emb_interleaved"})
      if (const std::optional<bool> interleaved = root_.flag(name))
        return *interleaved ? PairLayout::interleaved : PairLayout::half;
    if (known_ != nullptr && options_.engine == Engine::ggml) return known_->gguf_layout;
    // Meta's checkpoints are those that transformers' converter has not permuted.
    if (model_type_ == "llama" && options_.engine == Engine::llama_models)
      return PairLayout::interleaved;
    if (known_ != nullptr) return known_->layout;
    const std::string which = model_type_.empty()
                                  ? "model_type is missing"
                                  : "model_type " + io::in_quotes(model_type_) + " is not known";
    warn(root_.subject() + which +
         ", and no other key tells which dimensions form a pair: half is " +
         "assumed, as most models have it; --layout sets it");
    return PairLayout::half;
  }

  // --- base and partial factor at the root -----------------------------------------------------

  void read_root_base() {
    const io::Json* const theta = root_.find("rope_theta");
    if (theta != nullptr && theta->is_array()) return;  // one a layer: read_listed_layers
    for (const char* name : {"rope_theta", "rotary_emb_base", "global_rope_theta"})
      if (const std::optional<double> base = root_.number(name)) {
        facts_.base = *base;
        if (std::string_view(name) == "rope_theta") facts_.root_base = base;
        return;
      }
    if (const std::optional<double> ratio = root_.number("rope_ratio")) {
      facts_.base = kUsualBase * *ratio;
      result_.notes.push_back("rope_ratio " + shown(*ratio) + ": the base is 10000 times that");
      return;
    }
    if (const std::optional<Fields> attention = root_.inner("attn_config"))
      if (const std::optional<double> base = attention->number("rope_theta")) {
        facts_.base = *base;
        return;
      }
    facts_.base = default_base();
    result_.missing_base = missing_base();
  }

  double default_base() const {
    return known_ != nullptr ? known_->theta_default.value_or(kUsualBase) : kUsualBase;
  }

  /// Called where the parameters hold no base either.
  std::string missing_base() const {
    // These models' configs never have one.
    if (is("chatglm") || is("gptj") || is("codegen") || is("roformer")) return "";
    return key("rope_theta") + " is missing, so " + shown(facts_.base) + ", the default" +
           (known_ != nullptr ? " of " + model_type_ : std::string()) +
           ", is taken: write the base" + near_key(root_, "rope_theta");
  }

  void read_partial() {
    const io::Json* const given = root_.find("partial_rotary_factor");
    if (given == nullptr || !given->is_array())
      for (const char* name : {"partial_rotary_factor", "rotary_pct", "rotary_emb_fraction"})
        if (!facts_.partial) facts_.partial = root_.number(name);
    const std::optional<std::int64_t> size = root_.positive_integer("rotary_dim");
    if (size) {
      if (*size > static_cast<std::int64_t>(facts_.head_dim))
        root_.refuse("rotary_dim", "at most head_dim, " + std::to_string(facts_.head_dim),
                     "No more than a head can be rotated.");
      facts_.rotary_dim = static_cast<std::size_t>(*size);
      warn_of_two_sizes();
    }
    if (is("chatglm")) facts_.rotary_dim = facts_.head_dim / 2;
    if (is("deepseek_v4") && !facts_.partial)
      if (const auto latent = root_.positive_integer("qk_rope_head_dim"))
        facts_.partial = static_cast<double>(*latent) / static_cast<double>(facts_.head_dim);
    if (facts_.partial || facts_.rotary_dim || known_ == nullptr || !known_->partial_default)
      return;
    facts_.partial = known_->partial_default;
    result_.missing_partial = key("partial_rotary_factor") + " is missing, so " +
                              shown(*facts_.partial) + ", the default of " + model_type_ +
                              ", is taken: write it" + near_key(root_, "partial_rotary_factor");
  }

  void warn_of_two_sizes() {
    if (!facts_.partial) return;
    const auto by_factor =
        static_cast<std::size_t>(static_cast<double>(facts_.head_dim) * *facts_.partial);
    if (by_factor != *facts_.rotary_dim)
      warn(key("rotary_dim") + ": " + std::to_string(*facts_.rotary_dim) +
           " counts here, though partial_rotary_factor gives " + std::to_string(by_factor) +
           ", and engines differ: let them agree");
  }

  const Fields& root_;
  const std::string& model_type_;
  const KnownModel* known_;
  const ReadOptions& options_;
  const ClassSizes* class_;  // nullptr: nothing is taken from it
  std::string of_class_;     // what was
  ConfigRoot result_;
  LayerFacts& facts_ = result_.facts;
};

}  // namespace

ConfigRoot read_config_root(const Fields& root, const std::string& model_type,
                            const KnownModel* known, const ReadOptions& options, bool part) {
  return RootReader(root, model_type, known, options, part).read();
}

}  // namespace rope
