#include "rope/documents/golden.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "rope/apply/rotate_tensor.hpp"
#include "rope/documents/embedding.hpp"
#include "rope/documents/policy.hpp"
#include "rope/error.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/json.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/quote.hpp"

namespace rope {
namespace {

constexpr std::string_view kSchema = "rope.golden/2";
constexpr std::size_t kHeads = 2;
constexpr std::uint64_t kMostNumbers = std::uint64_t{1} << 20;

void check_count(std::uint64_t numbers) {
  if (numbers > kMostNumbers)
    throw ShapeError(Subject{"golden"},
                     fmt::format("expected at most {} numbers, got {}", kMostNumbers, numbers),
                     "A few positions reveal a mistake as well as many do.");
}

/// Each element in hexadecimal, so that no reader of decimals can get it wrong.
std::string hex_csv(const GoldenVectors& golden) {
  const std::size_t d = golden.embedding.head_dim;
  std::vector<std::int64_t> vectors, positions, dimensions;
  std::vector<std::string> x, y, bound;
  for (std::size_t i = 0; i < golden.x.size(); ++i) {
    vectors.push_back(static_cast<std::int64_t>(i / d));
    positions.push_back(golden.positions[i / d]);
    dimensions.push_back(static_cast<std::int64_t>(i % d));
    x.push_back(fmt::format("{:a}", golden.x[i]));
    y.push_back(fmt::format("{:a}", golden.y[i]));
    bound.push_back(fmt::format("{:a}", golden.bound[i]));
  }
  return io::to_csv({{"vector", std::move(vectors)},
                     {"position", std::move(positions)},
                     {"dimension", std::move(dimensions)},
                     {"x", std::move(x)},
                     {"y", std::move(y)},
                     {"bound", std::move(bound)}});
}

std::string description(const GoldenVectors& golden) {
  return io::JsonValue{
      {"schema", kSchema},
      {"rotary", rotary_json(golden.embedding)},
      {"inv_freq", golden.embedding.frequencies.theta},
      {"policy", policy_json(golden.policy)},
      {"shape", golden.shape},
      {"token_axis", golden.token_axis},
      {"input_format", limits(golden.policy.input()).name},
      {"rule",
       "rotate x by the positions; every |output - y| must be at most bound, element by element; "
       "x, y and bound are float64; positions are int64, one per token"}}
      .document();
}

/// The positions as `--positions` takes them: one per token, of each batch.
struct PositionArray {
  io::Shape shape;
  std::vector<std::int64_t> values;
};

PositionArray position_array(const GoldenVectors& golden) {
  const std::size_t axes =
      std::min(static_cast<std::size_t>(golden.token_axis) + 1, golden.shape.size() - 1);
  PositionArray array;
  array.shape.assign(golden.shape.begin(),
                     golden.shape.begin() + static_cast<std::ptrdiff_t>(axes));
  const std::size_t tokens = *io::element_count(array.shape);
  const std::size_t inner = tokens == 0 ? 1 : golden.positions.size() / tokens;
  for (std::size_t vector = 0; vector < golden.positions.size(); vector += inner)
    array.values.push_back(golden.positions[vector]);
  return array;
}

}  // namespace

GoldenVectors random_golden(const RotaryEmbedding& embedding, const Policy& policy,
                            const std::vector<std::int64_t>& positions, std::uint64_t seed) {
  check_count(std::uint64_t{positions.size()} * kHeads * embedding.head_dim);
  return {random_test_vectors(embedding, policy, positions, kHeads, seed),
          {positions.size(), kHeads, embedding.head_dim},
          0};
}

void check_golden(const TokenInput& input) {
  check_count(input.tensor.count());
  if (input.tensor.count() == 0)
    throw ShapeError(
        Subject{"golden"},
        fmt::format("expected at least one vector in {}, got shape {}",
                    io::in_quotes(input.tensor.name()), io::shape_text(input.tensor.shape())),
        "Without vectors, nothing is tested.");
}

GoldenVectors golden_of(const TokenInput& input, const RotaryEmbedding& embedding,
                        const Policy& policy) {
  TestVectorMaker maker(embedding, policy);
  const std::size_t d = input.axes.head_dim;
  TensorVisitor visitor;
  visitor.run = [&](const TokenRun& run) {
    for (std::size_t start = 0; start < run.x.size(); start += d)
      maker.add(run.position[0], run.x.subspan(start, d));
  };
  visit_vectors(input.tensor, input.axes, input.positions, visitor);
  return {maker.take(), input.tensor.shape(), input.token_axis};
}

std::optional<io::Shape> golden_shape(std::string_view json) {
  try {
    const io::Json document = io::parse_json(json, "golden.json");
    if (!document.is_object() || document.value("schema", "") != kSchema) return std::nullopt;
    return document.at("shape").get<io::Shape>();
  } catch (const Error&) {
    return std::nullopt;
  } catch (const io::Json::exception&) {
    return std::nullopt;
  }
}

std::vector<GoldenFile> golden_files(const GoldenVectors& golden) {
  const PositionArray positions = position_array(golden);
  return {{"x.npy", io::to_npy(golden.shape, golden.x)},
          {"positions.npy", io::to_npy(positions.shape, positions.values)},
          {"y.npy", io::to_npy(golden.shape, golden.y)},
          {"bound.npy", io::to_npy(golden.shape, golden.bound)},
          {"vectors.csv", hex_csv(golden)},
          {"golden.json", description(golden)}};
}

}  // namespace rope
