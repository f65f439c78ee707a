#include "rope/diagnose/nearest/reordered_rows.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace rope {
namespace {

constexpr std::size_t kLeastRows = 4;

/// Which row of x each row of y is; nothing if some row is none of x's or two are the same.
std::optional<std::vector<std::size_t>> rows_of(std::size_t rows, const Numbers& x,
                                                const Numbers& y) {
  const std::size_t size = x.size() / rows;
  std::vector<std::size_t> of_x(rows), of_y(rows), from(rows);
  std::iota(of_x.begin(), of_x.end(), std::size_t{0});
  std::iota(of_y.begin(), of_y.end(), std::size_t{0});
  const auto before = [size](const Numbers& of) {
    return [&of, size](std::size_t a, std::size_t b) {
      for (std::size_t i = 0; i < size; ++i)
        if (const double first = of[a * size + i], second = of[b * size + i]; first != second)
          return first < second;
      return false;
    };
  };
  const auto equal = [size](const Numbers& of, std::size_t a, const Numbers& other, std::size_t b) {
    for (std::size_t i = 0; i < size; ++i)
      if (of[a * size + i] != other[b * size + i]) return false;
    return true;
  };
  std::sort(of_x.begin(), of_x.end(), before(x));
  std::sort(of_y.begin(), of_y.end(), before(y));
  for (std::size_t i = 0; i < rows; ++i) {
    if (!equal(x, of_x[i], y, of_y[i])) return std::nullopt;
    if (i > 0 && equal(x, of_x[i], x, of_x[i - 1])) return std::nullopt;
    from[of_y[i]] = of_x[i];
  }
  return from;
}

/// Whether row j·K + i of every one of so many heads is the old row 2i + j, or the reverse.
bool converts(const std::vector<std::size_t>& from, std::size_t heads, bool to_half) {
  const std::size_t head = from.size() / heads, pairs = head / 2;
  for (std::size_t h = 0; h < heads; ++h)
    for (std::size_t k = 0; k < pairs; ++k)
      for (std::size_t j = 0; j < 2; ++j) {
        const std::size_t half = h * head + j * pairs + k, neighbour = h * head + 2 * k + j;
        if (to_half ? from[half] != neighbour : from[neighbour] != half) return false;
      }
  return true;
}

bool same(const Numbers& x, const Numbers& y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] != y[i]) return false;
  return true;
}

bool is_transposed(std::size_t rows, const Numbers& x, const Numbers& y) {
  if (x.size() != rows * rows) return false;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < rows; ++j)
      if (y[i * rows + j] != x[j * rows + i]) return false;
  return true;
}

KnownBug converted(std::size_t rows, std::size_t heads, bool to_half) {
  const std::string one = to_half ? "interleaved" : "half";
  const std::string other = to_half ? "half" : "interleaved";
  const std::string number = std::to_string(heads);
  KnownBug bug;
  bug.finding = "y holds the rows of x reordered from " + one + " to " + other + " for " + number +
                " heads of " + std::to_string(rows / heads);
  bug.remedy.name = "rows-converted";
  bug.remedy.text = "to bring x into the order of y: rope convert x.npy --from " + one + " --to " +
                    other + " --heads " + number + " -o x_" + other +
                    ".npy; unless the projection has " + number +
                    " heads, it was converted with the wrong number of heads";
  return bug;
}

/// As what the rows of y follow.
KnownBug order_of(const std::vector<std::size_t>& from) {
  const std::size_t rows = from.size();
  for (std::size_t heads = 1; heads <= rows / 4; ++heads)
    for (const bool to_half : {true, false})
      if (rows % (2 * heads) == 0 && converts(from, heads, to_half))
        return converted(rows, heads, to_half);
  KnownBug bug;
  bug.finding = "y holds the rows of x in another order";
  bug.remedy = {"rows-in-order", "put the rows of both in the same order"};
  return bug;
}

}  // namespace

std::optional<KnownBug> reordered_rows(std::span<const std::size_t> shape, const Numbers& x,
                                       const Numbers& y) {
  const std::size_t rows = shape.empty() ? 0 : shape.front();
  if (rows < kLeastRows || x.size() % rows != 0 || same(x, y)) return std::nullopt;
  KnownBug bug;
  if (is_transposed(rows, x, y)) {
    bug.finding = "y is x transposed: one is [out, in], the other [in, out]";
    bug.remedy = {"transposed", "transpose one of them"};
  } else {
    const std::optional<std::vector<std::size_t>> from = rows_of(rows, x, y);
    if (!from) return std::nullopt;
    bug = order_of(*from);
  }
  bug.residual = 0;
  bug.convention = "every number agrees";
  return bug;
}

}  // namespace rope
