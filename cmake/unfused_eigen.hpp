#pragma once

// Read before Eigen on 64-bit ARM (RopeNeon.cmake). Its loops for NEON ask for a·b + c in one
// rounding, whatever -ffp-contract says; those for SSE2 round twice. Here they round twice, too,
// and so give the same bits.

#include <arm_neon.h>  // has them still, for whoever else asks

#undef __ARM_FEATURE_FMA  // Eigen's Packet operations: vmlaq in place of vfmaq

// Its matrix products do not ask. vmlaq is a product and a sum: -ffp-contract=off keeps them apart.
#undef vfmaq_n_f32
#undef vfmaq_n_f64
#undef vfmaq_laneq_f32
#undef vfmaq_laneq_f64
#define vfmaq_n_f32(c, a, b) vmlaq_f32(c, a, vdupq_n_f32(b))
#define vfmaq_n_f64(c, a, b) vmlaq_f64(c, a, vdupq_n_f64(b))
#define vfmaq_laneq_f32(c, a, b, lane) vmlaq_f32(c, a, vdupq_laneq_f32(b, lane))
#define vfmaq_laneq_f64(c, a, b, lane) vmlaq_f64(c, a, vdupq_laneq_f64(b, lane))
