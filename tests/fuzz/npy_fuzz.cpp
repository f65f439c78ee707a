// The .npy reader takes or refuses any bytes, and reads no element that is not there.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/tensor.hpp"

namespace {

void read_everything(const std::string& bytes, bool bits) {
  const rope::io::Tensor tensor = rope::io::npy_tensor(bytes, "x.npy", {bits});
  std::vector<double> values(std::min<std::uint64_t>(tensor.count(), 4096));
  tensor.read(0, values);
  tensor.read(tensor.count() - values.size(), values);
  if (!rope::io::is_floating(tensor.type())) {
    std::vector<std::int64_t> integers(values.size());
    tensor.read(0, integers);
  }
  // What was read can be written and is read back alike.
  if (tensor.shape().size() > 1000) return;
  std::string again = rope::io::npy_header(tensor.type(), tensor.shape());
  std::string data(values.size() == tensor.count() ? tensor.count() * size_of(tensor.type()) : 0,
                   '\0');
  if (data.empty()) return;
  tensor.read_bytes(0, data);
  again += data;
  if (rope::io::npy_tensor(again, "y.npy").shape() != tensor.shape()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  for (const bool bits : {false, true}) {
    try {
      read_everything(bytes, bits);
    } catch (const rope::Error& error) {
      if (std::string(error.what()).find('\n') != std::string::npos) std::abort();  // one line
    }
  }
  return 0;
}
