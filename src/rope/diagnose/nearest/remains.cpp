#include "rope/diagnose/nearest/remains.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "rope/diagnose/nearest/grids.hpp"
#include "rope/diagnose/samples.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"

namespace rope {
namespace {

constexpr std::size_t kLanesToShare = 2;

double root_mean_square(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return values.empty() ? 0 : std::sqrt(sum / static_cast<double>(values.size()));
}

/// How much of what is left, e, the vectors of a token share as they do the error of cos and sin: 1
/// where e is c·z, with one c for each pair of a token, and about 0 where each e has a sign of its
/// own. Signs alone make |Σ z̄e|² on average Σ|z|²|e|², however uneven the vectors are.
double shared(const RotatedTensors& tensors, std::span<const double> left, const Arrangement& a) {
  using Complex = std::complex<double>;
  double beyond_signs = 0, most = 0;
  for (std::size_t k = 0; k < a.pairs(); ++k) {
    const PairDimensions in = a.in_dimensions(k), out = a.out_dimensions(k);
    for (std::size_t t = 0; t < tensors.tokens; ++t) {
      Complex product = 0;
      double before = 0, after = 0, of_signs = 0;
      for (std::size_t lane = 0; lane < tensors.lanes; ++lane) {
        const std::size_t row = tensors.row(t, lane), of_left = tensors.dense_row(t, lane);
        const Complex z(tensors.x[row + in.first], tensors.x[row + in.second]);
        const Complex e(left[of_left + out.first], left[of_left + out.second]);
        product += std::conj(z) * e;
        before += std::norm(z);
        after += std::norm(e);
        of_signs += std::norm(z) * std::norm(e);
      }
      if (!(before > 0)) continue;
      beyond_signs += (std::norm(product) - of_signs) / before;
      most += after - of_signs / before;
    }
  }
  return most > 0 ? beyond_signs / most : 0;
}

/// How far the largest of some sizes stands above their median.
double peak(std::vector<double> sizes) {
  std::erase(sizes, 0.0);
  if (sizes.empty()) return 0;
  const double largest = largest_of(sizes);
  return largest / median_of(std::move(sizes));
}

}  // namespace

Remedy remedy_of_noise() {
  return {"matrix-noise", "give both sides the same x, so that only the rotation is compared"};
}

bool spread_as_noise(const RotatedTensors& tensors, std::span<const double> left,
                     const Arrangement& arrangement) {
  // Of n numbers of one size, roots of mean squares lie within a few 1/√n of each other; pairs of
  // other sizes have noise of theirs. An error of angles differs by powers of ten between pairs.
  constexpr double kAlike = 8;
  std::vector<double> alone, relative;
  for (std::size_t k = 0; k < arrangement.pairs(); ++k) {
    const PairDimensions in = arrangement.in_dimensions(k), out = arrangement.out_dimensions(k);
    double rest = 0, size = 0;
    for (std::size_t t = 0; t < tensors.tokens; ++t)
      for (std::size_t lane = 0; lane < tensors.lanes; ++lane) {
        const std::size_t row = tensors.row(t, lane), of_left = tensors.dense_row(t, lane);
        for (const std::size_t i : {out.first, out.second}) rest += std::pow(left[of_left + i], 2);
        for (const std::size_t i : {in.first, in.second}) size += std::pow(tensors.x[row + i], 2);
      }
    alone.push_back(std::sqrt(rest));
    relative.push_back(size > 0 ? std::sqrt(rest / size) : 0);
  }
  if (peak(std::move(alone)) > kAlike && peak(std::move(relative)) > kAlike) return false;
  return tensors.lanes < kLanesToShare || shared(tensors, left, arrangement) < 0.5;
}

Remains remains_of(const RotatedTensors& tensors, std::span<const double> left,
                   const Arrangement& arrangement, Format storage) {
  const double size = root_mean_square(left), of_x = root_mean_square(copied(tensors).x);
  const double residual = of_x > 0 ? size / of_x : 0;
  const Format input = narrowest_format(tensors, &RotatedTensors::x);
  const auto coarser = [](Format a, Format b) { return limits(a).precision < limits(b).precision; };
  const double once = limits(input).unit_roundoff;
  constexpr double kOfCaches = 1e-3;  // 8 bits and fewer leave more
  if (residual > kOfCaches)
    if (const std::string grid = grid_of(tensors); !grid.empty())
      return {
          "the rounding of " + grid,
          {"cache",
           "for --result, give the vectors as they were before they were quantised for the cache"}};
  constexpr double kSharedByAngles = 0.75;
  const bool by_angles =
      tensors.lanes >= kLanesToShare && shared(tensors, left, arrangement) > kSharedByAngles;
  if (coarser(input, storage) && residual <= 2 * once && residual >= 0.05 * once && !by_angles)
    return {"the rounding of x: x was saved in " + std::string(limits(input).name) +
                " but had been rotated in " + std::string(limits(storage).name),
            {"x-in-fewer-digits", "save x in the format in which it is rotated"}};
  // A rounding or two in the format of y, or a base that was fitted, leave no more.
  const double u = limits(storage).unit_roundoff;
  // Nor do angles in float64, which of far tokens are off by many of its units: what float32 had a
  // part in leaves a good deal of its own.
  const double least_of_float32 = limits(Format::float32).unit_roundoff / 64;
  const bool rounding = residual <= 4 * u || residual < least_of_float32;
  const double of_tables = limits(Format::bfloat16).unit_roundoff;
  if (by_angles && coarser(Format::float16, storage) && residual < of_tables && !rounding)
    return {
        "cos and sin with fewer digits, shared by all vectors of a token: 16-bit tables, fast-math "
        "functions (__sinf, __cosf), or rounded angles",
        {"fast-functions",
         "compute and keep the tables in float32 or wider, or compile the kernel without "
         "-use_fast_math"}};
  if (storage == Format::float32 && residual < 1e-4 && !rounding)
    return {"the noise of a float32 matrix product: q_proj summed in another order",
            remedy_of_noise()};
  // One rounding leaves about 0.4 of its unit in the root mean square, two 0.56.
  if (coarser(storage, Format::float32) && residual <= u)
    return {"the noise of a matrix product in " + std::string(limits(storage).name) +
                ", or a cast that no pipeline known to rope makes",
            remedy_of_noise()};
  if (storage == Format::float64 && residual < 1e-6 && !rounding)
    return {
        "rounding in float32 somewhere before a float64 result",
        {"float32-between", "compute x, angles, cos and sin in float64, or compare in float32"}};
  return {};
}

}  // namespace rope
