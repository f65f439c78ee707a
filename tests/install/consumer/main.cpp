// Uses the installed library as any other project would, and checks one number of each layer.
#include <cmath>
#include <cstdio>
#include <vector>

#include "rope/attention/decay.hpp"
#include "rope/encodings/alibi.hpp"
#include "rope/error.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/tensor.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/rotation.hpp"

namespace {

int failures = 0;

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  ++failures;
}

}  // namespace

int main() {
  const rope::RotaryEmbedding embedding = rope::default_embedding(128, 10000);
  check(std::abs(rope::rotation_matrix(embedding, 1)(1, 0) - std::sin(1.0)) < 1e-15, "rotation");

  const std::vector<std::int64_t> zero = {0};
  check(rope::decay_curve(embedding.frequencies, zero).bound[0] == 32.5, "decay curve");

  check(rope::alibi_slopes(1).at(0) == 1.0 / 256, "slope of ALiBi");

  check(rope::RandomStream(0, 0).bits() == 0x16554d9eca36314cU, "random stream");

  const std::vector<double> values = {1, 2};
  check(rope::io::npy_tensor(rope::io::to_npy({2}, values), "two numbers").shape().at(0) == 2,
        "npy");

  try {
    rope::geometric_frequencies(10000, 7);
    check(false, "an odd size is refused");
  } catch (const rope::ShapeError&) {
  }
  return failures == 0 ? 0 : 1;
}
