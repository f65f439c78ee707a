// The readers of csv take or refuse any text.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "rope/error.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/matrix_text.hpp"

namespace {

template <typename Action>
void taken_or_refused(Action action) {
  try {
    action();
  } catch (const rope::Error& error) {
    if (std::string(error.what()).find('\n') != std::string::npos) std::abort();  // one line
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  taken_or_refused([&] {
    const rope::io::NumberMatrix matrix = rope::io::parse_matrix(text, "m.csv");
    if (matrix.values.size() != matrix.rows * matrix.columns || matrix.rows == 0) std::abort();
  });
  taken_or_refused([&] {
    const rope::io::CsvTable table = rope::io::parse_csv(text, "t.csv");
    for (std::size_t column = 0; column < table.header().size(); ++column) {
      taken_or_refused([&] { static_cast<void>(table.numbers(column)); });
      taken_or_refused([&] { static_cast<void>(table.integers(column)); });
    }
  });
  return 0;
}
