// `rope rotate`: vectors as arrows that turn on the circle of each pair.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "named/positions.hpp"
#include "named/rotary_options.hpp"
#include "named/vectors.hpp"
#include "rope/documents/primer.hpp"
#include "rope/documents/turning.hpp"
#include "rope/io/quote.hpp"
#include "rope/parameters/suggest.hpp"
#include "rope/pictures/primer.hpp"
#include "rope/pictures/turning.hpp"
#include "rope/verify/verification.hpp"
#include "rotate/primer_options.hpp"
#include "rotate/primer_report.hpp"
#include "rotate/report.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

enum class RotateView { arrows, clocks };
constexpr std::array<Choice<RotateView>, 2> kRotateViews = {
    {{"arrows", RotateView::arrows}, {"clocks", RotateView::clocks}}};

constexpr std::int64_t kFarthest = std::int64_t{1} << 53;

/// A mistake by its name, or by that of the control of rope verify that plants it.
PortingMistake read_mistake(const std::string& word) {
  const std::span<const PortingMistake> all = porting_mistakes();
  const auto found = std::ranges::find_if(all, [plain = plain_word(word)](const auto& mistake) {
    return mistake.name == plain || (!plain.empty() && mistake.control == plain);
  });
  if (found != all.end()) return *found;
  std::vector<std::string_view> words;
  std::string remedy;
  for (const PortingMistake& mistake : all) {
    words.push_back(mistake.name);
    if (plain_word(word).ends_with("-" + std::string(mistake.name)))  // wrong-sign
      remedy = "Did you mean " + std::string(mistake.name) + "?";
  }
  refuse_choice("--break", words, word, std::move(remedy));
}

/// The first, one in the middle and the last; of clocks as many as one picture holds.
std::vector<std::size_t> some_pairs(std::size_t pairs, RotateView view) {
  const std::size_t most =
      std::min<std::size_t>(view == RotateView::clocks ? kMostPlanes : 3, pairs);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < most; ++i)
    chosen.push_back(most == 1 ? 0 : i * (pairs - 1) / (most - 1));
  return chosen;
}

struct Rotate final : Invocation {
  static constexpr std::array kFormats = {Format::png, Format::gif,  Format::svg, Format::pdf,
                                          Format::csv, Format::json, Format::gp};
  static constexpr std::array<std::string_view, 5> kExamples = {
      "rope rotate --pairs 0,20,63 -o arrows.png", "rope rotate --distance -3 --break sign",
      "rope rotate --view clocks --positions 100 -o clocks.png",
      "rope rotate --distance -3 --positions 0:30 --animate -o turn.png",
      "rope rotate --primer euler -o euler.png"};
  static constexpr auto kTerms = std::to_array<std::string_view>(
      {"pair", "turn", "angle", "θ_i", "λ_i", "rounding", "bfloat16", "complex number", "argument",
       "conjugate", "orthogonal", "relative-position identity"});

  std::optional<NamedVector> query;
  std::optional<NamedVector> key;
  std::uint64_t seed = 42;
  std::optional<std::int64_t> distance;
  std::optional<PositionList> positions;
  std::optional<PositionList> pairs;
  RotateView view = RotateView::arrows;
  std::optional<PortingMistake> mistake;
  PrimerOptions primer;
  RotaryOptions rotary;
  OutputOptions output{kFormats, kReportAndPicture};

  void declare(OptionSet& options) override {
    options.group("Arrows");
    options.bound("--query VECTOR", "q: " + std::string(kVectorHelp), query, read_query,
                  "1,0 in each pair");
    options.bound("--key VECTOR",
                  "k, drawn next to q: given like q, or " + std::string(kVectorOfQueryHelp), key,
                  read_vector, "same with --distance or --break, otherwise none");
    options.integer("--seed N", "random seed for vectors", seed, {0}).as_seed();
    options.integer("--distance N", "distance n - m from q to k, in tokens", distance,
                    {.low = -kFarthest, .high = kFarthest, .tokens = true}, "-3 if k is drawn");
    options.bound("--positions LIST", "positions m in tokens: " + std::string(kPositionsHelp),
                  positions, read_positions, "0:8; 100 for clocks; 0:60 for an animation");
    options.bound("--pairs LIST", "pairs whose planes are drawn, written like --positions", pairs,
                  read_positions,
                  "a fast, a middle and a slow pair; with --break, the pair that is most wrong; "
                  "for clocks, all");
    options.choice("--view VIEW",
                   "one row per pair and one column per position, or all pairs at one position",
                   view, kRotateViews);
    std::vector<std::string> words;
    for (const PortingMistake& each : porting_mistakes()) words.emplace_back(each.name);
    Option& broken =
        options.bound("--break MISTAKE",
                      "overlay a mistake and show its verdict: sign, pairing, base, bfloat16 or "
                      "off-by-one; exit with status 0 even on FAIL, which is expected",
                      mistake, read_mistake);
    broken.words = std::move(words);
    broken.only_words = true;
    primer.declare(options);
    rotary.declare(options);
    constexpr std::string_view kBefore =
        "a primer is about numbers and turns in general, not about pairs of dimensions";
    options.exclude("--primer",
                    {"--query", "--key", "--seed", "--distance", "--positions", "--pairs", "--view",
                     "--break", "--animate", "--pace", "--times"},
                    kBefore);
    options.exclude_group("--primer", "Rotary embedding", kBefore);
    output.declare(options);
    output.declare_animation(options);
    output.declare_details(options);
    options.often_used({"--positions", "--pairs", "--distance", "--view", "--break", "--animate"});
  }

  std::vector<std::int64_t> chosen_positions(const OutputPlan& plan) const {
    if (!positions)
      return read_positions("--positions", plan.writes_animation()      ? "0:60"
                                           : view == RotateView::clocks ? "100"
                                                                        : "0:8")
          .values;
    if (positions->values.empty())
      refuse("--positions", "at least one position", "none", "For example --positions 0:8.");
    for (const std::int64_t position : positions->values)
      if (position < -kFarthest || position > kFarthest)
        refuse("--positions", fmt::format("positions from -2^53 to 2^53"),
               io::in_quotes(std::to_string(position)),
               "Beyond these, a double cannot represent the number of turns.");
    return positions->values;
  }

  std::vector<std::size_t> chosen_pairs(std::size_t count) const {
    if (!pairs) return some_pairs(count, view);
    std::vector<std::size_t> chosen;
    for (const std::int64_t pair : pairs->values) {
      if (pair < 0 || pair >= static_cast<std::int64_t>(count))
        refuse("--pairs", fmt::format("pairs from 0 to {}", count - 1),
               io::in_quotes(std::to_string(pair)),
               fmt::format("{} rotated dimensions form {} pairs.", 2 * count, count));
      chosen.push_back(static_cast<std::size_t>(pair));
    }
    if (chosen.empty()) refuse("--pairs", "at least one pair", "none", "For example --pairs 0,1.");
    return chosen;
  }

  /// Refuses a mistake that is none with so few pairs, or such frequencies.
  void check_mistake(const RotaryEmbedding& embedding) const {
    const std::optional<Control> control = mistake ? find_control(mistake->control) : std::nullopt;
    if (!control || !changes_nothing(*control, embedding)) return;
    const std::string name(mistake->name);
    if (mistake->name == "pairing" && embedding.pairs() == 1)
      refuse("--break", "4 rotated dimensions or more for " + name, "2",
             "2 dimensions are one pair in either layout.");
    if (mistake->name == "base" && embedding.pairs() == 1)
      refuse("--break", "4 rotated dimensions or more for " + name, "2",
             "Pair 0 turns equally fast with every base.");
    refuse("--break", "a mistake that changes something with these frequencies",
           io::in_quotes(name), "Choose another mistake, or other frequencies.");
  }

  /// 1, 0 in each pair.
  static std::vector<double> unit_arrows(const RotaryEmbedding& embedding) {
    std::vector<double> numbers(embedding.head_dim, 0);
    for (std::size_t pair = 0; pair < embedding.pairs(); ++pair)
      numbers[embedding.dimensions(pair).first] = 1;
    return numbers;
  }

  /// The embedding, its head as large as the vectors where nothing else tells.
  RotaryVariant variant_of(const Console& console) const {
    std::vector<NamedVector> given;
    for (const std::optional<NamedVector>& vector : {query, key})
      if (vector) given.push_back(*vector);
    RotaryOptions sized = rotary;
    take_size(given, sized);
    return rotary_variant(sized, console);
  }

  TurningRequest request_of(const RotaryEmbedding& embedding, const OutputPlan& plan) const {
    const VectorSetting setting{rotary, embedding, seed};
    TurningRequest request;
    request.embedding = embedding;
    request.mistake = mistake;
    request.query = query ? query_numbers(*query, setting) : unit_arrows(embedding);
    if (key || distance || mistake) {
      request.key = key ? key_numbers(*key, query.value_or(NamedVector{}), request.query, setting)
                        : request.query;
      request.distance = distance.value_or(-3);
    }
    request.positions = chosen_positions(plan);
    request.pairs = chosen_pairs(embedding.pairs());
    request.seeks_mistake = !pairs;
    return request;
  }

  /// Of one position.
  static ValueBytes bytes_of(const TurningRequest& request) {
    const std::uint64_t pairs = request.pairs.size();
    if (request.mistake) return {32 + 160 * pairs, 800 * pairs, 5600 * pairs};
    if (!request.key.empty()) return {32 + 160 * pairs, 500 * pairs, 3200 * pairs};
    return {32 + 160 * pairs, 340 * pairs, 2600 * pairs};
  }

  /// Refuses more circles than one picture holds, and more frames than an animation.
  void check_size(const TurningRequest& request, const OutputPlan& plan) const {
    const std::size_t positions_in = request.positions.size(), pairs_in = request.pairs.size();
    if (pairs_in > kMostPlanes)
      refuse("--pairs", fmt::format("at most {} circles in one picture", kMostPlanes),
             std::to_string(pairs_in), "Use fewer pairs, for example --pairs 0:63.");
    if (plan.writes_still() && view == RotateView::arrows && pairs_in * positions_in > kMostPlanes)
      refuse("--positions", fmt::format("at most {} circles in one picture", kMostPlanes),
             std::to_string(pairs_in * positions_in),
             "Use fewer pairs or positions, or -o turn.png --animate: one frame per position.");
    if ((plan.writes_animation() || plan.keys) && positions_in > plot::kMostFrames)
      refuse("--positions", fmt::format("at most {} frames", plot::kMostFrames),
             std::to_string(positions_in), "Use a larger step, for example 0:10000:100.");
  }

  ExitCode show_primer(const PrimerRequest& request, const Console& console) const {
    const OutputPlan plan = plan_output(output);
    for (const OutputFile& file : plan.files)
      if (file.format == Format::gif)
        refuse("-o", "a still picture", io::in_quotes(file.path),
               "--primer writes png, svg and pdf pictures.");
    const PrimerStudy study = primer_study(request);
    Products products;
    products.report = [&](const Console& out) { print_primer(study, output.details, out); };
    products.csv = [&] { return primer_csv(study); };
    products.json = [&] { return primer_json(study, primer_answer(study)); };
    products.figure = [&] { return primer_figure(study); };
    write_output(plan, products, console);
    return study.held() ? ExitCode::done : ExitCode::check_failed;
  }

  ExitCode run(Console& console) override {
    if (const std::optional<PrimerRequest> request = primer.request())
      return show_primer(*request, console);
    const RotaryVariant variant = variant_of(console);
    const OutputPlan plan = plan_output(output);
    check_mistake(variant.embedding);
    TurningRequest request = request_of(variant.embedding, plan);
    if (plan.pictures()) check_size(request, plan);
    check_memory(plan, "--positions", request.positions.size(), bytes_of(request));
    const TurningStudy study = turn(std::move(request));
    const bool clocks = view == RotateView::clocks;
    if (clocks && study.positions.size() > 1 && plan.writes_still())
      console.warn(
          fmt::format("a still picture of clocks shows only the last position, m = {}; -o "
                      "clocks.gif shows all {}, one frame per position",
                      study.positions.back(), study.positions.size()));
    Products products;
    products.report = [&](const Console& out) {
      print_turning(study, variant, output.details, out);
    };
    products.csv = [&] { return turning_csv(study); };
    products.json = [&] { return turning_json(study, console.warnings()); };
    products.figure = [&] {
      return clocks ? turning_frame(study, variant, study.positions.size() - 1, true)
                    : turning_figure(study, variant);
    };
    if (!clocks && study.positions.size() > 1)
      products.terminal_figure = [&] { return turning_lines(study, variant); };
    products.animation = [&] { return turning_animation(study, variant, clocks); };
    write_output(plan, products, console);
    return ExitCode::done;
  }
};

}  // namespace

extern constinit const Command rotate_command =
    command_of<Rotate>("rotate", kLearn, "Show q and k as arrows that turn, one circle per pair.");

}  // namespace rope::app
