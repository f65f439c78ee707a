#include "rope/apply/convert_tensor.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "rope/error.hpp"
#include "rope/rotary/layout_permutation.hpp"

namespace rope {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{2} << 20;

using Take = std::function<void(std::span<const char>)>;

/// Hands on elements [first, first + count) as they are.
void copy_elements(const io::Tensor& x, std::uint64_t first, std::uint64_t count,
                   const Take& take) {
  const std::size_t size = size_of(x.type());
  const std::uint64_t step = kBufferBytes / size;
  std::vector<char> bytes(std::min(count, step) * size);
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t now = std::min(count - done, step);
    const std::span<char> part = std::span(bytes).first(now * size);
    x.read_bytes(first + done, part);
    take(part);
    done += now;
  }
}

/// Moves whole heads, of which many fit into a buffer. Of each, `row` elements move together.
class HeadMover {
 public:
  HeadMover(const io::Tensor& x, const std::vector<std::size_t>& source, std::uint64_t row,
            const Take& take)
      : x_(x), source_(source), row_(row), take_(take) {}

  /// Moves `heads` heads from element `first` on.
  void move(std::uint64_t first, std::uint64_t heads) {
    const std::uint64_t head = source_.size() * row_;
    const std::uint64_t head_bytes = head * size_of(x_.type());
    if (head_bytes > kBufferBytes) {
      for (std::uint64_t h = 0; h < heads; ++h) move_row_by_row(first + h * head);
      return;
    }
    const std::uint64_t step = kBufferBytes / head_bytes;
    for (std::uint64_t h = 0; h < heads; h += step)
      move_in_memory(first + h * head, std::min(step, heads - h));
  }

 private:
  void move_row_by_row(std::uint64_t first) const {
    for (const std::size_t from : source_) copy_elements(x_, first + from * row_, row_, take_);
  }

  void move_in_memory(std::uint64_t first, std::uint64_t heads) {
    const std::size_t row_bytes = row_ * size_of(x_.type());
    const std::size_t head_bytes = source_.size() * row_bytes;
    old_.resize(heads * head_bytes);
    new_.resize(old_.size());
    x_.read_bytes(first, old_);
    for (std::size_t head = 0; head < old_.size(); head += head_bytes)
      for (std::size_t i = 0; i < source_.size(); ++i)
        std::memcpy(new_.data() + head + i * row_bytes, old_.data() + head + source_[i] * row_bytes,
                    row_bytes);
    take_(new_);
  }

  const io::Tensor& x_;
  const std::vector<std::size_t>& source_;
  std::uint64_t row_;
  const Take& take_;
  std::vector<char> old_, new_;
};

}  // namespace

void check_conversion(const io::Tensor& x, const HeadAxis& heads, const LayoutChange& change) {
  static_cast<void>(layout_permutation(change.from, change.to, heads.head_dim, change.rotary_dim));
  const io::Shape& shape = x.shape();
  if (heads.axis >= shape.size())
    throw ShapeError(x.name() + ": expected heads along axis " + std::to_string(heads.axis) +
                         ", found shape " + io::shape_text(shape),
                     "Axes are counted from 0.");
  const std::uint64_t length = shape[heads.axis];
  if (heads.heads > length / heads.head_dim)
    throw ShapeError(x.name() + ": expected at least " + std::to_string(heads.heads) +
                         " heads of " + std::to_string(heads.head_dim) + " along axis " +
                         std::to_string(heads.axis) + ", found shape " + io::shape_text(shape),
                     "Heads follow each other along one axis.");
}

void convert_tensor(const io::Tensor& x, const HeadAxis& heads, const LayoutChange& change,
                    const Take& take) {
  check_conversion(x, heads, change);
  const std::vector<std::size_t> source =
      layout_permutation(change.from, change.to, heads.head_dim, change.rotary_dim);
  const io::Shape& shape = x.shape();
  const std::uint64_t length = shape[heads.axis];
  if (x.count() == 0) return;
  std::uint64_t outer = 1, row = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    (axis < heads.axis ? outer : row) *= axis == heads.axis ? 1 : shape[axis];
  const std::uint64_t converted = heads.heads * heads.head_dim;
  HeadMover mover(x, source, row, take);
  if (converted == length) {  // heads of all outer indices are neighbours
    mover.move(0, outer * heads.heads);
    return;
  }
  for (std::uint64_t o = 0; o < outer; ++o) {
    mover.move(o * length * row, heads.heads);
    copy_elements(x, (o * length + converted) * row, (length - converted) * row, take);
  }
}

}  // namespace rope
