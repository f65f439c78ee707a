#include "apply/golden.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/file.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/quote.hpp"
#include "rope/io/tensor.hpp"
#include "rope/words/embedding_text.hpp"
#include "rope/words/policy_text.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"
#include "usage/numbers.hpp"
#include "usage/output.hpp"
#include "usage/read_files.hpp"

namespace rope::app {
namespace {

std::string whole_prefix(const std::string& prefix) {
  std::error_code ignored;
  if (prefix.empty())
    refuse("--golden", "a prefix for file names, or a folder", "an empty string",
           "For example --golden vectors_");
  if (prefix.ends_with('/') || !std::filesystem::is_directory(prefix, ignored)) return prefix;
  return prefix + "/";
}

constexpr std::string_view kGoldenJson = "golden.json";
constexpr std::size_t kLargestGolden = std::size_t{1} << 30;

bool file_is_there(const std::string& path) {
  std::error_code ignored;
  return !io::written_descriptor(path) && std::filesystem::is_regular_file(path, ignored) &&
         std::filesystem::file_size(path, ignored) > 0;
}

bool holds_bytes(const std::string& path, const std::string& bytes) {
  std::error_code ignored;
  return std::filesystem::file_size(path, ignored) == bytes.size() &&
         io::read_file(path, kLargestGolden) == bytes;
}

/// Whether a file may be one of the test vectors whose x.npy is of that shape.
bool is_of_set(const std::string& path, const std::string& name, const io::Shape& shape) {
  if (!name.ends_with(".npy")) return true;
  try {
    const io::Tensor tensor = io::open_tensor(path);
    if (name == "positions.npy") return tensor.type() == io::ElementType::int64;
    return tensor.type() == io::ElementType::float64 && tensor.shape() == shape;
  } catch (const Error&) {
    return false;
  }
}

/// The shape of the test vectors that rope wrote there before, by what golden.json says.
std::optional<io::Shape> old_shape(const std::string& start) {
  const std::string path = start + std::string(kGoldenJson);
  if (!file_is_there(path)) return std::nullopt;
  return golden_shape(io::read_file(path, kLargestGolden));
}

/// Refuses to replace files that are no test vectors: others' x.npy and y.npy are called so too.
void refuse_losing(const std::string& start, const std::vector<GoldenFile>& files) {
  const std::optional<io::Shape> old = old_shape(start);
  std::vector<std::string> lost;
  for (const auto& [name, bytes] : files) {
    const std::string path = start + name;
    if (!file_is_there(path) || holds_bytes(path, bytes)) continue;
    if (!old || !is_of_set(path, name, *old)) lost.push_back(io::in_quotes(path));
  }
  if (lost.empty()) return;
  refuse("--golden", "unused file names, or those of test vectors written by rope",
         listed({lost.begin(), lost.end()}),
         "Choose another prefix, for example --golden vectors_, or move " +
             std::string(lost.size() == 1 ? "it" : "them") + " away.");
}

}  // namespace

void write_golden(const GoldenVectors& golden, const std::string& prefix,
                  std::span<const std::string> read, const Console& console) {
  const Console report = console.quiet() ? console.answer_alone() : console;
  const std::string start = whole_prefix(prefix);
  const std::vector<GoldenFile> files = golden_files(golden);
  for (const GoldenFile& file : files) refuse_replacing("--golden", start + file.name, read);
  refuse_losing(start, files);
  if (start.ends_with('/')) make_folder(start);
  for (const GoldenFile& file : files) io::check_writable(start + file.name);
  const std::size_t d = golden.embedding.head_dim;
  report.say(report.paint(
      Ink::strong,
      fmt::format("Test vectors for policy {}: {} of {} numbers, their exact rotations, "
                  "and the error allowed in each number.",
                  golden.policy.name, counted(golden.x.size() / d, "vector"), d)));
  Table table({{"", Table::Align::left}, {"", Table::Align::left}});
  table.add_row({"embedding", describe(golden.embedding)});
  table.add_row({"policy", golden.policy.name + ": " + stages_text(golden.policy)});
  table.add_row({"vectors", io::shape_text(golden.shape)});
  report.print(table, "What the test vectors are made of");
  // They belong together: none takes its name before all are on the disk.
  std::vector<std::unique_ptr<io::FileWriter>> writers;
  for (const auto& [name, bytes] : files) {
    writers.push_back(std::make_unique<io::FileWriter>(start + name));
    writers.back()->append(bytes);
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string line = written_line(start + files[i].name);
    writers[i]->commit();
    if (!console.quiet()) console.tell_file(line);
  }
}

}  // namespace rope::app
