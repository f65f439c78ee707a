// The .safetensors reader takes or refuses any bytes; every tensor it takes lies in the file.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "rope/apply/convert_checkpoint.hpp"
#include "rope/error.hpp"
#include "rope/io/safetensors.hpp"
#include "rope/io/tensor.hpp"

namespace {

template <typename Action>
void taken_or_refused(Action action) {
  try {
    action();
  } catch (const rope::Error& error) {
    if (std::string(error.what()).find('\n') != std::string::npos) std::abort();  // one line
  }
}

void read_tensors(const std::shared_ptr<const rope::io::InputFile>& file) {
  const rope::io::SafetensorsHeader header = rope::io::read_safetensors_header(*file);
  for (const rope::io::SafetensorsEntry& entry : header.tensors) {
    if (entry.begin > entry.end || entry.end > file->size()) std::abort();
    taken_or_refused([&] {
      const rope::io::Tensor tensor(entry.name, rope::io::place_of(entry, "x"), file);
      std::vector<double> values(std::min<std::uint64_t>(tensor.count(), 1024));
      tensor.read(tensor.count() - values.size(), values);
    });
  }
  if (rope::io::safetensors_header(header).size() % 8 != 0) std::abort();
}

void convert(const std::shared_ptr<const rope::io::InputFile>& file, rope::HeadCounts counts) {
  std::uint64_t written = 0;
  const rope::CheckpointPlan plan =
      rope::plan_checkpoint(file, rope::PairLayout::interleaved, rope::PairLayout::half, counts);
  rope::convert_checkpoint(plan, [&](std::span<const char> bytes) { written += bytes.size(); });
  if (written < 8) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = rope::io::input_from_bytes(std::string(data, data + size), "x.safetensors");
  taken_or_refused([&] { read_tensors(file); });
  taken_or_refused([&] { convert(file, {2, 1, 0, 0}); });
  taken_or_refused([&] { convert(file, {1, 1, 4, 2}); });
  return 0;
}
