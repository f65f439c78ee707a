// Feeds files to a fuzz target: the corpus becomes an ordinary test, with any compiler.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

/// Runs one file, and everything a file becomes when it is cut short.
void replay(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> content{std::istreambuf_iterator<char>(stream), {}};
  std::vector<std::uint8_t> bytes(content.begin(), content.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  constexpr std::size_t kMostCuts = 400;
  for (std::size_t length = 0; length < std::min(bytes.size(), kMostCuts); ++length)
    LLVMFuzzerTestOneInput(bytes.data(), length);
}

}  // namespace

/// replay FOLDER…: exit 0 if no input did harm, 1 if there was none.
int main(int argc, char** argv) {
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      std::printf("%s\n", entry.path().c_str());
      std::fflush(stdout);
      replay(entry.path());
      ++count;
    }
  std::printf("%zu inputs\n", count);
  return count > 0 ? 0 : 1;
}
