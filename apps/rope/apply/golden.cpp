#include "apply/golden.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "named/positions.hpp"
#include "rope/apply/rotate_tensor.hpp"
#include "rope/error.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/file.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/quote.hpp"
#include "rope/pictures/embedding_text.hpp"
#include "shown/policy.hpp"
#include "shown/rotary_json.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"
#include "usage/numbers.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kHeads = 2;
constexpr std::uint64_t kMostNumbers = std::uint64_t{1} << 20;
void check_size(std::uint64_t numbers) {
  if (numbers > kMostNumbers)
    throw ShapeError(
        fmt::format("--golden: expected at most {} numbers, got {}", kMostNumbers, numbers),
        "A few positions show a mistake as well as many.");
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
      {"schema", "rope.golden/2"},
      {"rotary", rotary_json(golden.embedding)},
      {"inv_freq", golden.embedding.frequencies.theta},
      {"policy", policy_json(golden.policy)},
      {"shape", golden.shape},
      {"token_axis", golden.token_axis},
      {"input_format", limits(golden.policy.input()).name},
      {"rule",
       "rotate x by the positions; every |output - y| must be at most bound, element by element; "
       "all three are float64, positions are int64, one per token"}}
      .document();
}

/// The positions as `--positions` takes them: one per token, of each batch.
struct PositionArray {
  io::Shape shape;
  std::vector<std::int64_t> values;
};

PositionArray token_positions(const GoldenVectors& golden) {
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

std::string whole_prefix(const std::string& prefix) {
  std::error_code ignored;
  if (prefix.empty())
    refuse("--golden", "the beginning of file names, or a folder", "an empty one",
           "For example --golden vectors_");
  if (prefix.ends_with('/') || !std::filesystem::is_directory(prefix, ignored)) return prefix;
  return prefix + "/";
}

}  // namespace

GoldenVectors random_golden(const RotaryEmbedding& embedding, const Policy& policy,
                            const std::vector<std::int64_t>& positions, std::uint64_t seed) {
  check_size(std::uint64_t{positions.size()} * kHeads * embedding.head_dim);
  return {random_test_vectors(embedding, policy, positions, kHeads, seed),
          {positions.size(), kHeads, embedding.head_dim},
          0};
}

void check_golden(const TokenInput& input) {
  check_size(input.tensor.count());
  if (input.tensor.count() == 0)
    refuse("--golden", "at least one vector in " + io::in_quotes(input.tensor.name()),
           "shape " + io::shape_text(input.tensor.shape()), "Without vectors nothing is tested.");
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

void write_golden(const GoldenVectors& golden, const std::string& prefix, const Console& console) {
  const std::string start = whole_prefix(prefix);
  const PositionArray positions = token_positions(golden);
  const std::array<std::pair<std::string, std::string>, 6> files = {{
      {"x.npy", io::to_npy(golden.shape, golden.x)},
      {"positions.npy", io::to_npy(positions.shape, positions.values)},
      {"y.npy", io::to_npy(golden.shape, golden.y)},
      {"bound.npy", io::to_npy(golden.shape, golden.bound)},
      {"vectors.csv", hex_csv(golden)},
      {"golden.json", description(golden)},
  }};
  for (const auto& [name, bytes] : files) io::check_writable(start + name);
  const std::size_t d = golden.embedding.head_dim;
  console.say(console.paint(
      Ink::strong,
      fmt::format("Test vectors for {}: {} of {} numbers, their exact rotations, and what each may "
                  "be off by.",
                  golden.policy.name, counted(golden.x.size() / d, "vector"), d)));
  Table table({{"", Table::Align::left}, {"", Table::Align::left}});
  table.add_row({"embedding", describe(golden.embedding)});
  table.add_row({"policy", golden.policy.name + ": " + stages_text(golden.policy)});
  table.add_row({"vectors", io::shape_text(golden.shape)});
  console.print(table);
  // They belong together: none takes its name before all are on the disk.
  std::vector<std::unique_ptr<io::FileWriter>> writers;
  for (const auto& [name, bytes] : files) {
    writers.push_back(std::make_unique<io::FileWriter>(start + name));
    writers.back()->append(bytes);
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    writers[i]->commit();
    console.print("wrote " + io::printable(start + files.at(i).first, 4096) + "\n");
  }
}

}  // namespace rope::app
