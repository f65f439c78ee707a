#include "apply/golden.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "rope/io/file.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/quote.hpp"
#include "rope/pictures/embedding_text.hpp"
#include "shown/policy.hpp"
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
    refuse("--golden", "the beginning of file names, or a folder", "an empty one",
           "For example --golden vectors_");
  if (prefix.ends_with('/') || !std::filesystem::is_directory(prefix, ignored)) return prefix;
  return prefix + "/";
}

}  // namespace

void write_golden(const GoldenVectors& golden, const std::string& prefix,
                  std::span<const std::string> read, const Console& console) {
  const Console report = console.quiet() ? console.answer_alone() : console;
  const std::string start = whole_prefix(prefix);
  const std::vector<GoldenFile> files = golden_files(golden);
  for (const GoldenFile& file : files) refuse_replacing("--golden", start + file.name, read);
  if (start.ends_with('/')) make_folder(start);
  for (const GoldenFile& file : files) io::check_writable(start + file.name);
  const std::size_t d = golden.embedding.head_dim;
  report.say(report.paint(
      Ink::strong,
      fmt::format("Test vectors for {}: {} of {} numbers, their exact rotations, and what each may "
                  "be off by.",
                  golden.policy.name, counted(golden.x.size() / d, "vector"), d)));
  Table table({{"", Table::Align::left}, {"", Table::Align::left}});
  table.add_row({"embedding", describe(golden.embedding)});
  table.add_row({"policy", golden.policy.name + ": " + stages_text(golden.policy)});
  table.add_row({"vectors", io::shape_text(golden.shape)});
  report.print(table);
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
