// Finds out which convention this code uses, from vectors before and after it.
#include <cmath>
#include <cstdio>
#include <rope/rope.hpp>

// The code in question: 12 tokens of 128 numbers.
void unknown_code(const std::vector<float>& x, std::vector<float>& y) {
  for (std::size_t i = 0; i < x.size(); i += 2) {
    const double angle = double(100 + i / 128) / std::pow(500000.0, double(i % 128) / 128);
    y[i] = float(x[i] * std::cos(angle) - x[i + 1] * std::sin(angle));
    y[i + 1] = float(x[i] * std::sin(angle) + x[i + 1] * std::cos(angle));
  }
}

int main() {
  const std::vector<std::size_t> shape = {12, 128};
  std::vector<float> x(12 * 128), y(12 * 128);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(float(i + 1));
  unknown_code(x, y);
  for (const rope::Explanation& e : rope::diagnose(shape, x, y).explanations)
    std::printf("layout %s, base %g, first position %+lld, as in %s\n", name(e.arrangement).c_str(),
                e.spectrum().embedding.base.value_or(0),
                static_cast<long long>(e.position_offset.value_or(0)),
                e.spectrum().also[0].c_str());
}
