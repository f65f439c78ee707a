// `rope attention`: softmax attention of a small example, and what positions do to it.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "attention/report.hpp"
#include "attention/wording.hpp"
#include "named/encoding_option.hpp"
#include "named/positions.hpp"
#include "named/rotary_options.hpp"
#include "rope/documents/attention.hpp"
#include "rope/io/quote.hpp"
#include "rope/pictures/attention.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

enum class AttentionView { weights, shuffle, repeat, values, entropy };

constexpr std::array<Choice<AttentionView>, 5> kAttentionViews = {
    {{"weights", AttentionView::weights},
     {"shuffle", AttentionView::shuffle},
     {"repeat", AttentionView::repeat},
     {"values", AttentionView::values},
     {"entropy", AttentionView::entropy}}};
constexpr std::array<Choice<ScoreScale>, 3> kScales = {{{"both", ScoreScale::both},
                                                        {"scaled", ScoreScale::scaled},
                                                        {"unscaled", ScoreScale::unscaled}}};

constexpr std::string_view kSentence = "dog bites man";
constexpr std::string_view kExample = "For example --text \"dog bites man\".";
constexpr std::int64_t kRepeatedTokens = 10;
constexpr std::int64_t kRepeatedLayers = 6;
constexpr std::int64_t kShift = 100;
constexpr std::int64_t kMostShifts = 100;  // that are looked at on the way to the last one
constexpr std::int64_t kMaxShift = std::int64_t{1} << 52;
constexpr std::int64_t kQueries = 300;
constexpr std::int64_t kMaxQueries = 10000;
constexpr std::size_t kMostLengths = 64;
constexpr std::int64_t kShortestLength = 16;
constexpr std::int64_t kLongestLength = 4096;

/// The words of a text: what stands between blanks, tabs and line ends.
Words read_words(std::string_view option, const std::string& text) {
  constexpr std::string_view kBlanks = " \t\n\r";
  Words words;
  bool within = false;
  for (std::string_view rest = text; !rest.empty();) {
    const io::FrontCharacter front = io::front_character(rest);
    const bool blank = kBlanks.find(rest.front()) != std::string_view::npos;
    if (!blank && !front.printable)
      refuse(option, "words in UTF-8 without control characters", io::in_quotes(text),
             std::string(kExample));
    if (!blank) {
      if (!within) words.emplace_back();
      words.back() += rest.substr(0, front.bytes);
    }
    within = !blank;
    rest.remove_prefix(front.bytes);
  }
  if (words.empty())
    refuse(option, "at least one word", io::in_quotes(text), std::string(kExample));
  if (words.size() > kMostAttentionWords)
    refuse(option, fmt::format("at most {} words", kMostAttentionWords),
           std::to_string(words.size()), "Use part of the text; it shows the same effect.");
  return words;
}

/// 16, 32 … 4096.
std::vector<std::int64_t> doubled_lengths() {
  std::vector<std::int64_t> lengths;
  for (std::int64_t n = kShortestLength; n <= kLongestLength; n *= 2) lengths.push_back(n);
  return lengths;
}

/// 0 and the last shift, with what fits between, evenly spaced.
std::vector<std::int64_t> shifts_up_to(std::int64_t last) {
  const std::int64_t steps = std::min(last, kMostShifts);
  std::vector<std::int64_t> shifts;
  // Whole steps and what is left over apart: the product of a shift and a count may not fit.
  for (std::int64_t i = 0; i <= steps; ++i)
    shifts.push_back(last / steps * i + last % steps * i / steps);
  return shifts;
}

/// `first` and the integers after it, `count` in all.
std::vector<std::int64_t> positions_from(std::int64_t first, std::size_t count) {
  std::vector<std::int64_t> positions(count);
  std::iota(positions.begin(), positions.end(), first);
  return positions;
}

/// The order of words read backwards: the reversal itself, of equal words the last first.
std::vector<std::size_t> backwards(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  return order;
}

struct Attend final : Invocation {
  static constexpr std::size_t kMaxEncodings = 6;
  static constexpr std::int64_t kMaxLayers = 64;
  static constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                          Format::svg, Format::pdf,  Format::gp};
  static constexpr std::array<std::string_view, 5> kExamples = {
      "rope attention --text \"the dog bites the man\" -o weights.png",
      "rope attention --view shuffle --text \"dog bites man\" --encoding rope,alibi",
      "rope attention --view repeat --layers 6", "rope attention --view values --shift 100",
      "rope attention --view entropy --lengths 200,2000"};
  static constexpr auto kTerms = std::to_array<std::string_view>(
      {"softmax", "attention weight", "causal mask", "permutation equivariant", "entropy",
       "hidden state", "score", "NoPE", "sinusoidal", "RoPE"});

  AttentionView view = AttentionView::weights;
  std::optional<Words> words;
  std::optional<Words> shuffled;
  std::vector<EncodingSpec> specs;
  std::optional<Mask> mask;
  std::optional<std::size_t> layers;
  std::optional<std::size_t> tokens;
  std::optional<std::int64_t> shift;
  std::optional<PositionList> lengths;
  std::optional<std::size_t> queries;
  std::optional<ScoreScale> scale;
  EncodingContext context;
  RotaryOptions rotary;
  OutputOptions output{kFormats};

  void declare(OptionSet& options) override {
    options.group("What to look at");
    options.choice("--view VIEW",
                   "respectively, the weights within a text; the effect of reordering its words; "
                   "identical tokens passed through layers; a shift of all positions, with V "
                   "rotated or not; the spread of attention as the number of keys grows",
                   view, kAttentionViews);
    options.bound("--text TEXT",
                  "words separated by spaces; identical words have identical vectors", words,
                  read_words, "dog bites man; dog for repeat");
    options.bound("--shuffled TEXT", "with shuffle: the same words in another order", shuffled,
                  read_words, "the text read backwards");
    options.choice("--mask MASK", "with causal, queries see no later keys", mask, kMasks, "none");
    options.integer("--layers N", "with weights and repeat: number of untrained layers", layers,
                    {1, kMaxLayers}, "1; 6 for repeat");
    options.integer("--tokens N", "with repeat: number of identical tokens", tokens,
                    {2, static_cast<std::int64_t>(kMostAttentionWords)},
                    std::to_string(kRepeatedTokens));
    options.integer("--shift N", "with values: shift of all positions, in tokens", shift,
                    {.low = 1, .high = kMaxShift, .tokens = true}, std::to_string(kShift));
    options.bound("--lengths LIST",
                  "with entropy, the numbers of keys to compare: " + std::string(kPositionsHelp),
                  lengths, read_positions, "16, 32, ..., 4096");
    options.integer("--queries N", "with entropy: number of random queries to average over",
                    queries, {1, kMaxQueries}, std::to_string(kQueries));
    options.choice("--scores SCALE", "with entropy, whether scores are divided by sqrt(d)", scale,
                   kScales, "both");
    options
        .integer("--seed N", "random seed for the words, the layers and untrained weights",
                 context.seed, {0})
        .as_seed();
    options.group("Encodings");
    declare_encodings(options, specs, "rope; with repeat also sinusoidal");
    rotary.declare(options);
    output.declare(options);
    output.declare_details(options);
    options.often_used({"--view", "--text", "--encoding", "--mask"});
  }

  ExitCode run(Console& console) override {
    refuse_strangers();
    EncodingContext model = context;
    model.rotary = rotary_variant(rotary, console).embedding;
    if (model.rotary.base) model.base = *model.rotary.base;
    const std::vector<EncodingSpec> encodings = chosen_encodings(model);
    const OutputPlan plan = plan_output(output);
    const auto answer = [&](const auto& study) {
      warn_of_idle_ones(encodings, model, console);
      say(study, values_of(encodings, model), plan, console);
    };
    switch (view) {
      case AttentionView::shuffle:
        answer(shuffled_study(model, encodings));
        break;
      case AttentionView::repeat:
        answer(repeated_token(repeated_example(model), encodings));
        break;
      case AttentionView::values:
        answer(shifted_values(example(model), encodings, shifts_up_to(shift.value_or(kShift))));
        break;
      case AttentionView::entropy:
        answer(entropy_study(model, encodings, console));
        break;
      default:
        answer(attention_weights_of(example(model), encodings.front()));
    }
    return ExitCode::done;
  }

 private:
  std::string_view view_word() const {
    return std::ranges::find(kAttentionViews, view, &Choice<AttentionView>::value)->word;
  }

  /// Refuses options that the view would ignore.
  void refuse_strangers() const {
    const auto only = [&](std::string_view option, bool given,
                          std::initializer_list<AttentionView> views) {
      if (!given || std::ranges::find(views, view) != views.end()) return;
      std::vector<std::string_view> others;
      for (const Choice<AttentionView>& choice : kAttentionViews)
        if (std::ranges::find(views, choice.value) != views.end()) others.push_back(choice.word);
      refuse(option, fmt::format("--view {} with it", alternatives(others)),
             fmt::format("--view {}", view_word()),
             "This view does not use the option: remove it.");
    };
    only("--text", words.has_value(),
         {AttentionView::weights, AttentionView::shuffle, AttentionView::repeat,
          AttentionView::values});
    only("--shuffled", shuffled.has_value(), {AttentionView::shuffle});
    only("--mask", mask.has_value(),
         {AttentionView::weights, AttentionView::shuffle, AttentionView::repeat,
          AttentionView::values});
    only("--layers", layers.has_value(), {AttentionView::weights, AttentionView::repeat});
    only("--tokens", tokens.has_value(), {AttentionView::repeat});
    only("--shift", shift.has_value(), {AttentionView::values});
    only("--lengths", lengths.has_value(), {AttentionView::entropy});
    only("--queries", queries.has_value(), {AttentionView::entropy});
    only("--scores", scale.has_value(), {AttentionView::entropy});
  }

  std::vector<EncodingSpec> chosen_encodings(const EncodingContext& model) const {
    if (specs.empty()) {
      std::vector<EncodingSpec> standard = {parse_encoding("rope")};
      if (view == AttentionView::repeat) standard.push_back(parse_encoding("sinusoidal"));
      return standard;
    }
    const std::size_t most = view == AttentionView::weights ? 1 : kMaxEncodings;
    if (specs.size() > most)
      refuse("--encoding",
             most == 1 ? "one encoding in this view" : fmt::format("at most {}", most),
             fmt::format("{}", specs.size()),
             most == 1 ? "rope compare draws the scores of several." : "");
    check_different(specs, model);
    return specs;
  }

  AttentionExample example(const EncodingContext& model) const {
    return {model, words.value_or(read_words("--text", std::string(kSentence))),
            mask.value_or(Mask::none), layers.value_or(1)};
  }

  AttentionExample repeated_example(const EncodingContext& model) const {
    AttentionExample repeated = example(model);
    if (words && words->size() != 1)
      refuse("--text", "one word to repeat", fmt::format("{} words", words->size()),
             "--tokens sets how many times it is repeated.");
    repeated.words =
        std::vector<std::string>(tokens.value_or(kRepeatedTokens), repeated.words.front());
    repeated.layers = layers.value_or(kRepeatedLayers);
    return repeated;
  }

  ShuffledOrder shuffled_study(const EncodingContext& model,
                               const std::vector<EncodingSpec>& encodings) const {
    const AttentionExample read = example(model);
    if (read.words.size() < 2)
      refuse("--text", "at least two words to shuffle", io::in_quotes(read.words.front()),
             std::string(kExample));
    if (!shuffled) return shuffled_order(read, encodings, backwards(read.words.size()));
    const std::vector<std::size_t> order = order_of(read.words, *shuffled);
    if (order.empty())
      refuse("--shuffled", "the words of --text in another order",
             io::in_quotes(fmt::format("{}", fmt::join(*shuffled, " "))),
             "Use each word as often as in --text, with the same spelling.");
    return shuffled_order(read, encodings, order);
  }

  AttentionEntropy entropy_study(const EncodingContext& model,
                                 const std::vector<EncodingSpec>& encodings,
                                 const Console& console) const {
    EntropyRequest request{model, lengths ? lengths->values : doubled_lengths(),
                           queries.value_or(kQueries), scale.value_or(ScoreScale::both)};
    if (request.lengths.size() > kMostLengths)
      refuse("--lengths", fmt::format("at most {} lengths", kMostLengths),
             std::to_string(request.lengths.size()), "For example --lengths 16:4096:log9.");
    const std::size_t curves =
        encodings.size() * (request.scale == ScoreScale::both ? 2 : 1) * request.queries;
    Progress progress(console, curves, "rope attention");
    return attention_entropy(request, encodings,
                             [&](std::size_t count) { progress.advance(count); });
  }

  /// Where the queries and the keys of the view stand, the farthest of them.
  std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>> places() const {
    if (view == AttentionView::entropy) {
      const std::int64_t keys = std::ranges::max(lengths ? lengths->values : doubled_lengths());
      return {{keys - 1}, positions_from(0, static_cast<std::size_t>(keys))};
    }
    const std::size_t read = words ? words->size() : 3;
    const std::size_t count =
        view == AttentionView::repeat ? tokens.value_or(kRepeatedTokens) : read;
    const bool shifts = view == AttentionView::values;
    const std::vector<std::int64_t> at = positions_from(shifts ? shift.value_or(kShift) : 0, count);
    return {at, at};
  }

  void warn_of_idle_ones(const std::vector<EncodingSpec>& encodings, const EncodingContext& model,
                         const Console& console) const {
    const auto [asking, asked] = places();
    for (const EncodingSpec& spec : encodings)
      warn_of_idle(spec, idle_parameters(spec, model, asking, asked), model, console);
  }

  std::string values_of(const std::vector<EncodingSpec>& encodings,
                        const EncodingContext& model) const {
    std::vector<EncodingInUse> used;
    used.reserve(encodings.size());
    for (const EncodingSpec& spec : encodings)
      used.push_back({encoding_title(spec), spec, encoding_values(spec, model)});
    return values_in_use(used, model, output.details);
  }

  template <class Study>
  void say(const Study& study, const std::string& values, const OutputPlan& plan,
           const Console& console) const {
    Products products;
    products.report = [&](const Console& out) {
      print_attention(study, output.details, out);
      if (!values.empty()) out.say(values);
    };
    products.csv = [&] { return attention_csv(study); };
    products.json = [&] { return attention_json(study); };
    products.figure = [&] { return attention_figure(study); };
    write_output(plan, products, console);
  }
};

}  // namespace

extern constinit const Command attention_command = command_of<Attend>(
    "attention", kLearn, "Show what positions do to the attention among a few words.");

}  // namespace rope::app
