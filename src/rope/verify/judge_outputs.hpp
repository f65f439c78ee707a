#pragma once

#include <functional>

#include "rope/verify/certify.hpp"
#include "rope/verify/output_check.hpp"

namespace rope {

/// The largest documented error of vectorised cos and sin, in ulp: glibc's libmvec and NumPy's have
/// up to 4, SLEEF's up to 3.5, CUDA's up to 2.
inline constexpr double kVectorLibmUlp = 4;

/// The judgement behind certify, for outputs that are not in memory: `add` gives every vector, or
/// every row of the tables, to the check it is handed. After a failure it is called again, with
/// checks that assume a worse cos and sin.
///
/// `result`: the type the results are kept in.
Certification judge_outputs(const RotaryEmbedding& embedding, const Policy& policy, Format result,
                            const Hypotheses& assumed,
                            const std::function<void(OutputCheck&)>& add);

}  // namespace rope
