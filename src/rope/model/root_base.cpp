#include "rope/model/root_base.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "rope/model/rope_keys.hpp"

namespace rope {
namespace {

class BaseReader : TypedRoot {
 public:
  explicit BaseReader(const TypedRoot& root) : TypedRoot(root) {}

  RootBase read() {
    if (!take_held_base()) read_given_base();
    return std::move(result_);
  }

 private:
  /// CogVLM 2, which has fewer heads of keys, is made from Llama 3 and has its base.
  double held_base() const {
    constexpr double kOfLlama3 = 500000;
    const bool of_cogvlm2 = is("cogvlm") && root_.find("num_multi_query_heads") != nullptr;
    return of_cogvlm2 ? kOfLlama3 : default_base();
  }

  /// Takes the base that the code holds, whatever the file says; or does nothing.
  bool take_held_base() {
    if (known_ == nullptr || !holds_its_base(known_->model_type)) return false;
    result_.base = held_base();
    const auto base = root_.number("rope_theta");
    if (base && *base != result_.base && is("esm")) {
      warn(key("rope_theta") + ": " + shown(*base) +
           " is used by transformers v5, while the code of " + "v4 uses " + shown(result_.base) +
           ": check which version the model was trained with");
      result_.base = *base;
    } else if (base && *base != result_.base) {
      warn(key("rope_theta") + ": " + shown(*base) + " is ignored: the code of " + model_type_ +
           " uses " + shown(result_.base));
    }
    return true;
  }

  void read_given_base() {
    const io::Json* const theta = root_.find("rope_theta");
    if (theta != nullptr && theta->is_array()) return;  // one a layer: read_listed_layers
    const std::string_view own = own_base_key();
    for (const char* name : {"rotary_emb_base", "global_rope_theta", "rotary_embedding_base",
                             "rope_theta", "rope_embedding_base", "position_embedding_base",
                             "rotary_base", "rope_base", "rope_freq_constant"}) {
      const bool usual = std::string_view(name) == "rope_theta";
      const std::optional<double> base = root_.number(name);
      if (!base) continue;
      if (usual && !own.empty()) {
        if (*base != default_base())
          warn(key(name) + ": " + shown(*base) + " is ignored: " + model_type_ + " reads " +
               std::string(own) + "; write that");
        continue;
      }
      result_.base = *base;
      result_.key = name;
      if (usual) result_.rope_theta = base;
      warn_of_ratio_beside(name);
      return;
    }
    if (!read_inner_base()) take_default_base();
  }

  void warn_of_ratio_beside(const char* name) {
    if (const auto ratio = root_.number("rope_ratio"); ratio && *ratio != 1)
      warn(key("rope_ratio") + ": " + shown(*ratio) + " is ignored in favour of " + name +
           ": keep only one");
  }

  /// As a ratio to the usual one, or in an object of the attention; false if it is neither.
  bool read_inner_base() {
    if (const std::optional<double> ratio = root_.number("rope_ratio")) {
      result_.base = kUsualBase * *ratio;
      result_.notes.push_back("rope_ratio " + shown(*ratio) +
                              ": the base is 10000 times this ratio");
      return true;
    }
    if (const std::optional<Fields> attention = root_.inner("attn_config"))
      if (const std::optional<double> base = attention->number("rope_theta")) {
        result_.base = *base;
        if (is("dbrx") && *base != default_base())
          warn(key("attn_config.rope_theta") + ": " + shown(*base) +
               " is used here, as in v4, but " +
               "transformers v5 reads only rope_theta at the root and uses " +
               shown(default_base()) + ": write rope_theta at the root");
        return true;
      }
    return false;
  }

  void take_default_base() {
    result_.base = default_base();
    const std::string near = near_key(root_, "rope_theta");
    if (known_ == nullptr || !near.empty()) result_.missing = missing(near);
  }

  double default_base() const { return known_ != nullptr ? known_->theta : kUsualBase; }

  /// Said where the parameters hold no base either. That of a known type is its class's, as the
  /// files of Llama 2 have it.
  std::string missing(const std::string& near) const {
    return key("rope_theta") + " is missing, so " + shown(result_.base) + ", the default" +
           (known_ != nullptr ? " of " + model_type_ : std::string()) + ", is used: set the base" +
           near;
  }

  RootBase result_;
};

}  // namespace

RootBase read_root_base(const TypedRoot& root) { return BaseReader(root).read(); }

}  // namespace rope
