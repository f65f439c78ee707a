#include "usage/own_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/csv.hpp"
#include "rope/plot/png_mark.hpp"

namespace rope::app {
namespace {

/// The first bytes of a file; nothing where it cannot be read.
std::string beginning_of(const std::string& path) {
  constexpr std::size_t kMost = std::size_t{1} << 20;  // of a header with a label a column
  std::ifstream file(path, std::ios::binary);
  std::string bytes(kMost, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return bytes;
}

bool has_header_of(std::string_view text, ColumnNames columns) {
  std::vector<std::string> header;
  try {
    header = io::parse_csv(text.substr(0, text.find('\n')), "header").header();
  } catch (const Error&) {
    return false;
  }
  return header.size() > 1 && std::ranges::all_of(header, [&](const std::string& name) {
           return name == "curve" ||  // of --tidy
                  std::ranges::count(columns, name.substr(0, name.find('['))) > 0;
         });
}

}  // namespace

bool is_own_file(const OutputFile& file, ColumnNames columns) {
  std::error_code error;
  if (std::filesystem::file_size(file.path, error) == 0 && !error) return true;
  const std::string bytes = beginning_of(file.path);
  return is_picture(file.format) ? plot::has_mark(bytes) : has_header_of(bytes, columns);
}

}  // namespace rope::app
