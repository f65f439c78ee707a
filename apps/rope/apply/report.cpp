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

namespace rope::app {
namespace {

constexpr std::uint64_t kMostExplained = 512;                  // pairs
constexpr std::uint64_t kMostPrinted = 64;                     // numbers, without --explain
constexpr std::uint64_t kMostInText = std::uint64_t{1} << 22;  // numbers of a csv or json

/// A vector before and after, and the row that turned it.
struct Rotated {
  std::uint64_t vector;
  std::int64_t position;
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

std::string explain(const ApplyStudy& study, const Rotated& one) {
  const RotaryEmbedding& embedding = study.embedding;
  const std::vector<double> reduced = reduced_angles(embedding.frequencies, one.position);
  Table table({{"pair"},
               {"dimensions"},
               {"θ_k"},
               {"φ = mθ_k"},
               {"mod 2π"},
               {"cos φ"},
               {"sin φ"},
               {"x"},
               {"y"},
               {"x'"},
               {"y'"}});
  for (std::size_t k = 0; k < embedding.pairs(); ++k) {
    const auto [i, j] = embedding.dimensions(k);
    const double theta = embedding.frequencies.theta[k];
    table.add_row({std::to_string(k), fmt::format("{}, {}", i, j), six_digits(theta),
                   six_digits(static_cast<double>(one.position) * theta), six_digits(reduced[k]),
                   six_digits(one.row.cos[k]), six_digits(one.row.sin[k]), six_digits(one.x[i]),
                   six_digits(one.x[j]), six_digits(one.y[i]), six_digits(one.y[j])});
  }
  std::string text =
      fmt::format("\nvector {} at position m = {}\n\n{}", one.vector, one.position, table.text());
  if (embedding.rotary_dim() < embedding.head_dim)
    text += fmt::format("  dimensions {} ... {} pass through\n", embedding.rotary_dim(),
                        embedding.head_dim - 1);
  const auto [i, j] = embedding.dimensions(0);
  const std::string c = factor_text(one.row.cos[0]), s = factor_text(one.row.sin[0]);
  const std::string x = factor_text(one.x[i]), y = factor_text(one.x[j]);
  text +=
      fmt::format("\n  pair 0: x' = {} · {} − {} · {} = {}\n", x, c, y, s, six_digits(one.y[i]));
  text += fmt::format("          y' = {} · {} + {} · {} = {}\n", x, s, y, c, six_digits(one.y[j]));
  return text;
}

std::string explanation(const ApplyStudy& study) {
  std::string text = fmt::format("\n  {},   φ = mθ_k\n", rule_of(study.form));
  if (study.direction == Direction::inverse)
    text += "  the opposite turn: sin φ has changed its sign\n";
  if (study.embedding.attention_factor != 1)
    text += study.direction == Direction::forward
                ? "  cos φ and sin φ hold the attention factor A\n"
                : "  cos φ and sin φ hold 1/A, of the attention factor A\n";
  for_each_rotated(study, [&](const Rotated& one) { text += explain(study, one); });
  return text;
}

std::string small_result(const ApplyStudy& study) {
  std::string text = "\n";
  for_each_rotated(study, [&](const Rotated& one) {
    text += fmt::format("  m = {}:", one.position);
    for (const double value : one.y) text += "  " + six_digits(value);
    text += '\n';
  });
  return text;
}

io::JsonValue pair_json(const ApplyStudy& study, const Rotated& one, std::size_t k) {
  const auto [i, j] = study.embedding.dimensions(k);
  const double theta = study.embedding.frequencies.theta[k];
  return {{"vector", one.vector},
          {"position", one.position},
          {"pair", k},
          {"dimensions", std::vector{i, j}},
          {"theta", theta},
          {"angle", static_cast<double>(one.position) * theta},
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

std::string apply_report(const ApplyStudy& study) {
  const TokenInput& input = study.input;
  std::string text = "y = R_m x\n\n";
  text += fmt::format("  input       {}\n", describe(input));
  text += fmt::format("  embedding   {}\n", describe(study.embedding));
  text += fmt::format("  positions   {}\n", describe(input.positions));
  text += fmt::format("  rotation    {}\n", direction_text(study));
  text += fmt::format("  arithmetic  {}\n", arithmetic_text(study));
  if (study.explain) return text + explanation(study);
  if (prints_result(study)) text += small_result(study);
  return text;
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
  std::vector<std::int64_t> positions;
  if (with_values)
    for_each_rotated(study, [&](const Rotated& one) {
      rows.emplace_back(one.y);
      positions.push_back(one.position);
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
