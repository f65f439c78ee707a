#pragma once

namespace rope {

/// e^x, computed with only + − ×, so that attention weights have the same bits on every machine.
///
/// Accuracy  2.5e-16 relative where the result is a normal number: measured against 64-bit
///           significands by tests/laws/attention_laws_test.cpp.
/// Edge      0 below −745.2, infinity above 709.79; NaN stays NaN; e^0 is 1.
double exponential(double x);

/// The natural logarithm, computed by exact operations and a series: it has the same bits on every
/// machine.
///
/// Accuracy  6e-16 relative.
/// Edge      −∞ for 0, ∞ for ∞, NaN below 0 and for NaN.
double logarithm(double x);

}  // namespace rope
