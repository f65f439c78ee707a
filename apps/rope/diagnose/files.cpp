// The files of `rope diagnose`: json, csv and the picture of the errors.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "diagnose/report.hpp"
#include "rope/documents/embedding.hpp"
#include "rope/error.hpp"
#include "rope/io/csv.hpp"
#include "rope/pictures/diagnosis.hpp"
#include "rope/scaling/scaling.hpp"
#include "shown/columns.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostErrorRows = 512;               // tokens of a picture
constexpr std::size_t kMostCells = std::size_t{1} << 22;  // lines of a csv file

io::JsonValue frequencies_json(const Spectrum& spectrum) {
  const RotaryEmbedding& embedding = spectrum.embedding;
  const bool base = spectrum.recognised && embedding.pairs() != 1;  // one pair: any base
  const bool range = base && embedding.base && std::isfinite(spectrum.base_high);
  const bool linear = spectrum.recognised && embedding.scaling.rule == "linear";
  const auto when = [](bool so, const auto& value) {
    return so ? std::optional(value) : std::nullopt;
  };
  const auto interval = [&](double low, double high) {
    return when(high > 0, std::vector{low, high});
  };
  const auto theta = [&](std::int64_t k) {
    const auto pair = static_cast<std::size_t>(k);
    return when(spectrum.known(pair), embedding.frequencies.theta[pair]);
  };
  io::JsonValue json = {
      {"base", base ? spectrum.base() : std::nullopt},
      {"base_low", when(range, spectrum.base_low)},
      {"base_high", when(range, spectrum.base_high)},
      {"linear_factor_interval",
       linear ? interval(spectrum.divisor_low, spectrum.divisor_high) : std::nullopt},
      {"attention_factor_interval", interval(spectrum.factor_low, spectrum.factor_high)},
      {"scaling", when(spectrum.recognised, scaling_json(spectrum.scaling()))},
      {"cast_to", spectrum.cast ? std::optional(limits(spectrum.cast->format).name) : std::nullopt},
      {"recognised", spectrum.recognised},
      {"theta", io::json_list(indices(embedding.pairs()), theta)}};
  if (!spectrum.theta_error.empty()) json.add("theta_error", spectrum.theta_error);
  json.add("also", spectrum.also);
  return json;
}

io::JsonValue runs_json(const DiagnosedCase& one, const Explanation& e) {
  return io::json_list(e.runs, [&](const PositionRun& run) -> io::JsonValue {
    const std::size_t first = one.file_token(run.first_token);
    return {{"row", one.row_tokens > 0 ? std::optional(first / one.row_tokens) : std::nullopt},
            {"first_token", first},
            {"last_token", one.file_token(run.last_token)},
            {"position", run.position},
            {"step", run.step},
            {"frequencies", run.regime}};
  });
}

io::JsonValue advice_json(const Advice& advice) {
  return {{"finding", advice.finding},
          {"remedy", advice.remedy.text},
          {"remedy_id", advice.remedy.name.text()}};
}

io::JsonValue explanation_json(const DiagnosedCase& one, const Explanation& e,
                               const DiagnoseStudy& study) {
  const Spectrum& spectrum = e.spectrum();
  const bool vectors = !one.columns && !one.frequencies;
  io::JsonValue json = {{"layout", vectors ? std::optional(name(e.arrangement)) : std::nullopt},
                        {"direction", spectrum.clockwise ? "clockwise" : "counter-clockwise"}};
  json.add(frequencies_json(spectrum));
  json.add("position_offset", e.position_offset);
  if (!e.runs.empty()) json.add("runs", runs_json(one, e));
  const Axes& axes = e.spectrum().embedding.axes;
  if (!e.regimes.front().on_axes.empty())
    json.add("axes", io::json_list(indices(axes.count()), [&](std::int64_t a) {
               const auto axis = static_cast<std::size_t>(a);
               return io::JsonValue{{"name", axes.names[axis]},
                                    {"pairs", pairs_on_axis(e, axis)},
                                    {"positions", positions_on_axis(e, axis)}};
             }));
  if (e.regimes.size() > 1)
    json.add("other_frequencies",
             io::json_list(std::span(e.regimes).subspan(1),
                           [](const Regime& regime) { return frequencies_json(regime.spectrum); }));
  json.add({{"rotary_dim", e.arrangement.rotary_dim},
            {"rotary_offset", e.arrangement.offset},
            {"slowest_first", spectrum.reversed},
            {"attention_factor", spectrum.embedding.attention_factor},
            {"policy", one.frequencies ? std::nullopt : std::optional(e.policy.name)},
            {"max_error", e.judgement.max_error},
            {"error", e.judgement.error},
            {"bound", e.judgement.bound},
            {"numbers", e.judgement.elements},
            {"assumed", e.assumed},
            {"open", e.open},
            {"remarks", io::json_list(case_remarks(one, e), advice_json)}});
  if (study.assumed)
    json.add("differences", io::json_list(case_differences(one, e, *study.assumed), advice_json));
  return json;
}

/// What comes nearest where nothing is explained.
io::JsonValue nearest_json(const DiagnosedCase& one) {
  const Diagnosis& d = one.diagnosis;
  if (d.verdict != DiagnosisVerdict::none) return nullptr;
  if (!d.near_miss) {
    if (d.nearest.rotary_dim == 0) return nullptr;
    return {{"layout", name(d.nearest)}, {"misfit_pairs", d.nearest_misfits}};
  }
  const Judgement& j = d.near_miss->judgement;
  const auto file_token = [&](std::size_t token) { return one.file_token(token); };
  const auto odd_pair = [](const OddPair& pair) {
    return io::JsonValue{{"pair", pair.pair}, {"turn", name(pair.turn)}};
  };
  return {{"layout", name(d.near_miss->arrangement)},
          {"frequencies", frequencies_text(d.near_miss->spectrum())},
          {"violations", j.violations},
          {"numbers", j.elements},
          {"runs", runs_json(one, *d.near_miss)},
          {"broken_tokens", io::json_list(d.broken_tokens, file_token)},
          {"misfit_pairs", d.nearest_misfits},
          {"odd_pairs", io::json_list(d.odd_pairs, odd_pair)},
          {"token", one.file_token(j.token)},
          {"pair", words::pair_of(d.near_miss->arrangement, j.dimension)},
          {"dimension", j.dimension},
          {"error", j.error},
          {"bound", j.bound}};
}

io::JsonValue trace_json(Trace trace) {
  if (trace == Trace::none) return nullptr;
  return trace == Trace::turned_back ? "reference turned back" : "port not rotated";
}

io::JsonValue case_json(const DiagnosedCase& one, const DiagnoseStudy& study) {
  const Diagnosis& d = one.diagnosis;
  const auto explanation = [&](const Explanation& e) { return explanation_json(one, e, study); };
  const auto pairing = [](const Arrangement& a) {
    return io::JsonValue{
        {"layout", name(a)}, {"rotary_offset", a.offset}, {"rotary_dim", a.rotary_dim}};
  };
  return {
      {"explanations", io::json_list(d.explanations, explanation)},
      {"tokens", d.tokens},
      {"tokens_may_be_heads", one.axis_open},
      {"tokens_left_out", one.left_out},
      {"tokens_of_a_row", one.row_tokens > 0 ? std::optional(one.row_tokens) : std::nullopt},
      {"token_axis", d.token_axis},
      {"heads_in_last_axis", one.split_heads > 0 ? std::optional(one.split_heads) : std::nullopt},
      {"trace", trace_json(one.trace)},
      {"storage", limits(d.storage).name},
      {"table_columns", one.columns ? std::optional(name(*one.columns)) : std::nullopt},
      {"tables_exchanged", one.columns ? std::optional(one.exchanged) : std::nullopt},
      {"unchanged", d.unchanged},
      {"x_zero", d.x_zero},
      {"y_zero", d.y_zero},
      {"undetermined", d.undetermined},
      {"pairings", io::json_list(d.pairings, pairing)},
      {"exceptions", d.of_all_numbers() ? io::JsonValue(nullptr) : exceptions_json(one)},
      {"nearest", nearest_json(one)},
      {"best_fit", best_fit_json(one, study.assumed)}};
}

/// "fits", "closest" where noise lies over what was stated, or "differs"; null where nothing was
/// stated.
std::optional<std::string> stated_json(const DiagnosedCase& one, const DiagnoseStudy& study) {
  const std::optional<bool> fits = stated_fits(one, study.assumed);
  if (!fits) return std::nullopt;
  const std::optional<BestFit>& fit = one.diagnosis.best_fit;
  const bool closest = one.diagnosis.explanations.empty() && fit && fit->noise &&
                       best_fit_differences(one, study.assumed).empty();
  return *fits ? "fits" : closest ? "closest" : "differs";
}

/// What is drawn: the first regime of the best explanation, or of the near miss.
const Explanation& shown(const DiagnosedCase& one) {
  if (!one.diagnosis.explanations.empty() && !one.frequencies)
    return one.diagnosis.explanations.front();
  if (one.diagnosis.near_miss) return *one.diagnosis.near_miss;
  throw Error(ErrorKind::invalid_input,
              "-o: expected an explanation with errors to show, found none",
              "Leave -o out, or write .json.");
}

/// The errors of at most so many tokens of each regime of the first case.
ErrorMap errors_of(const DiagnoseStudy& study, std::size_t most) {
  const DiagnosedCase& one = study.cases.front();
  const Explanation& explanation = shown(one);
  if (one.tensors.tokens == 0)
    throw Error(ErrorKind::invalid_input, "-o: expected tensors with errors to show, found tables",
                "Write .json instead.");
  return error_map(one.tensors, explanation, study.hypotheses, most);
}

}  // namespace

std::string diagnose_json(const DiagnoseStudy& study) {
  const DiagnosedCase& first = study.cases.front();
  io::JsonValue document = {{"schema", "rope.diagnose/2"},
                            {"verdict", name(study.verdict())},
                            {"stated", stated_json(first, study)}};
  document.add(case_json(first, study));
  if (study.assumed) document.add("assumed", rotary_json(study.assumed->embedding));
  if (study.cases.size() == 1) return document.document();
  document.add("tensors", io::json_list(study.cases, [&](const DiagnosedCase& one) {
                 io::JsonValue json = {{"title", one.title},
                                       {"verdict", name(one.diagnosis.verdict)},
                                       {"stated", stated_json(one, study)}};
                 json.add(case_json(one, study));
                 if (&one != &first && !first.diagnosis.explanations.empty() &&
                     !one.diagnosis.explanations.empty())
                   json.add("disagreements", disagreements(first, one));
                 return json;
               }));
  return document.document();
}

std::string diagnose_csv(const DiagnoseStudy& study) {
  const std::size_t pairs =
      std::max<std::size_t>(1, shown(study.cases.front()).arrangement.pairs());
  const ErrorMap map = errors_of(study, std::max<std::size_t>(2, kMostCells / pairs));
  std::vector<std::int64_t> tokens, positions, pair;
  for (std::size_t i = 0; i < map.tokens.size(); ++i)
    for (std::size_t k = 0; k < map.pairs; ++k) {
      tokens.push_back(static_cast<std::int64_t>(study.cases.front().file_token(map.tokens[i])));
      positions.push_back(map.positions[i]);
      pair.push_back(static_cast<std::int64_t>(k));
    }
  return io::to_csv({{"token", std::move(tokens)},
                     {"position", std::move(positions)},
                     {"pair", std::move(pair)},
                     {"error", map.errors}});
}

plot::Figure diagnose_figure(const DiagnoseStudy& study) {
  const ErrorMap map = errors_of(study, kMostErrorRows);
  const DiagnosedCase& one = study.cases.front();
  const Explanation& e = shown(one);
  return diagnosis_figure(map, one.tensors.tokens,
                          fmt::format("{}: layout {}, {}", name(one.diagnosis.verdict),
                                      layout_text(one, e), frequencies_text(e.spectrum())));
}

}  // namespace rope::app
