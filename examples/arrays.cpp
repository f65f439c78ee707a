// Arrays as a framework keeps them, [batch, heads, tokens, head_dim], and what is wrong with them.
#include <cmath>
#include <iostream>
#include <rope/rope.hpp>

// The kernel under test. Its positions start at 1: a cache that counts the token just written.
std::vector<float> kernel(const rope::RotaryEmbedding& rotary, const rope::ArrayAxes& axes,
                          const std::vector<float>& x) {
  std::vector<std::int64_t> positions;
  for (std::size_t t = 0; t < axes.tokens(); ++t) positions.push_back(std::int64_t(t) + 1);
  return rope::rotate_array(rotary, axes, x, positions);
}

int main() {
  const rope::ModelRope qwen = rope::preset_model("Qwen/Qwen3-8B");
  const rope::RotaryEmbedding rotary = embedding_of(qwen.layers.front());
  const rope::ArrayAxes axes("BHTD", {1, 4, 16, 128});
  std::vector<float> x(axes.numbers());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(float(i + 1));
  const std::vector<float> y = kernel(rotary, axes, x);

  std::vector<std::int64_t> positions;
  for (std::size_t t = 0; t < axes.tokens(); ++t) positions.push_back(std::int64_t(t));
  std::cout << rotary << "\n";
  const auto result = rope::certify(rotary, *rope::find_policy("float32"), axes, x, y, positions);
  std::cout << result.verdict << ", vector " << result.report.first->vector << " first\n";
  std::cout << rope::diagnose(axes, x, y) << "\n";
}
