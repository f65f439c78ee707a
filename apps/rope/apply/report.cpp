// What `rope apply` says, and the texts it writes: csv and json.

#include "apply/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>
#include <vector>

#include "rope/apply/rotate_tensor.hpp"
#include "rope/error.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/quote.hpp"
#include "rope/pictures/embedding_text.hpp"
#include "rope/precision/rounding.hpp"
#include "shown/policy.hpp"
#include "shown/rotary_json.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

constexpr std::uint64_t kMostExplained = 512;                  // pairs
constexpr std::size_t kMostInSentence = 8;                     // numbers of a vector
constexpr std::uint64_t kMostPrinted = 64;                     // numbers, without --explain
constexpr std::uint64_t kMostInText = std::uint64_t{1} << 22;  // numbers of a csv or json

/// A vector before and after, and the row that turned it.
struct Rotated {
  std::uint64_t vector;
  Position position;
  std::vector<double> x;  ///< as it was rotated: in the policy's format
  std::vector<double> y;  ///< as it is written
  RotationRow row;
};

/// The numbers as the output holds them.
void round_to_type(io::ElementType type, std::span<double> values) {
  std::vector<char> bytes(values.size() * io::size_of(type));
  io::encode(type, values, bytes.data());
  io::decode(type, bytes.data(), values);
}

template <typename Take>
void for_each_rotated(const ApplyStudy& study, Take take) {
  VectorRotation rotation = study.rotation();
  const std::size_t d = study.input.axes.head_dim;
  TensorVisitor visitor;
  visitor.run = [&](const TokenRun& run) {
    Rotated one{run.vector, run.position, {}, std::vector<double>(d), rotation.row(run.position)};
    for (std::size_t start = 0; start < run.x.size(); start += d, ++one.vector) {
      const std::span<const double> x = run.x.subspan(start, d);
      one.x.assign(x.begin(), x.end());
      for (double& value : one.x) value = round_to(study.policy.input(), value);
      rotation.rotate(run.position, x, one.y);
      round_to_type(study.type, one.y);
      take(one);
    }
  };
  visit_vectors(study.input.tensor, study.input.axes, study.input.positions, visitor);
}

void check_text(const ApplyStudy& study) {
  const std::uint64_t count = study.input.tensor.count();
  if (count > kMostInText)
    throw ShapeError(fmt::format("{}: expected at most {} numbers for a text, found {}",
                                 io::printable(study.input.tensor.name(), 200), kMostInText, count),
                     "Write .npy or .safetensors.");
}

std::string direction_text(const ApplyStudy& study) {
  const double factor = study.embedding.attention_factor;
  if (study.direction == Direction::forward)
    return factor == 1 ? "R_m" : fmt::format("R_m, times the attention factor {:.6g}", factor);
  return factor == 1
             ? "R_m^-1 = R_-m"
             : fmt::format("R_m^-1 = R_-m / A^2: cos and sin times 1/A = {:.6g}", 1 / factor);
}

std::string arithmetic_text(const ApplyStudy& study) {
  if (study.policy.angle_rule != AngleRule::exact)
    return fmt::format("{}: x {} → {}", study.policy.name, limits(study.policy.input()).name,
                       stages_text(study.policy));
  std::string text = "exact angles, " + std::string(name(study.form)) + " in float64";
  if (study.type != io::ElementType::float64)
    text += ", rounded once to " + std::string(io::name(study.type));
  return text;
}

/// The rule of a form, as it stands on a blackboard.
std::string_view rule_of(RotationForm form) {
  switch (form) {
    case RotationForm::matrix:
      return "(x', y')ᵀ = [cos φ  −sin φ; sin φ  cos φ] (x, y)ᵀ";
    case RotationForm::complex:
      return "x' + iy' = (x + iy)(cos φ + i sin φ)";
    case RotationForm::elementwise:
      break;
  }
  return "x' = x cos φ − y sin φ,   y' = x sin φ + y cos φ";
}

/// −2 in a product: (−2).
std::string factor_text(double value) {
  const std::string text = six_digits(value);
  return text.starts_with('-') ? "(" + text + ")" : text;
}

std::size_t axis_of(const RotaryEmbedding& embedding, std::size_t pair) {
  return embedding.axes.several() ? embedding.axes.of_pair[pair] : 0;
}

/// A position on each axis: one number where there is one axis.
std::vector<std::int64_t> on_axes(const RotaryEmbedding& embedding, const Position& position) {
  std::vector<std::int64_t> numbers;
  for (std::size_t axis = 0; axis < embedding.axes.count(); ++axis)
    numbers.push_back(position[axis]);
  return numbers;
}

/// "3", or "(0, 3, 5)" on three axes.
std::string position_text(const RotaryEmbedding& embedding, const Position& position) {
  const std::vector<std::int64_t> numbers = on_axes(embedding, position);
  if (numbers.size() == 1) return std::to_string(numbers.front());
  return fmt::format("({})", fmt::join(numbers, ", "));
}

io::JsonValue position_json(const RotaryEmbedding& embedding, const Position& position) {
  const std::vector<std::int64_t> numbers = on_axes(embedding, position);
  if (numbers.size() == 1) return numbers.front();
  return numbers;
}

/// The angle of every pair.
Table angles_table(const ApplyStudy& study, const Rotated& one) {
  const RotaryEmbedding& embedding = study.embedding;
  std::vector<double> reduced(embedding.pairs());
  for (std::size_t axis = 0; axis < embedding.axes.count(); ++axis) {
    const std::vector<double> angles = reduced_angles(embedding.frequencies, one.position[axis]);
    for (std::size_t k = 0; k < reduced.size(); ++k)
      if (axis_of(embedding, k) == axis) reduced[k] = angles[k];
  }
  Table table(
      {{"pair"}, {"dimensions"}, {"θ_k"}, {"φ = mθ_k"}, {"φ mod 2π"}, {"cos φ"}, {"sin φ"}});
  for (std::size_t k = 0; k < embedding.pairs(); ++k) {
    const auto [i, j] = embedding.dimensions(k);
    const double theta = embedding.frequencies.theta[k];
    table.add_row({std::to_string(k), fmt::format("{}, {}", i, j), six_digits(theta),
                   six_digits(static_cast<double>(one.position[axis_of(embedding, k)]) * theta),
                   six_digits(reduced[k]), six_digits(one.row.cos[k]), six_digits(one.row.sin[k])});
  }
  return table;
}

/// Every pair before and after.
Table pairs_table(const ApplyStudy& study, const Rotated& one) {
  Table table({{"pair"}, {"x"}, {"y"}, {"x'"}, {"y'"}});
  for (std::size_t k = 0; k < study.embedding.pairs(); ++k) {
    const auto [i, j] = study.embedding.dimensions(k);
    table.add_row({std::to_string(k), six_digits(one.x[i]), six_digits(one.x[j]),
                   six_digits(one.y[i]), six_digits(one.y[j])});
  }
  return table;
}

void explain(const ApplyStudy& study, const Rotated& one, const Console& console) {
  const RotaryEmbedding& embedding = study.embedding;
  console.print(fmt::format("\nvector {} at position m = {}\n", one.vector,
                            position_text(study.embedding, one.position)));
  console.print(angles_table(study, one));
  console.print("\n");
  console.print(pairs_table(study, one));
  if (embedding.rotary_dim() < embedding.head_dim)
    console.print(fmt::format("  dimensions {} … {} pass through\n", embedding.rotary_dim(),
                              embedding.head_dim - 1));
  const auto [i, j] = embedding.dimensions(0);
  const std::string c = factor_text(one.row.cos[0]), s = factor_text(one.row.sin[0]);
  const std::string x = factor_text(one.x[i]), y = factor_text(one.x[j]);
  console.print(
      fmt::format("\n  pair 0: x' = {} · {} − {} · {} = {}\n", x, c, y, s, six_digits(one.y[i])));
  console.print(
      fmt::format("          y' = {} · {} + {} · {} = {}\n", x, s, y, c, six_digits(one.y[j])));
}

void print_explanation(const ApplyStudy& study, const Console& console) {
  console.print(fmt::format("\n  {},   φ = mθ_k\n", rule_of(study.form)));
  if (study.direction == Direction::inverse)
    console.print("  the opposite turn: sin φ has changed its sign\n");
  if (study.embedding.attention_factor != 1)
    console.print(study.direction == Direction::forward
                      ? "  cos φ and sin φ hold the attention factor A\n"
                      : "  cos φ and sin φ hold 1/A, of the attention factor A\n");
  for_each_rotated(study, [&](const Rotated& one) { explain(study, one, console); });
}

/// "(1, 2, 3, 4)"
std::string vector_text(const std::vector<double>& vector) {
  std::vector<std::string> numbers;
  numbers.reserve(vector.size());
  for (const double value : vector) numbers.push_back(six_digits(value));
  return fmt::format("({})", fmt::join(numbers, ", "));
}

/// Whether the answer is one vector that a sentence holds.
bool one_short_vector(const ApplyStudy& study) {
  return study.input.axes.vectors() == 1 && study.input.axes.head_dim <= kMostInSentence;
}

/// What was turned, and where to, in a sentence.
std::string answer(const ApplyStudy& study) {
  const TokenInput& input = study.input;
  const bool back = study.direction == Direction::inverse;
  if (one_short_vector(study)) {
    std::string text;
    for_each_rotated(study, [&](const Rotated& one) {
      text = fmt::format("{} at m = {} turns {} {}into {}.", back ? "R_m⁻¹" : "R_m",
                         position_text(study.embedding, one.position), vector_text(one.x),
                         back ? "back " : "", vector_text(one.y));
    });
    return text;
  }
  const std::uint64_t vectors = input.axes.vectors();
  const bool still = input.positions.smallest() == input.positions.largest();
  return fmt::format("{} of {} numbers {} turned {} at position{} {}.", counted(vectors, "vector"),
                     input.axes.head_dim, vectors == 1 ? "is" : "are",
                     back ? "back by R_m⁻¹" : "by R_m", still ? "" : "s",
                     describe(input.positions));
}

/// The rotated vectors, where they are few.
void print_result(const ApplyStudy& study, const Console& console) {
  for_each_rotated(study, [&](const Rotated& one) {
    console.say(
        fmt::format("m = {}: {}", position_text(study.embedding, one.position), vector_text(one.y)),
        2);
  });
}

io::JsonValue pair_json(const ApplyStudy& study, const Rotated& one, std::size_t k) {
  const auto [i, j] = study.embedding.dimensions(k);
  const double theta = study.embedding.frequencies.theta[k];
  return {{"vector", one.vector},
          {"position", position_json(study.embedding, one.position)},
          {"pair", k},
          {"dimensions", std::vector{i, j}},
          {"theta", theta},
          {"angle", static_cast<double>(one.position[axis_of(study.embedding, k)]) * theta},
          {"cos", one.row.cos[k]},
          {"sin", one.row.sin[k]},
          {"before", std::vector{one.x[i], one.x[j]}},
          {"after", std::vector{one.y[i], one.y[j]}}};
}

/// Tables leave a cell without a number empty; a matrix that is read back must say nan.
void name_nans(io::CsvColumn& column) {
  const auto& numbers = std::get<std::vector<double>>(column.cells);
  if (std::ranges::none_of(numbers, [](double value) { return std::isnan(value); })) return;
  std::vector<std::string> words;
  words.reserve(numbers.size());
  for (const double value : numbers) words.push_back(fmt::format("{}", value));
  column.cells = std::move(words);
}

}  // namespace

void check_explanation(const ApplyStudy& study) {
  const std::uint64_t vectors = study.input.axes.vectors();
  if (vectors > kMostExplained / study.embedding.pairs())
    throw ShapeError(
        fmt::format("--explain: expected at most {} pairs in all, got {} vectors of {}",
                    kMostExplained, vectors, study.embedding.pairs()),
        "Give fewer vectors, for example with --vector.");
}

bool prints_result(const ApplyStudy& study) { return study.input.tensor.count() <= kMostPrinted; }

void print_apply_report(const ApplyStudy& study, const Console& console) {
  console.say(console.paint(Ink::strong, answer(study)));
  if (!study.explain && prints_result(study) && !one_short_vector(study))
    print_result(study, console);
  Table table({{"", Table::Align::left}, {"", Table::Align::left}});
  table.add_row({"input", describe(study.input)});
  table.add_row({"embedding", describe(study.embedding)});
  table.add_row({"rotation", direction_text(study)});
  table.add_row({"arithmetic", arithmetic_text(study)});
  console.print(table);
  if (study.explain) print_explanation(study, console);
}

std::string apply_csv(const ApplyStudy& study) {
  check_text(study);
  std::vector<io::CsvColumn> columns;
  std::vector<std::vector<double>> cells(study.input.axes.head_dim);
  for_each_rotated(study, [&](const Rotated& one) {
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i].push_back(one.y[i]);
  });
  for (std::size_t i = 0; i < cells.size(); ++i) {
    io::CsvColumn column{fmt::format("c{}", i), std::move(cells[i])};
    name_nans(column);
    columns.push_back(std::move(column));
  }
  return io::to_csv(columns);
}

std::string apply_json(const ApplyStudy& study, bool whole) {
  if (whole) check_text(study);
  const TokenInput& input = study.input;
  const bool with_values = input.tensor.count() <= kMostInText;
  std::vector<io::JsonValue> rows, pairs;
  std::vector<io::JsonValue> positions;
  if (with_values)
    for_each_rotated(study, [&](const Rotated& one) {
      rows.emplace_back(one.y);
      positions.push_back(position_json(study.embedding, one.position));
      if (study.explain)
        for (std::size_t k = 0; k < study.embedding.pairs(); ++k)
          pairs.push_back(pair_json(study, one, k));
    });
  io::JsonValue document = {
      {"schema", "rope.apply/2"},
      {"rotary", rotary_json(study.embedding)},
      {"direction", study.direction == Direction::inverse ? "inverse" : "forward"},
      {"form", name(study.form)},
      {"policy", policy_json(study.policy)},
      {"input",
       {{"name", input.tensor.name()},
        {"type", io::name(input.tensor.type())},
        {"shape", input.tensor.shape()},
        {"token_axis", input.token_axis}}},
      {"type", io::name(study.type)},
      {"positions", {{"min", input.positions.smallest()}, {"max", input.positions.largest()}}},
      {"position", with_values ? std::optional(positions) : std::nullopt},
      {"y", with_values ? std::optional(rows) : std::nullopt}};
  if (study.explain) document.add("pairs", pairs);
  return document.document();
}

}  // namespace rope::app
