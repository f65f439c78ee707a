#pragma once

#include <functional>

#include "rope/verify/certify.hpp"
#include "rope/verify/output_check.hpp"

namespace rope {

/// The largest documented error of vectorised cos and sin, in ulp: up to 4 for glibc's libmvec and
/// NumPy, up to 3.5 for SLEEF, and up to 2 for CUDA.
inline constexpr double kVectorLibmUlp = 4;

/// Judges outputs that are not in memory, in the same way as certify: `add` passes every vector, or
/// every row of the tables, to the check that it receives. After a failure, `add` is called again
/// with checks that assume less accurate cos and sin.
///
/// `result`: the type of the results.
Certification judge_outputs(const RotaryEmbedding& embedding, const Policy& policy, Format result,
                            const Hypotheses& assumed,
                            const std::function<void(OutputCheck&)>& add);

}  // namespace rope
