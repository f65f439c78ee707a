#include "rope/documents/attention.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "rope/attention/exponential.hpp"
#include "rope/attention/spread.hpp"
#include "rope/documents/embedding.hpp"
#include "rope/encodings/vectors.hpp"

namespace rope {
namespace {

io::JsonValue discrepancy_json(const Measured& found) {
  return {{"value", found.error}, {"allowed", found.bound}, {"explained", !found.violated()}};
}

io::JsonValue matrix_json(const RowMatrix& matrix) {
  return io::json_list(indices(static_cast<std::size_t>(matrix.rows())),
                       [&](std::int64_t i) { return row_of(matrix, i); });
}

io::JsonValue head_json(const EncodingContext& context, std::string_view view) {
  return {{"schema", "rope.attention/1"},
          {"view", view},
          {"rotary", rotary_json(context.rotary)},
          {"trained_length", context.trained},
          {"length", context.length},
          {"seed", context.seed}};
}

io::JsonValue head_json(const AttentionExample& example, std::string_view view) {
  io::JsonValue json = head_json(example.context, view);
  json.add("words", example.words);
  json.add("mask", mask_word(example.mask));
  return json;
}

io::JsonValue spec_json(const EncodingSpec& spec, const std::string& title,
                        const EncodingContext& context) {
  return {{"encoding", encoding_text(spec)},
          {"title", title},
          {"parameters", parameters_json(spec, encoding_values(spec, context))}};
}

std::string in_brackets(const EncodingSpec& spec) { return "[" + encoding_text(spec) + "]"; }

std::vector<double> most_entropies(const AttentionEntropy& study) {
  return cells_of(study.request.lengths, [](std::int64_t length) {
    return most_entropy(static_cast<std::size_t>(length));
  });
}

std::string two_decimals(double value) { return fmt::format("{:.2f}", value); }

Columns weights_columns(const AttentionWeights& study) {
  const std::vector<std::string>& words = study.example.words;
  std::vector<std::int64_t> queries, keys;
  std::vector<std::string> query_words, key_words;
  std::vector<double> scores;
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::size_t j = 0; j < words.size(); ++j) {
      queries.push_back(static_cast<std::int64_t>(i));
      keys.push_back(static_cast<std::int64_t>(j));
      query_words.push_back(words[i]);
      key_words.push_back(words[j]);
      const double score = study.scores(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      scores.push_back(std::isfinite(score) ? score : std::numeric_limits<double>::quiet_NaN());
    }
  const auto all = [](const RowMatrix& matrix) {
    return std::vector<double>(matrix.data(), matrix.data() + matrix.size());
  };
  return {file_column("query", queries),
          file_column("key", keys),
          file_column("query_word", query_words),
          file_column("key_word", key_words),
          file_column("score", scores),
          file_column("weight", all(study.weights)),
          file_column("without_positions", all(study.without))};
}

}  // namespace

std::string_view mask_word(Mask mask) { return mask == Mask::causal ? "causal" : "none"; }

std::string scale_text(const EntropyCurve& curve) {
  return curve.scaled ? "divided by √d" : "not divided";
}

std::vector<std::string> shuffled_words(const ShuffledOrder& study) {
  std::vector<std::string> words;
  for (const std::size_t from : study.order) words.push_back(study.example.words[from]);
  return words;
}

Columns entropy_columns(const AttentionEntropy& study, bool details) {
  Columns columns = {column("keys", "keys", study.request.lengths),
                     column("log2_keys", "log₂ n", most_entropies(study), two_decimals)};
  const bool one = std::ranges::all_of(study.curves, [&](const EntropyCurve& curve) {
    return curve.encoding == study.curves.front().encoding;
  });
  for (const EntropyCurve& curve : study.curves) {
    const std::string label = (curve.scaled ? "" : "_unscaled") + in_brackets(curve.encoding);
    const std::string heading = (one ? "" : curve.title + ", ") + scale_text(curve);
    columns.push_back(column("entropy" + label, heading + ": bits", curve.entropy, two_decimals));
    columns.push_back(column("top" + label, "top weight", curve.top, three_digits));
    if (!details) continue;
    std::vector<double> alike;
    for (const double bits : curve.entropy) alike.push_back(exponential(bits * std::numbers::ln2));
    columns.push_back(table_column("equal keys", alike));
  }
  return columns;
}

Columns repeated_columns(const RepeatedToken& study) {
  Columns columns = {column("layer", "after layer", indices(study.example.layers + 1))};
  for (const RepeatedCurve& curve : study.curves)
    columns.push_back(
        column("difference" + in_brackets(curve.encoding), curve.title, curve.apart, three_digits));
  columns.push_back(
      column("allowed", "rounding limit", study.curves.front().allowed, three_digits));
  return columns;
}

Columns shifted_columns(const ShiftedValues& study) {
  Columns columns = {column("shift", "shift", study.shifts)};
  for (const ShiftedCurve& curve : study.curves) {
    const auto values = [&](double Measured::*field) { return cells_of(curve.change, field); };
    const bool plain = curve.values == ValueRotation::none;
    const bool rotated = curve.values == ValueRotation::rotated;
    std::string of = plain ? "" : rotated ? "_values_rotated" : "_turned_back";
    of += in_brackets(curve.encoding);
    const std::string head = plain ? curve.title : rotated ? "V rotated" : "turned back";
    columns.push_back(column("change" + of, head, values(&Measured::error), three_digits));
    if (!rotated)
      columns.push_back(column("allowed" + of, "rounding", values(&Measured::bound), three_digits));
  }
  return columns;
}

std::string attention_csv(const AttentionEntropy& study) {
  return csv_text(entropy_columns(study, false));
}

std::string attention_csv(const RepeatedToken& study) { return csv_text(repeated_columns(study)); }

std::string attention_csv(const ShiftedValues& study) { return csv_text(shifted_columns(study)); }

std::string attention_csv(const ShuffledOrder& study) {
  const auto values = [&](const Measured ShuffledCase::*found, double Measured::*field) {
    return cells_of(study.cases, [&](const ShuffledCase& one) { return one.*found.*field; });
  };
  Columns columns = {file_column("encoding", cells_of(study.cases,
                                                      [](const ShuffledCase& one) {
                                                        return encoding_text(one.encoding);
                                                      })),
                     file_column("mask", cells_of(study.cases, [](const ShuffledCase& one) {
                                   return std::string(mask_word(one.mask));
                                 }))};
  const auto add = [&](const std::string& name, const Measured ShuffledCase::*found) {
    columns.push_back(file_column(name, values(found, &Measured::error)));
    columns.push_back(file_column(name + "_allowed", values(found, &Measured::bound)));
  };
  add("moved", &ShuffledCase::moved);
  add("in_place", &ShuffledCase::in_place);
  add("outputs", &ShuffledCase::outputs);
  add("one_query", &ShuffledCase::one_query);
  add("pooled", &ShuffledCase::pooled);
  return csv_text(columns);
}

std::string attention_csv(const AttentionWeights& study) {
  return csv_text(weights_columns(study));
}

std::string attention_json(const AttentionEntropy& study) {
  const EntropyRequest& request = study.request;
  io::JsonValue json = head_json(request.context, "entropy");
  json.add("queries", request.queries);
  json.add("keys", request.lengths);
  json.add("log2_keys", most_entropies(study));
  json.add("curves", io::json_list(study.curves, [&](const EntropyCurve& curve) {
             io::JsonValue each = spec_json(curve.encoding, curve.title, request.context);
             each.add("scaled", curve.scaled);
             each.add("entropy", curve.entropy);
             each.add("top", curve.top);
             return each;
           }));
  return json.document();
}

std::string attention_json(const RepeatedToken& study) {
  io::JsonValue json = head_json(study.example, "repeat");
  json.add("layers", study.example.layers);
  json.add("curves", io::json_list(study.curves, [&](const RepeatedCurve& curve) {
             io::JsonValue each = spec_json(curve.encoding, curve.title, study.example.context);
             each.add("added_to_tokens", curve.at_input);
             each.add("explained", curve.explained());
             each.add("difference", curve.apart);
             each.add("allowed", curve.allowed);
             return each;
           }));
  return json.document();
}

std::string attention_json(const ShiftedValues& study) {
  io::JsonValue json = head_json(study.example, "values");
  json.add("shift", study.shifts);
  json.add("curves", io::json_list(study.curves, [&](const ShiftedCurve& curve) {
             io::JsonValue each = spec_json(curve.encoding, curve.title, study.example.context);
             each.add("values_rotated", curve.values != ValueRotation::none);
             each.add("turned_back", curve.values == ValueRotation::turned_back);
             each.add("change", cells_of(curve.change, &Measured::error));
             each.add("allowed", cells_of(curve.change, &Measured::bound));
             return each;
           }));
  return json.document();
}

std::string attention_json(const ShuffledOrder& study) {
  io::JsonValue json = head_json(study.example, "shuffle");
  json.add("shuffled", shuffled_words(study));
  json.add("order", cells_of(study.order, [](std::size_t from) { return from; }));
  json.add("cases", io::json_list(study.cases, [&](const ShuffledCase& one) {
             io::JsonValue each = spec_json(one.encoding, one.title, study.example.context);
             each.add("mask", mask_word(one.mask));
             each.add("moved", discrepancy_json(one.moved));
             each.add("in_place", discrepancy_json(one.in_place));
             each.add("outputs", discrepancy_json(one.outputs));
             each.add("one_query", discrepancy_json(one.one_query));
             each.add("pooled", discrepancy_json(one.pooled));
             each.add("change_of_word", one.of_word);
             each.add("weights", matrix_json(one.weights));
             each.add("weights_shuffled", matrix_json(one.shuffled));
             return each;
           }));
  return json.document();
}

std::string attention_json(const AttentionWeights& study) {
  io::JsonValue json = head_json(study.example, "weights");
  json.add("layers", study.example.layers);
  json.add(spec_json(study.encoding, study.title, study.example.context));
  json.add("row_sums", discrepancy_json(study.sum));
  json.add("scores", matrix_json(study.scores));
  json.add("weights", matrix_json(study.weights));
  json.add("without_positions", matrix_json(study.without));
  return json.document();
}

}  // namespace rope
