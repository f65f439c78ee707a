#include "rope/io/c_order.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace rope::io {
namespace {

constexpr std::uint64_t kPanelBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t kBufferBytes = std::uint64_t{256} << 10;

/// Reads a file forwards in pieces, which may be tiny.
class ForwardReader {
 public:
  ForwardReader(const InputFile& file, std::uint64_t end) : file_(file), end_(end) {}

  /// The bytes from `offset` on, until the next call; no more than kBufferBytes.
  const char* read(std::uint64_t offset, std::uint64_t count) {
    if (offset < start_ || offset + count > start_ + buffer_.size()) {
      start_ = offset;
      buffer_.resize(std::min(kBufferBytes, end_ - offset));
      file_.read(start_, buffer_);
    }
    return buffer_.data() + (offset - start_);
  }

 private:
  const InputFile& file_;
  std::uint64_t end_;
  std::uint64_t start_ = 0;
  std::vector<char> buffer_;
};

class COrder final : public InputFile {
 public:
  COrder(const TensorPlace& place, std::shared_ptr<const InputFile> file)
      : InputFile(file->name()),
        place_(place),
        element_(size_of(place.type)),
        count_(element_count(place.shape).value_or(0)),
        file_(std::move(file)) {
    size_ = count_ * element_;
    std::uint64_t stride = 1;
    strides_.resize(place.shape.size());
    for (std::size_t axis = strides_.size(); axis-- > 0; stride *= place.shape[axis])
      strides_[axis] = stride;
  }

  void read(std::uint64_t offset, std::span<char> bytes) const override {
    while (!bytes.empty()) {
      if (offset < panel_start_ || offset >= panel_start_ + panel_.size()) load_panel(offset);
      const std::uint64_t at = offset - panel_start_;
      const std::uint64_t now = std::min<std::uint64_t>(bytes.size(), panel_.size() - at);
      std::copy_n(panel_.data() + at, now, bytes.data());
      bytes = bytes.subspan(now);
      offset += now;
    }
  }

 private:
  /// In Fortran order the elements of one column, all but the first index fixed, are neighbours.
  /// The columns are gone through as they are stored, and each is spread over the rows.
  void load_panel(std::uint64_t offset) const {
    panel_.clear();  // nothing is held if reading fails
    const std::uint64_t first = offset / element_;
    const std::uint64_t end = std::min(count_, first + kPanelBytes / element_);
    std::vector<char> panel((end - first) * element_);
    const std::uint64_t rows = place_.shape.front(), columns = strides_.front();
    ForwardReader reader(*file_, place_.offset + size_);
    std::vector<std::uint64_t> index(place_.shape.size(), 0);  // of the column; [0] stays 0
    std::uint64_t column = 0;                                  // its number in C order
    for (std::uint64_t stored = 0; stored < columns; ++stored) {
      // Rows r with first ≤ r·columns + column < end.
      std::uint64_t row = first <= column ? 0 : (first - column + columns - 1) / columns;
      const std::uint64_t to = end <= column ? 0 : (end - column + columns - 1) / columns;
      while (row < to) {
        const std::uint64_t run = std::min(to - row, kBufferBytes / element_);
        const char* from =
            reader.read(place_.offset + (stored * rows + row) * element_, run * element_);
        char* target = panel.data() + (row * columns + column - first) * element_;
        for (const std::uint64_t stop = row + run; row < stop; ++row) {
          std::memcpy(target, from, element_);
          from += element_;
          target += columns * element_;
        }
      }
      for (std::size_t axis = 1; axis < index.size(); ++axis) {  // the next column as stored
        column += strides_[axis];
        if (++index[axis] < place_.shape[axis]) break;
        column -= strides_[axis] * place_.shape[axis];
        index[axis] = 0;
      }
    }
    panel_ = std::move(panel);
    panel_start_ = first * element_;
  }

  TensorPlace place_;
  std::uint64_t element_;
  std::uint64_t count_;
  std::shared_ptr<const InputFile> file_;
  std::vector<std::uint64_t> strides_;  // in C order, in elements
  mutable std::vector<char> panel_;
  mutable std::uint64_t panel_start_ = 0;
};

}  // namespace

std::shared_ptr<const InputFile> in_c_order(const TensorPlace& place,
                                            std::shared_ptr<const InputFile> file) {
  return std::make_shared<COrder>(place, std::move(file));
}

}  // namespace rope::io
