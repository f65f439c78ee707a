#include "rope/documents/wavelengths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "rope/documents/embedding.hpp"
#include "rope/documents/pairs.hpp"
#include "rope/pictures/wavelengths.hpp"

namespace rope {
namespace {

/// The fields that describe one embedding.
io::JsonValue embedding_json(const RotaryVariant& variant) {
  io::JsonValue fields = {{"rotary", rotary_json(variant.embedding)},
                          {"attention_factor", variant.embedding.attention_factor}};
  fields.add("pairs", json_rows(wavelength_columns(variant)));  // moved: a list of fields is copied
  return fields;
}

}  // namespace

/// The turns of each pair within the reach; empty without one.
std::vector<double> turns_of(const RotaryVariant& variant) {
  return variant.reach ? turns_within(variant.embedding.frequencies, *variant.reach)
                       : std::vector<double>();
}

Columns wavelength_columns(const RotaryVariant& variant) {
  Columns columns = pair_columns(variant.embedding.frequencies, turns_of(variant));
  if (const Axes& axes = variant.embedding.axes; axes.several()) {
    std::vector<std::string> names;
    for (const std::uint8_t axis : axes.of_pair) names.push_back(axes.names[axis]);
    columns.push_back(column("axis", "axis", std::move(names)));
  }
  return columns;
}

std::string wavelengths_csv(std::span<const RotaryVariant> variants, CsvForm form) {
  std::size_t pairs = 0;
  std::vector<ColumnsOfOne> all;
  for (const RotaryVariant& variant : variants) {
    pairs = std::max(pairs, variant.embedding.pairs());
    all.push_back({variant.label, wavelength_columns(variant)});
  }
  return csv_text(file_column("pair", indices(pairs)), all, form);
}

std::string wavelengths_json(std::span<const RotaryVariant> variants) {
  io::JsonValue document = {{"schema", "rope.wavelengths/2"}, {"context", common_reach(variants)}};
  document.add(embedding_json(variants.front()));
  // Several: all of them stand here, the first again.
  if (variants.size() > 1)
    document.add("embeddings", io::json_list(variants, [&](const RotaryVariant& variant) {
                   io::JsonValue embedding = {{"label", variant.label}, {"context", variant.reach}};
                   embedding.add(embedding_json(variant));
                   return embedding;
                 }));
  return document.document();
}

}  // namespace rope
