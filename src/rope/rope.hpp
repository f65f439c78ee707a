#pragma once

// Everything a user of the library needs, except for the dense matrices of
// rope/rotary/rotation_matrix.hpp, which require Eigen. docs/library.md shows how to use the
// library.

#include "rope/attention/base_bounds.hpp"
#include "rope/attention/context_bound.hpp"
#include "rope/attention/decay.hpp"
#include "rope/diagnose/arrays.hpp"
#include "rope/diagnose/disagreements.hpp"
#include "rope/error.hpp"
#include "rope/model/known_embeddings.hpp"
#include "rope/model/presets.hpp"
#include "rope/model/read_model.hpp"
#include "rope/precision/policy.hpp"
#include "rope/rotary/arrays.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/rotary/layout_permutation.hpp"
#include "rope/rotary/rotate_heads.hpp"
#include "rope/rotary/rotation.hpp"
#include "rope/rotary/rotation_table.hpp"
#include "rope/scaling/scaling.hpp"
#include "rope/verify/certify.hpp"
#include "rope/words/describe.hpp"
