#include "rope/model/listed_layers.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rope/model/layers_without.hpp"

namespace rope {
namespace {

using List = std::optional<std::vector<double>>;

/// What a list says of layer i; the one number of the root otherwise.
double at(const List& list, std::size_t i, double otherwise) {
  return list && i < list->size() ? (*list)[i] : otherwise;
}

List list_of(const Fields& root, std::string_view name) {
  const io::Json* const value = root.find(name);
  return value != nullptr && value->is_array() ? root.numbers(name) : std::nullopt;
}

void warn_of_count(const Fields& root, const std::string& list, std::size_t count) {
  const auto layers = root.first_integer({"num_hidden_layers"});
  if (layers && static_cast<std::size_t>(*layers) != count)
    root.warn(root.path() + list + " has " + std::to_string(count) +
              " numbers, but num_hidden_layers is " + std::to_string(*layers) +
              ": write one for each layer");
}

/// The layers that the rule is for: those of the types that yarn_only_types names.
std::vector<bool> layers_scaled(const Fields& root, std::size_t count, bool full_attention) {
  std::vector<bool> scaled(count, true);
  const io::Json* const types = root.find("layer_types");
  const io::Json* const only = root.find("yarn_only_types");
  const bool listed = only != nullptr && only->is_array();
  if (!(listed || full_attention) || types == nullptr || !types->is_array()) return scaled;
  for (std::size_t i = 0; i < count && i < types->size(); ++i)
    scaled[i] = listed ? std::ranges::find(*only, (*types)[i]) != only->end()
                       : (*types)[i] == "full_attention";
  return scaled;
}

}  // namespace

std::string LayerGroup::label() const { return "layers " + short_list(layers); }

std::optional<ListedLayers> listed_layers(const Fields& root, const LayerFacts& facts,
                                          bool scales_full_attention) {
  List bases = list_of(root, "layer_rope_theta");
  const std::string name = bases ? "layer_rope_theta" : "rope_theta";
  if (!bases) bases = list_of(root, "rope_theta");
  List partials = list_of(root, "partial_rotary_factors");
  if (!partials) partials = list_of(root, "partial_rotary_factor");
  std::size_t count = std::max(bases ? bases->size() : 0, partials ? partials->size() : 0);
  const io::Json* const types = root.find("layer_types");
  if (count == 0 && root.find("yarn_only_types") != nullptr && types != nullptr)
    count = types->size();
  if (count == 0) return std::nullopt;
  // Layers that predict further tokens stand behind the others.
  const auto layers = root.first_integer({"num_hidden_layers"});
  const auto further = root.first_integer({"num_nextn_predict_layers"});
  if (layers && further && count == static_cast<std::size_t>(*layers + *further))
    count = static_cast<std::size_t>(*layers);
  else
    warn_of_count(root, bases ? name : "partial_rotary_factors", count);
  if (bases && partials && bases->size() != partials->size())
    root.warn(root.path() + "partial_rotary_factors has " + std::to_string(partials->size()) +
              " numbers, but " + name + " has " + std::to_string(bases->size()) +
              ": write one for each layer");
  ListedLayers result{bases.has_value(), partials.has_value(), {}};
  const std::vector<bool> scaled = layers_scaled(root, count, scales_full_attention);
  for (std::size_t i = 0; i < count; ++i) {
    const double base = at(bases, i, facts.base);
    const double partial = at(partials, i, facts.partial.value_or(1));
    auto found = std::ranges::find_if(result.groups, [&](const LayerGroup& group) {
      return group.base == base && group.partial == partial && group.scaled == scaled[i];
    });
    if (found == result.groups.end())
      found = result.groups.insert(result.groups.end(), LayerGroup{base, partial, scaled[i], {}});
    found->layers.push_back(i);
    if (result.groups.size() > kMostLayerTypes) break;  // and is refused
  }
  return result;
}

}  // namespace rope
