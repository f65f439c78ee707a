// `rope score`: the score of one query and one key: both sides of the identity, the sum over the
// pairs, the curve by distance, and the grid over positions.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "named/encoding_option.hpp"
#include "named/positions.hpp"
#include "named/rotary_options.hpp"
#include "named/vectors.hpp"
#include "rope/pictures/turning.hpp"
#include "score/curves.hpp"
#include "score/grid.hpp"
#include "score/sides.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

enum class ScoreView { sides, pairs, curve, grid };
constexpr std::array<Choice<ScoreView>, 4> kScoreViews = {{{"sides", ScoreView::sides},
                                                           {"pairs", ScoreView::pairs},
                                                           {"curve", ScoreView::curve},
                                                           {"grid", ScoreView::grid}}};

constexpr std::string_view kUsualPositions = "5,2";
constexpr std::string_view kUsualGrid = "0:31";
constexpr std::string_view kUsualDistances = "-256:256";
constexpr std::array<std::string_view, 2> kUsualEncodings = {"rope", "sinusoidal"};
constexpr std::size_t kMostGridPositions = 256;
constexpr std::int64_t kMostLearned = std::int64_t{1} << 22;  // of learned positions

struct Score final : Invocation {
  static constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                          Format::svg, Format::pdf,  Format::gp};
  static constexpr std::array<std::string_view, 4> kExamples = {
      "rope score --frequencies 0.5 --query 1,2 --key 3,-1 --positions 5,2",
      "rope score --view curve --query ones --key same --key turned:50 -o peak.png",
      "rope score --view pairs --model llama-3.1-8b --positions 1000,0 -o pairs.svg",
      "rope score --view grid --encoding rope --encoding sinusoidal -o grid.png"};
  static constexpr auto kTerms = std::to_array<std::string_view>(
      {"score", "relative-position identity", "Δ", "bound", "pair", "relative", "four terms",
       "attention factor", "sinusoidal", "RoPE"});

  ScoreView view = ScoreView::sides;
  NamedVector query{.option = "--query"};
  std::vector<NamedVector> keys;
  std::uint64_t seed = 42;
  std::optional<PositionList> positions;
  std::optional<PositionList> distances;
  std::vector<EncodingSpec> encodings;
  RotaryOptions rotary;
  OutputOptions output{kFormats, kReportAndPicture};

  void declare(OptionSet& options) override {
    options.group("Query and key");
    options.bound("--query VECTOR", "q: " + std::string(kVectorHelp), query, read_query, "random");
    options.bound("--key VECTOR",
                  "k, given like q, or " + std::string(kVectorOfQueryHelp) +
                      "; with --view curve, several keys are overlaid",
                  keys, read_vector, "random");
    options.integer("--seed N", "random seed for vectors and untrained weights", seed, {0})
        .as_seed();
    options.group("What is shown");
    options.choice("--view VIEW",
                   "both sides of the identity; the contribution of each pair of dimensions; "
                   "scores by distance; or scores over positions m and n",
                   view, kScoreViews);
    options.bound("--positions LIST",
                  "positions m,n of q and k; with --view grid, positions on both axes: " +
                      std::string(kPositionsHelp),
                  positions, read_positions,
                  fmt::format("{}; with grid {}", kUsualPositions, kUsualGrid));
    options.bound("--distances LIST",
                  "with --view curve, distances n - m in tokens, written like --positions",
                  distances, read_positions, kUsualDistances);
    declare_encodings(options, encodings, "rope and sinusoidal");
    rotary.declare(options);
    output.declare(options);
    output.declare_tidy(options);
    output.declare_details(options);
    options.often_used({"--query", "--key", "--view", "--positions", "--distances", "--encoding"});
    options.take_files({"--query", "--key"});
  }

  ExitCode run(Console& console) override {
    if (keys.empty()) keys.push_back({.option = "--key"});
    check_view();
    const OutputPlan plan = plan_output(output);
    const ScoreSetting setting = this->setting(console);
    switch (view) {
      case ScoreView::curve:
        return run_curve(setting, plan, console);
      case ScoreView::grid:
        return run_grid(setting, plan, console);
      default:
        return run_score(setting, plan, console);
    }
  }

 private:
  /// Options that mean nothing in the view.
  void check_view() const {
    const std::string shown =
        "--view " + std::string(kScoreViews[static_cast<std::size_t>(view)].word);
    if (view != ScoreView::curve && distances)
      refuse("--distances", "--view curve with it", shown,
             "Give the positions of q and k with --positions.");
    if (view == ScoreView::curve && positions)
      refuse("--positions", "a view other than curve", shown,
             "The score depends on n − m alone: give the distances of the curve with --distances.");
    if (view != ScoreView::curve && output.tidy)
      refuse("--tidy", "--view curve with it", shown, "The other views have no curves.");
    if (view != ScoreView::grid && !encodings.empty())
      refuse("--encoding", "--view grid with it", shown, "The other views show RoPE.");
    if (view != ScoreView::curve && keys.size() > 1)
      refuse("--key", "one key, or --view curve with several",
             fmt::format("{} of them", keys.size()));
  }

  ScoreSetting setting(const Console& console) const {
    RotaryOptions sized = rotary;
    std::vector<NamedVector> vectors = {query};
    vectors.insert(vectors.end(), keys.begin(), keys.end());
    take_size(vectors, sized);
    ScoreSetting setting{rotary_variant(sized, console), query, keys, seed, {}, {}};
    const VectorSetting made_for{sized, setting.variant.embedding, seed};
    setting.q = query_numbers(query, made_for);
    for (const NamedVector& key : keys)
      setting.k.push_back(key_numbers(key, query, setting.q, made_for));
    return setting;
  }

  ScoreVectors vectors(const ScoreSetting& setting, std::size_t key = 0) const {
    ScoreVectors vectors = setting.vectors(key);
    vectors.level = general.cpu_level;
    return vectors;
  }

  ExitCode run_score(const ScoreSetting& setting, const OutputPlan& plan,
                     const Console& console) const {
    const auto [m, n] = two_positions(
        "--positions", positions ? positions : read_positions("--positions", kUsualPositions));
    const ScoreVectors scored = vectors(setting);
    ScoreAnswer answer{score_sides(scored, m, n), {}};  // refuses positions that are too far
    answer.terms = score_terms(scored, n - m);
    Products products;
    products.report = [&](const Console& out) {
      view == ScoreView::sides ? print_sides(setting, answer, output.details, out)
                               : print_terms(setting, answer, output.details, out);
    };
    products.csv = [&] { return terms_csv(answer.terms); };
    products.json = [&] { return score_json(setting, answer); };
    products.figure = [&] { return figure_of(setting, answer); };
    write_output(plan, products, console);
    return answer.sides.agree() ? ExitCode::done : ExitCode::check_failed;
  }

  /// Both sides as bars, or the pairs; one pair alone as its two arrows.
  plot::Figure figure_of(const ScoreSetting& setting, const ScoreAnswer& answer) const {
    const std::string subtitle = describe_drawn(setting);
    if (view == ScoreView::sides)
      return score_sides_figure(vectors(setting), answer.sides, subtitle);
    if (answer.terms.pairs.size() > 1) return score_terms_figure(answer.terms, subtitle);
    TurningRequest request;
    request.embedding = setting.variant.embedding;
    request.query = setting.q;
    request.key = setting.k.front();
    request.distance = answer.terms.distance;
    request.positions = {answer.sides.m};
    request.pairs = {0};
    plot::Figure figure = turning_figure(turn(std::move(request)), setting.variant);
    figure.subtitle = plot::Text::plain(subtitle);
    figure.height = 1000;
    return figure;
  }

  ExitCode run_curve(const ScoreSetting& setting, const OutputPlan& plan,
                     const Console& console) const {
    ScoreCurves curves;
    curves.distances =
        (distances ? *distances : read_positions("--distances", kUsualDistances)).values;
    const std::uint64_t drawn = keys.size();
    check_memory(plan, "--distances", curves.distances.size(),
                 {32 + 40 * drawn, 64 + 260 * drawn, 64 + 220 * drawn});
    {
      Progress progress(console, curves.distances.size() * keys.size(), "rope score");
      for (std::size_t i = 0; i < keys.size(); ++i)
        curves.curves.push_back({text_of(keys[i], "k", seed),
                                 score_curve(vectors(setting, i), curves.distances,
                                             [&](std::size_t count) { progress.advance(count); }),
                                 drawn_name(keys[i], "k", seed)});
    }
    Products products;
    products.report = [&](const Console& out) {
      print_curves(setting, curves, output.details, out);
    };
    products.csv = [&] { return curves_csv(curves, output.csv_form()); };
    products.json = [&] { return curves_json(setting, curves); };
    products.figure = [&] {
      return score_curves_figure(curves.curves, curves.distances, describe_drawn(setting));
    };
    write_output(plan, products, console);
    return ExitCode::done;
  }

  ScoreGridRequest grid_request(const ScoreSetting& setting) const {
    ScoreGridRequest request;
    request.encodings = encodings;
    if (encodings.empty())
      for (const std::string_view name : kUsualEncodings)
        request.encodings.push_back(parse_encoding(name));
    request.q = setting.q;
    request.k = setting.k.front();
    request.positions = (positions ? *positions : read_positions("--positions", kUsualGrid)).values;
    if (request.positions.size() > kMostGridPositions)
      refuse("--positions", fmt::format("at most {} positions for a grid", kMostGridPositions),
             std::to_string(request.positions.size()), "Use a STEP: 0:1000:8.");
    EncodingContext& context = request.context;
    context.rotary = setting.variant.embedding;
    context.base = setting.variant.embedding.base.value_or(context.base);
    context.seed = seed;
    // T is what it is elsewhere, wherever the positions stand: they may lie beyond training. Only
    // learned positions need a row each.
    const std::int64_t last = std::ranges::max(request.positions);
    context.learned_rows =
        std::clamp(last < kMostLearned ? last + 1 : last, context.trained, kMostLearned);
    check_different(request.encodings, context);
    return request;
  }

  ExitCode run_grid(const ScoreSetting& setting, const OutputPlan& plan,
                    const Console& console) const {
    const ScoreGridRequest request = grid_request(setting);
    check_vectors(vectors(setting));
    ScoreGrid grid{request.positions, request.context, {}};
    {
      Progress progress(console, request.encodings.size(), "rope score");
      grid.encodings = score_grid(request, [&] { progress.advance(1); });
    }
    for (const GridEncoding& encoding : grid.encodings)
      warn_of_idle(encoding.spec, encoding.idle, request.context, console);
    Products products;
    products.report = [&](const Console& out) { print_grid(setting, grid, output.details, out); };
    products.csv = [&] { return grid_csv(grid); };
    products.json = [&] { return grid_json(setting, grid); };
    products.figure = [&] {
      return score_grid_figure(grid.encodings, grid.positions, describe_drawn(setting));
    };
    write_output(plan, products, console);
    return ExitCode::done;
  }
};

}  // namespace

extern constinit const Command score_command =
    command_of<Score>("score", kLearn, "Score a query and a key, by pair, distance or position.");

}  // namespace rope::app
