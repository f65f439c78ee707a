#include "rope/documents/decay.hpp"

#include <fmt/format.h>

#include <cmath>

#include "rope/documents/embedding.hpp"

namespace rope {
namespace {

/// The law is not defined at distance 0.
std::string law_text(double law) { return std::isnan(law) ? "" : six_digits(law); }

io::JsonValue curve_json(const DecayStudy& study, const VariantDecay& result) {
  const RotaryEmbedding& embedding = result.variant.embedding;
  const auto& [first, searched] = result.negative;
  io::JsonValue curve = {
      {"label", result.variant.label},
      {"base", embedding.base},
      {"dim", embedding.head_dim},
      {"family", study.family},
      {"rotary", rotary_json(embedding)},
      {"first_negative", {{"distance", first.distance}, {"searched", searched}}}};
  curve.add(json_lists(decay_columns(study, result)));
  return curve;
}

}  // namespace

Cells distance_cells(const DecayStudy& study) {
  return study.parts == 1 ? Cells(study.distances) : Cells(study.tokens());
}

Columns decay_columns(const DecayStudy& study, const VariantDecay& result) {
  const RandomScores& random = result.random;
  Columns columns = {column("distance", "Δ (tokens)", distance_cells(study)),
                     column("bound", "bound f(Δ)", result.curve.bound),
                     column("mean_cosine", "mean cosine", result.curve.mean_cosine)};
  if (!result.law.empty()) columns.push_back(column("log_law", "log law", result.law, law_text));
  if (random.mean.empty()) return columns;
  std::vector<std::string> both;
  for (std::size_t i = 0; i < random.mean.size(); ++i)
    both.push_back(fmt::format("{:.3f} ± {:.3f}", random.mean[i], random.deviation[i]));
  columns.push_back(table_column("random mean ± deviation", both));
  columns.push_back(file_column("random_mean", random.mean));
  columns.push_back(file_column("random_deviation", random.deviation));
  return columns;
}

std::string decay_csv(const DecayStudy& study, CsvForm form) {
  std::vector<ColumnsOfOne> all;
  for (const VariantDecay& result : study.curves)
    all.push_back({result.variant.label, decay_columns(study, result)});
  return csv_text(file_column("distance", distance_cells(study)), all, form);
}

std::string decay_json(const DecayStudy& study) {
  return io::JsonValue{{"schema", "rope.decay/2"},
                       {"random_pairs", study.random_pairs},
                       {"seed", study.seed},
                       {"curves", io::json_list(study.curves,
                                                [&](const VariantDecay& result) {
                                                  return curve_json(study, result);
                                                })}}
      .document();
}

}  // namespace rope
