// Is this kernel as accurate as float32 allows? Check it in your own tests.
#include <cmath>
#include <cstdio>
#include <rope/rope.hpp>

// The kernel under test: half layout, base 10000, 64 numbers per token, all in float32.
void kernel(std::int64_t position, const float* x, float* y) {
  for (int i = 0; i < 32; ++i) {
    const float angle = float(position) * (1 / std::pow(10000.0F, float(i) / 32));
    y[i] = x[i] * std::cos(angle) - x[i + 32] * std::sin(angle);
    y[i + 32] = x[i] * std::sin(angle) + x[i + 32] * std::cos(angle);
  }
}

int main() {
  const std::vector<std::int64_t> positions = {0, 1, 17, 4095, 131071};
  std::vector<float> x(5 * 64), y(5 * 64);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(float(i + 1));
  for (std::size_t t = 0; t < 5; ++t) kernel(positions[t], &x[64 * t], &y[64 * t]);
  const auto embedding = rope::default_embedding(64, 10000, rope::PairLayout::half);
  const auto result = rope::certify(embedding, *rope::find_policy("float32"), x, y, positions);
  std::printf("%s: the worst pair is off by %.3g of what is allowed\n", name(result.verdict).data(),
              result.report.worst.ratio());
  return result.verdict == rope::Verdict::pass ? 0 : 1;
}
