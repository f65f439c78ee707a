// Arrays as a framework stores them, [batch, heads, tokens, head_dim], and what is wrong with them.
#include <cmath>
#include <iostream>
#include <numeric>
#include <rope/rope.hpp>

std::vector<std::int64_t> positions_from(std::int64_t first) {
  std::vector<std::int64_t> positions(16);
  std::iota(positions.begin(), positions.end(), first);
  return positions;
}

int main() {
  const rope::ModelRope qwen = rope::preset_model("Qwen/Qwen3-8B");
  const rope::RotaryEmbedding rotary = embedding_of(qwen.layers.front());
  const rope::ArrayAxes axes("BHTD", {1, 4, 16, 128});
  std::vector<float> x(axes.numbers());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(float(i + 1));
  // Stands in for the kernel under test, whose positions start at 1: it counts the new token.
  const std::vector<float> y = rope::rotate_array(rotary, axes, x, positions_from(1));
  const rope::Policy float32 = *rope::find_policy("float32");
  const auto result = rope::certify(rotary, float32, axes, x, y, positions_from(0));
  std::cout << rotary << "\n" << result.verdict << ", vector " << result.report.first->vector;
  std::cout << " first\n" << rope::diagnose(axes, x, y) << "\n";
}
