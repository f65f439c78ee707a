#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "golden/reference_file.hpp"
#include "rope/rotary/rotation_matrix.hpp"

namespace rope::test {

/// One folder of data/reference/rotation.
struct RotationCase {
  std::string folder;
  std::size_t rotary_dim;
  double base;
  std::vector<std::string> half{};         ///< implementations with the half layout
  std::vector<std::string> interleaved{};  ///< implementations with the interleaved layout
};

inline std::vector<double> doubles(const RotationCase& one, const std::string& file) {
  return reference_array("rotation/" + one.folder + "/" + file + ".npy").doubles();
}

inline std::vector<float> floats(const RotationCase& one, const std::string& file) {
  std::vector<float> values;
  for (const double value : doubles(one, file)) values.push_back(static_cast<float>(value));
  return values;
}

/// The vectors of one case, one row for each head of each token.
struct RotationVectors {
  RotaryEmbedding embedding;
  std::vector<std::int64_t> positions;
  RowMatrix x;

  RotationVectors(const RotationCase& one, PairLayout layout)
      : embedding(default_embedding(one.rotary_dim, one.base, layout)) {
    const io::Tensor array = reference_array("rotation/" + one.folder + "/x.npy");
    const std::vector<double> values = array.doubles();
    const std::vector<std::int64_t> tokens =
        reference_array("rotation/" + one.folder + "/pos.npy").integers();
    for (const std::int64_t position : tokens)
      positions.insert(positions.end(), array.shape().at(1), position);
    embedding.head_dim = array.shape().at(2);
    x = Eigen::Map<const RowMatrix>(values.data(), static_cast<Eigen::Index>(positions.size()),
                                    static_cast<Eigen::Index>(embedding.head_dim));
  }

  std::size_t head_dim() const { return embedding.head_dim; }
};

}  // namespace rope::test
