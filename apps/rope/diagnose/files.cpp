// The files of `rope diagnose`: json, csv and the picture of the errors.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "diagnose/report.hpp"
#include "rope/diagnose/verdict/judge.hpp"
#include "rope/error.hpp"
#include "rope/io/csv.hpp"
#include "rope/scaling/scaling.hpp"
#include "shown/rotary_json.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostErrorRows = 512;               // tokens of a picture
constexpr std::size_t kMostCells = std::size_t{1} << 22;  // lines of a csv file
constexpr double kLeast = 1e-18;

void add_frequencies(io::Json& object, const Spectrum& spectrum) {
  const bool any_base = spectrum.embedding.pairs() == 1;
  object["base"] = spectrum.recognised && !any_base ? or_null(spectrum.embedding.base) : nullptr;
  const bool range = spectrum.recognised && spectrum.embedding.base && !any_base &&
                     std::isfinite(spectrum.base_high);
  object["base_low"] = range ? io::Json(spectrum.base_low) : nullptr;
  object["base_high"] = range ? io::Json(spectrum.base_high) : nullptr;
  const auto interval = [](double low, double high) {
    return high > 0 ? io::Json{low, high} : io::Json();
  };
  const bool linear = spectrum.recognised && spectrum.embedding.scaling.rule == "linear";
  object["linear_factor_interval"] =
      linear ? interval(spectrum.divisor_low, spectrum.divisor_high) : nullptr;
  object["attention_factor_interval"] = interval(spectrum.factor_low, spectrum.factor_high);
  object["scaling"] = spectrum.recognised ? scaling_json(spectrum.embedding.scaling) : nullptr;
  object["recognised"] = spectrum.recognised;
  object["theta"] = io::Json::array();
  for (std::size_t k = 0; k < spectrum.embedding.pairs(); ++k)
    object["theta"].push_back(spectrum.known(k) ? io::Json(spectrum.embedding.frequencies.theta[k])
                                                : nullptr);
  if (!spectrum.theta_error.empty()) object["theta_error"] = spectrum.theta_error;
  object["also"] = spectrum.also;
}

io::Json runs_json(const DiagnosedCase& one, const Explanation& e) {
  io::Json runs = io::Json::array();
  for (const PositionRun& run : e.runs)
    runs.push_back({{"first_token", one.file_token(run.first_token)},
                    {"last_token", one.file_token(run.last_token)},
                    {"position", run.position},
                    {"step", run.step},
                    {"frequencies", run.regime}});
  return runs;
}

io::Json advice_json(const std::vector<Advice>& all) {
  io::Json list = io::Json::array();
  for (const Advice& advice : all)
    list.push_back({{"finding", advice.finding}, {"remedy", advice.remedy}});
  return list;
}

io::Json explanation_json(const DiagnosedCase& one, const Explanation& e,
                          const DiagnoseStudy& study) {
  const Spectrum& spectrum = e.spectrum();
  io::Json object;
  const bool vectors = !one.columns && !one.frequencies;
  object["layout"] = vectors ? io::Json(name(e.arrangement)) : nullptr;
  object["direction"] = spectrum.clockwise ? "clockwise" : "counter-clockwise";
  add_frequencies(object, spectrum);
  object["position_offset"] = or_null(e.position_offset);
  if (!e.runs.empty()) object["runs"] = runs_json(one, e);
  if (e.regimes.size() > 1) {
    object["other_frequencies"] = io::Json::array();
    for (std::size_t i = 1; i < e.regimes.size(); ++i) {
      io::Json other;
      add_frequencies(other, e.regimes[i].spectrum);
      object["other_frequencies"].push_back(std::move(other));
    }
  }
  object["rotary_dim"] = e.arrangement.rotary_dim;
  object["rotary_offset"] = e.arrangement.offset;
  object["slowest_first"] = spectrum.reversed;
  object["attention_factor"] = spectrum.embedding.attention_factor;
  object["policy"] = one.frequencies ? io::Json() : io::Json(e.policy.name);
  object["max_error"] = e.judgement.max_error;
  object["error"] = e.judgement.error;
  object["bound"] = e.judgement.bound;
  object["numbers"] = e.judgement.elements;
  object["assumed"] = e.assumed;
  object["open"] = e.open;
  object["remarks"] = advice_json(case_remarks(one, e));
  if (study.assumed) object["differences"] = advice_json(case_differences(one, e, *study.assumed));
  return object;
}

/// What comes nearest where nothing is explained.
io::Json nearest_json(const DiagnosedCase& one) {
  const Diagnosis& d = one.diagnosis;
  if (d.verdict != DiagnosisVerdict::none) return nullptr;
  if (!d.near_miss) {
    if (d.nearest.rotary_dim == 0) return nullptr;
    return {{"layout", name(d.nearest)}, {"misfit_pairs", d.nearest_misfits}};
  }
  const Judgement& j = d.near_miss->judgement;
  std::vector<std::size_t> tokens;
  for (const std::size_t token : d.broken_tokens) tokens.push_back(one.file_token(token));
  io::Json odd = io::Json::array();
  for (const OddPair& pair : d.odd_pairs)
    odd.push_back({{"pair", pair.pair}, {"turn", std::string(name(pair.turn))}});
  return {{"layout", name(d.near_miss->arrangement)},
          {"frequencies", frequencies_text(d.near_miss->spectrum())},
          {"violations", j.violations},
          {"numbers", j.elements},
          {"broken_tokens", tokens},
          {"misfit_pairs", d.nearest_misfits},
          {"odd_pairs", odd},
          {"token", one.file_token(j.token)},
          {"pair", or_null(pair_of(d.near_miss->arrangement, j.dimension))},
          {"dimension", j.dimension},
          {"error", j.error},
          {"bound", j.bound}};
}

void add_case(io::Json& object, const DiagnosedCase& one, const DiagnoseStudy& study) {
  const Diagnosis& d = one.diagnosis;
  object["explanations"] = io::Json::array();
  for (const Explanation& e : d.explanations)
    object["explanations"].push_back(explanation_json(one, e, study));
  object["tokens"] = d.tokens;
  object["tokens_left_out"] = one.dropped;
  object["token_axis"] = d.token_axis;
  object["storage"] = std::string(limits(d.storage).name);
  object["table_columns"] = one.columns ? io::Json(std::string(name(*one.columns))) : nullptr;
  object["tables_exchanged"] = one.columns ? io::Json(one.exchanged) : nullptr;
  object["unchanged"] = d.unchanged;
  object["x_zero"] = d.x_zero;
  object["y_zero"] = d.y_zero;
  object["undetermined"] = d.undetermined;
  object["pairings"] = io::Json::array();
  for (const Arrangement& a : d.pairings)
    object["pairings"].push_back(
        {{"layout", name(a)}, {"rotary_offset", a.offset}, {"rotary_dim", a.rotary_dim}});
  object["nearest"] = nearest_json(one);
}

/// What is drawn: the first regime of the best explanation, or of the near miss.
const Explanation& shown(const DiagnosedCase& one) {
  if (!one.diagnosis.explanations.empty() && !one.frequencies)
    return one.diagnosis.explanations.front();
  if (one.diagnosis.near_miss) return *one.diagnosis.near_miss;
  throw Error(ErrorKind::invalid_input, "-o: expected an explanation to show errors of, found none",
              "Leave -o out, or write .json.");
}

/// The errors of some tokens of the first case.
struct ErrorMap {
  std::vector<std::size_t> tokens;
  std::vector<std::int64_t> positions;
  std::size_t pairs = 0;
  std::vector<double> errors;  // tokens × pairs
};

ErrorMap error_map(const DiagnoseStudy& study, std::size_t most) {
  const DiagnosedCase& one = study.cases.front();
  const Explanation& e = shown(one);
  if (one.tensors.tokens == 0)
    throw Error(ErrorKind::invalid_input, "-o: expected tensors to show errors of, found tables",
                "Write .json instead.");
  ErrorMap map;
  map.pairs = e.arrangement.pairs();
  const Judge judge(one.tensors, e.arrangement, study.hypotheses);
  for (const Regime& regime : e.regimes) {
    Regime some = regime;
    const std::size_t n = regime.tokens.size();
    if (n > most) {
      some.tokens.clear();
      some.positions.clear();
      for (std::size_t i = 0; i < most; ++i) {
        some.tokens.push_back(regime.tokens[i * (n - 1) / (most - 1)]);
        some.positions.push_back(regime.positions[i * (n - 1) / (most - 1)]);
      }
    }
    const std::vector<double> errors = judge.error_map(some);
    map.errors.insert(map.errors.end(), errors.begin(), errors.end());
    map.tokens.insert(map.tokens.end(), some.tokens.begin(), some.tokens.end());
    map.positions.insert(map.positions.end(), some.positions.begin(), some.positions.end());
  }
  return map;
}

}  // namespace

std::string diagnose_json(const DiagnoseStudy& study) {
  io::Json document;
  document["schema"] = "rope.diagnose/1";
  document["verdict"] = std::string(name(study.verdict()));
  add_case(document, study.cases.front(), study);
  if (study.assumed) document["assumed"] = rotary_json(study.assumed->embedding);
  if (study.cases.size() > 1) {
    document["tensors"] = io::Json::array();
    for (const DiagnosedCase& one : study.cases) {
      io::Json object;
      object["title"] = one.title;
      object["verdict"] = std::string(name(one.diagnosis.verdict));
      add_case(object, one, study);
      const auto& first = study.cases.front().diagnosis.explanations;
      if (&one != &study.cases.front() && !first.empty() && !one.diagnosis.explanations.empty())
        object["disagreements"] = disagreements(study.cases.front(), one);
      document["tensors"].push_back(std::move(object));
    }
  }
  return io::to_json_text(document);
}

std::string diagnose_csv(const DiagnoseStudy& study) {
  const std::size_t pairs =
      std::max<std::size_t>(1, shown(study.cases.front()).arrangement.pairs());
  const ErrorMap map = error_map(study, std::max<std::size_t>(2, kMostCells / pairs));
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
  const ErrorMap map = error_map(study, kMostErrorRows);
  const DiagnosedCase& one = study.cases.front();
  const Explanation& e = shown(one);
  plot::Figure figure;
  figure.title = plot::Text::plain("How far y is from re-rotated x");
  figure.subtitle =
      plot::Text::plain(fmt::format("{}: layout {}, {}", name(one.diagnosis.verdict),
                                    layout_text(one, e), frequencies_text(e.spectrum())));
  plot::Panel panel;
  panel.x.label = plot::Text::plain(
      map.tokens.size() < one.tensors.tokens ? "token (some of them, evenly)" : "token");
  panel.y.label = plot::Text::plain("pair k");
  plot::HeatMap heat;
  heat.rows = map.pairs;
  heat.columns = map.tokens.size();
  heat.colours = plot::ColourMap::sequential;
  heat.square_cells = false;
  heat.bar_label = plot::Text::plain("log₁₀ of the largest error");
  std::vector<std::size_t> order(map.tokens.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return map.tokens[a] < map.tokens[b]; });
  // No error at all is shown as the smallest there is.
  double least = HUGE_VAL;
  for (const double error : map.errors)
    if (error > 0) least = std::min(least, error);
  if (!std::isfinite(least)) least = kLeast;
  for (std::size_t k = 0; k < map.pairs; ++k)
    for (const std::size_t i : order)
      heat.values.push_back(std::log10(std::max(map.errors[i * map.pairs + k], least)));
  panel.heat_map = std::move(heat);
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace rope::app
