// The cos and sin tables of a Llama 3.1 kernel, float32, [8192 positions, 64 pairs]: cos.f32,
// sin.f32.
#include <cstdio>
#include <fstream>
#include <numeric>
#include <rope/rope.hpp>

void write(const char* path, const std::vector<float>& numbers) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(numbers.data()), 4 * std::ssize(numbers));
}

int main() {
  const rope::ModelRope llama = rope::preset_model("llama-3.1-8b");
  std::vector<std::int64_t> positions(8192);
  std::iota(positions.begin(), positions.end(), 0);
  const auto table = rope::rotation_table<float>(embedding_of(llama.layers.front()), positions);
  write("cos.f32", table.cos);
  write("sin.f32", table.sin);
  std::printf("%zu positions, %zu pairs; position 8191, pair 0: cos %.9g, sin %.9g\n",
              table.positions, table.pairs, table.cos[8191 * 64], table.sin[8191 * 64]);
}
