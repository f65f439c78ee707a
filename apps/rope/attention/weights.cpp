#include "attention/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "attention/wording.hpp"
#include "rope/documents/attention.hpp"
#include "shown/columns.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostColumns = 7;  // words whose matrix fits 80 columns and 24 lines
constexpr std::size_t kMostTwice = 5;    // words whose matrix fits twice
constexpr std::string_view kHidden = "–";

std::string weight_text(double weight) { return fmt::format("{:.4f}", weight); }

Table weights_table(const RowMatrix& weights, const AttentionExample& example) {
  std::vector<Table::Column> headings = {{"query", Table::Align::left}};
  for (const std::string& word : example.words)
    headings.push_back({shortened_word(word, kLongestWord)});
  Table table(headings);
  for (Eigen::Index i = 0; i < weights.rows(); ++i) {
    Words row = {shortened_word(example.words[static_cast<std::size_t>(i)], kLongestWord)};
    for (Eigen::Index j = 0; j < weights.cols(); ++j)
      row.push_back(example.mask == Mask::causal && j > i ? std::string(kHidden)
                                                          : weight_text(weights(i, j)));
    table.add_row(std::move(row));
  }
  return table;
}

/// The two keys that weigh most with each query.
Table heaviest_table(const AttentionWeights& study, const ShownRows& rows) {
  const Words& words = study.example.words;
  Table table({{"query", Table::Align::left},
               {"most on", Table::Align::left},
               {"weight"},
               {"without positions"},
               {"then on", Table::Align::left},
               {"weight"}});
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    if (rows.left_out > 0 && rows.gap_before(r)) table.add_row(Words(6, "…"));
    const auto i = static_cast<Eigen::Index>(rows.rows[r]);
    const bool causal = study.example.mask == Mask::causal;
    std::vector<std::size_t> keys(causal ? rows.rows[r] + 1 : words.size());
    std::iota(keys.begin(), keys.end(), 0U);
    const auto weight = [&](std::size_t key) {
      return study.weights(i, static_cast<Eigen::Index>(key));
    };
    std::ranges::stable_sort(keys,
                             [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
    const auto place = [&](std::size_t key) {
      return fmt::format("{} {}", key, shortened_word(words[key], kLongestWord));
    };
    const auto most = static_cast<Eigen::Index>(keys[0]);
    table.add_row({place(rows.rows[r]), place(keys[0]), weight_text(weight(keys[0])),
                   weight_text(study.without(i, most)), keys.size() > 1 ? place(keys[1]) : "",
                   keys.size() > 1 ? weight_text(weight(keys[1])) : ""});
  }
  return table;
}

Table scores_table(const AttentionWeights& study) {
  const Words& words = study.example.words;
  Table table({{"query", Table::Align::left}, {"key", Table::Align::left}, {"score"}});
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t keys = study.example.mask == Mask::causal ? i + 1 : words.size();
    for (std::size_t j = 0; j < keys; ++j)
      table.add_row(
          {shortened_word(words[i], kLongestWord), shortened_word(words[j], kLongestWord),
           six_digits(study.scores(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)))});
  }
  return table;
}

/// "RoPE, causal mask, layer 3"
std::string weights_heading(const AttentionWeights& study, const std::string& title) {
  const AttentionExample& example = study.example;
  return with_mask(title, example.mask) +
         (example.layers > 1 ? fmt::format(", layer {}", example.layers) : std::string());
}

/// Every weight of a few words, also without positions where there is room or `details` asks.
void print_matrices(const AttentionWeights& study, bool details, const Console& console) {
  const AttentionExample& example = study.example;
  const auto show = [&](const RowMatrix& weights, const std::string& title) {
    console.print("\n");
    console.say(weights_heading(study, title));
    console.print(weights_table(weights, example), "Attention weights of each query");
  };
  const std::string without = "No positions";
  const bool none = positionless(study.encoding);
  const bool twice = details || example.words.size() <= kMostTwice;
  show(study.weights, none ? without : study.title);
  if (!none && twice) show(study.without, without);
  if (!none && !twice) console.say(hint("--details shows the weights without positions."));
  if (details) {
    console.print("\n");
    console.say("Scores, before the softmax");
    console.print(scores_table(study), "");
  }
  if (example.mask == Mask::causal)
    console.say(fmt::format("{}: hidden by the causal mask.", kHidden));
}

std::string weights_answer(const AttentionWeights& study) {
  const Words& words = study.example.words;
  if (words.size() == 1) return "A single word attends only to itself: its weight is 1.";
  const auto query = static_cast<Eigen::Index>(study.query);
  const auto key = static_cast<Eigen::Index>(study.key);
  const double with = study.weights(query, key), without = study.without(query, key);
  if (positionless(study.encoding)) {
    Eigen::Index from = 0, to = 0;
    const double largest = study.weights.maxCoeff(&from, &to);
    return fmt::format("Without positions, the largest weight is {:.3f}: {} gives it to {}.",
                       largest, quoted_word(words[static_cast<std::size_t>(from)]),
                       from == to ? "itself" : quoted_word(words[static_cast<std::size_t>(to)]));
  }
  if (with == without) return fmt::format("{} changes no weight here.", study.title);
  const std::string whom =
      study.key == study.query
          ? "itself"
          : fmt::format("{} at position {}", quoted_word(words[study.key]), study.key);
  return fmt::format(
      "{} moves attention: {} at position {} gives {:.3f} of its attention to {}, but {:.3f} "
      "without positions. No other weight changes more.",
      study.title, quoted_word(words[study.query]), study.query, with, whom, without);
}

}  // namespace

void print_attention(const AttentionWeights& study, bool details, const Console& console) {
  const AttentionExample& example = study.example;
  console.say(console.paint(Ink::strong, weights_answer(study)));
  console.say(study.sum.error == 0
                  ? "Each row of weights adds up to exactly 1."
                  : fmt::format("Each row of weights adds up to 1{}.", beside_rounding(study.sum)));
  if (example.words.size() <= kMostColumns) {
    print_matrices(study, details, console);
  } else {
    const ShownRows rows = rows_to_show(example.words.size(), details);
    console.print("\n");
    console.say(weights_heading(study, study.title));
    console.print(heaviest_table(study, rows), "The keys with the largest weights");
    say_left_out(rows, "queries", console);
    console.say("-o FILE.csv writes every weight; -o FILE.png draws them.");
  }
  console.say(about_vectors(example.context));
}

}  // namespace rope::app
