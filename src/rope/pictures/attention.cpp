#include "rope/pictures/attention.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "rope/attention/spread.hpp"
#include "rope/plot/utf8.hpp"

namespace rope {
namespace {

constexpr std::size_t kMostNamedRows = 24;  // above, words would cover each other
constexpr std::size_t kLongestName = 14;    // characters of a word beside its row
constexpr std::size_t kRoomOfThree = 30;    // characters below a map that is one of three rows
constexpr std::size_t kShortestName = 3;    // below, a column is better numbered
constexpr int kHeightOfTwo = 820;           // pixels of two maps side by side
constexpr int kHeightOfThree = 1300;        // of three rows of maps
constexpr int kWidthOfACase = 400;

using Words = std::vector<std::string>;

std::string cut(const std::string& word, std::size_t most) {
  const std::u32string characters = plot::decode_utf8(word);
  if (characters.size() <= most) return word;
  return plot::encode_utf8(characters.substr(0, most - 1)) + "…";
}

std::vector<plot::Mark> marks_of(const Words& words, std::size_t most) {
  std::vector<plot::Mark> marks;
  for (std::size_t t = 0; t < words.size(); ++t)
    marks.push_back({static_cast<double>(t), plot::Text::plain(cut(words[t], most))});
  return marks;
}

/// "0", "1", "2" …
Words numbers(std::size_t count) {
  Words texts;
  for (std::size_t t = 0; t < count; ++t) texts.push_back(std::to_string(t));
  return texts;
}

/// Weights with their words, as far as there is room for words: `characters` below all columns.
plot::Panel weights_panel(const RowMatrix& weights, const Words& rows, const Words& columns,
                          std::size_t characters) {
  plot::Panel panel;
  plot::HeatMap map;
  map.rows = rows.size();
  map.columns = columns.size();
  map.values.assign(weights.data(), weights.data() + weights.size());
  map.colours = plot::ColourMap::sequential;
  map.min = 0;
  map.bar_label = plot::Text::plain("weight");
  if (rows.size() <= kMostNamedRows) map.row_marks = marks_of(rows, kLongestName);
  const std::size_t each = characters / columns.size();
  if (each >= kShortestName + 1) {
    map.column_marks = marks_of(columns, each - 1);
  } else {
    // Where columns are numbered, rows have their numbers too.
    for (std::size_t t = 0; t < map.row_marks.size(); ++t)
      map.row_marks[t].label =
          plot::Text::plain(fmt::format("{} {}", t, cut(rows[t], kLongestName)));
    if (each >= kShortestName) map.column_marks = marks_of(numbers(columns.size()), each);
  }
  panel.heat_map = std::move(map);
  return panel;
}

/// What a mask hides is an empty cell; word t stands at position places[t].
RowMatrix emptied(RowMatrix weights, Mask mask, const std::vector<std::size_t>& places) {
  if (mask == Mask::causal)
    for (Eigen::Index i = 0; i < weights.rows(); ++i)
      for (Eigen::Index j = 0; j < weights.cols(); ++j)
        if (places[static_cast<std::size_t>(j)] > places[static_cast<std::size_t>(i)])
          weights(i, j) = std::numeric_limits<double>::quiet_NaN();
  return weights;
}

/// 0, 1, 2 …
std::vector<std::size_t> in_turn(std::size_t count) {
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), 0U);
  return places;
}

std::string masked(const std::string& title, Mask mask) {
  return mask == Mask::causal ? title + ", causal mask" : title;
}

std::string seeded(const EncodingContext& context) {
  return fmt::format("random untrained vectors of {} numbers, seed {}", context.rotary.head_dim,
                     context.seed);
}

plot::Series curve_of(std::string_view label, std::vector<double> x, std::vector<double> y) {
  plot::Series series;
  series.label = plot::Text::plain(label);
  series.x = std::move(x);
  series.y = std::move(y);
  return series;
}

/// Differences on a logarithmic axis, where 0 has no place: it is drawn at the bottom.
constexpr double kSmallest = 1e-17;
std::vector<double> drawable(std::vector<double> values) {
  for (double& value : values)
    if (value < kSmallest) value = kSmallest;
  return values;
}

/// What rounding explains, behind the measured curves.
void add_rounding(const std::vector<double>& x, std::vector<double> allowed, plot::Panel& panel) {
  plot::Series bound = curve_of("rounding limit", x, drawable(std::move(allowed)));
  bound.colour = plot::kGrey;
  bound.dotted = true;
  panel.series.push_back(std::move(bound));
}

plot::Panel differences_panel(std::string_view x) {
  plot::Panel panel;
  panel.x.label = plot::Text::plain(x);
  panel.x.whole = true;
  panel.y.label = plot::Text::plain("largest difference");
  panel.y.scale = plot::Scale::log10;
  panel.y.min = kSmallest;
  panel.lines.push_back(
      {plot::Direction::horizontal, 0x1p-53, plot::Text::plain("one rounding of a number near 1")});
  return panel;
}

std::vector<double> logarithms(const std::vector<std::int64_t>& lengths) {
  std::vector<double> x;
  x.reserve(lengths.size());
  for (const std::int64_t length : lengths)
    x.push_back(most_entropy(static_cast<std::size_t>(length)));
  return x;
}

std::string curve_title(const EntropyCurve& curve) {
  return curve.title + (curve.scaled ? ", scores divided by √d" : ", not divided");
}

}  // namespace

plot::Figure attention_figure(const AttentionWeights& weights) {
  const AttentionExample& example = weights.example;
  plot::Figure figure;
  figure.title = plot::Text::plain("Attention weights: how each word divides its attention");
  figure.subtitle = plot::Text::plain(
      "Rows are queries, columns are keys, and each row adds up to 1; " + seeded(example.context));
  const bool none = weights.encoding.entry->name == "none";
  figure.columns = none ? 1 : 2;
  if (!none) figure.height = kHeightOfTwo;
  const auto add = [&](const RowMatrix& shown, const std::string& title) {
    plot::Panel panel = weights_panel(emptied(shown, example.mask, in_turn(example.words.size())),
                                      example.words, example.words, none ? 72 : 46);
    panel.title = plot::Text::plain(masked(title, example.mask));
    panel.x.label = plot::Text::plain("key");
    if (figure.panels.empty()) panel.y.label = plot::Text::plain("query");
    figure.panels.push_back(std::move(panel));
  };
  if (!none) add(weights.without, "without positions");
  add(weights.weights, none ? "without positions" : weights.title);
  return figure;
}

plot::Figure attention_figure(const ShuffledOrder& shuffled) {
  const Words& words = shuffled.example.words;
  Words other;
  for (const std::size_t from : shuffled.order) other.push_back(words[from]);
  const std::size_t columns = shuffled.cases.size();
  plot::Figure figure;
  figure.title = plot::Text::plain("The same words in another order");
  figure.subtitle = plot::Text::plain(
      "Weights of the words, of the same words shuffled, and of the latter put back in order: "
      "where weights follow the words, the first and last rows of maps agree. In each map, rows "
      "are queries and columns are keys");
  figure.columns = columns;
  figure.height = kHeightOfThree;
  figure.width = static_cast<int>(std::max<std::size_t>(columns, 4)) * kWidthOfACase;
  struct Row {
    std::string_view title;
    const RowMatrix ShuffledCase::*weights;
    const Words* words;
    std::vector<std::size_t> places;
  };
  const std::vector<std::size_t> places = in_turn(words.size());
  std::vector<std::size_t> back(words.size());
  for (std::size_t t = 0; t < back.size(); ++t) back[shuffled.order[t]] = t;
  const std::array<Row, 3> rows = {{{"A(X): query", &ShuffledCase::weights, &words, places},
                                    {"A(PX): query", &ShuffledCase::shuffled, &other, places},
                                    {"put back: query", &ShuffledCase::restored, &words, back}}};
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < columns; ++c) {
      const ShuffledCase& one = shuffled.cases[c];
      plot::Panel panel = weights_panel(emptied(one.*row.weights, one.mask, row.places), *row.words,
                                        *row.words, kRoomOfThree);
      panel.title = plot::Text::plain(masked(one.title, one.mask));
      if (c == 0) panel.y.label = plot::Text::plain(row.title);
      if (&row == &rows.back()) panel.x.label = plot::Text::plain("key");
      figure.panels.push_back(std::move(panel));
    }
  }
  return figure;
}

plot::Figure attention_figure(const RepeatedToken& repeated) {
  const AttentionExample& example = repeated.example;
  plot::Figure figure;
  figure.title = plot::Text::plain(
      fmt::format("{} equal tokens through {} layers", example.words.size(), example.layers));
  figure.subtitle = plot::Text::plain(
      "The largest difference in any one number between the hidden states of any two positions, 0 "
      "at the "
      "bottom; " +
      seeded(example.context));
  plot::Panel panel = differences_panel("layers passed");
  std::vector<double> layers;
  for (std::size_t layer = 0; layer <= example.layers; ++layer)
    layers.push_back(static_cast<double>(layer));
  for (const RepeatedCurve& curve : repeated.curves) {
    plot::Series series =
        curve_of(masked(curve.title, example.mask), layers, drawable(curve.apart));
    series.kind = plot::SeriesKind::line_points;
    series.dashed = !panel.series.empty() && curve.explained();
    panel.series.push_back(std::move(series));
  }
  add_rounding(layers, repeated.curves.front().allowed, panel);
  figure.panels.push_back(std::move(panel));
  return figure;
}

namespace {

std::string_view value_words(ValueRotation values) {
  switch (values) {
    case ValueRotation::none:
      return "";
    case ValueRotation::rotated:
      return ", V rotated too";
    case ValueRotation::turned_back:
      break;
  }
  return ", V rotated and turned back";
}

}  // namespace

plot::Figure attention_figure(const ShiftedValues& shifted) {
  const AttentionExample& example = shifted.example;
  plot::Figure figure;
  figure.title = plot::Text::plain("Outputs when all positions are shifted");
  figure.subtitle =
      plot::Text::plain("The largest change in any one number of an output, 0 at the bottom; " +
                        seeded(example.context));
  plot::Panel panel = differences_panel("shift of all positions (tokens)");
  const std::vector<double> x(shifted.shifts.begin(), shifted.shifts.end());
  std::vector<double> allowed(x.size(), 0.0);
  for (const ShiftedCurve& curve : shifted.curves) {
    std::vector<double> y;
    for (std::size_t i = 0; i < curve.change.size(); ++i) {
      y.push_back(curve.change[i].error);
      allowed[i] = std::max(allowed[i], curve.change[i].bound);
    }
    plot::Series series =
        curve_of(masked(curve.title, example.mask) + std::string(value_words(curve.values)), x,
                 drawable(std::move(y)));
    series.dashed = curve.values == ValueRotation::turned_back;
    panel.series.push_back(std::move(series));
  }
  add_rounding(x, std::move(allowed), panel);
  figure.panels.push_back(std::move(panel));
  return figure;
}

plot::Figure attention_figure(const AttentionEntropy& entropy) {
  const EntropyRequest& request = entropy.request;
  plot::Figure figure;
  figure.title = plot::Text::plain("Attention spreads as the number of keys grows");
  figure.subtitle = plot::Text::plain(fmt::format(
      "Means of {} random queries over the n nearest random keys; vectors of {} numbers, seed {}",
      request.queries, request.context.rotary.head_dim, request.context.seed));
  // Lines run from left to right, in whatever order the lengths were given.
  std::vector<std::int64_t> lengths = request.lengths;
  std::ranges::sort(lengths);
  const auto sorted = [&](const std::vector<double>& values) {
    std::vector<std::pair<std::int64_t, double>> pairs;
    for (std::size_t l = 0; l < values.size(); ++l)
      pairs.emplace_back(request.lengths[l], values[l]);
    std::ranges::sort(pairs);
    std::vector<double> result;
    result.reserve(pairs.size());
    for (const auto& [length, value] : pairs) result.push_back(value);
    return result;
  };
  const std::vector<double> x = logarithms(lengths);
  plot::Panel bits, top;
  bits.y.label = plot::Text::plain("entropy (bits)");
  bits.y.min = 0;
  top.x.label = plot::Text::markup("log_2 of the number of keys n");
  top.y.label = plot::Text::plain("largest weight");
  top.y.scale = plot::Scale::log10;
  plot::Series most = curve_of("all weights equal: log₂ n", x, x);
  most.colour = plot::kGrey;
  most.dotted = true;
  for (std::size_t i = 0; i < entropy.curves.size(); ++i) {
    const EntropyCurve& curve = entropy.curves[i];
    for (plot::Panel* const panel : {&bits, &top}) {
      plot::Series series = curve_of(panel == &bits ? curve_title(curve) : "", x,
                                     sorted(panel == &bits ? curve.entropy : curve.top));
      series.kind = plot::SeriesKind::line_points;
      series.colour = i;
      panel->series.push_back(std::move(series));
    }
  }
  bits.series.push_back(std::move(most));
  figure.panels = {std::move(bits), std::move(top)};
  figure.legend_of = 0;
  return figure;
}

}  // namespace rope
