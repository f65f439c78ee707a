// Published mistakes, each as what it makes of a token. No mistake is looked for where a rotation
// explains y.

#include "rope/diagnose/nearest/known_bugs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/nearest/least_squares.hpp"
#include "rope/diagnose/samples.hpp"
#include "rope/precision/largest.hpp"

namespace rope {
namespace {

constexpr double kMostOfBug =
    0.02;  // of |x|: more than 8-bit numbers leave, far less than a wrong form

/// One vector, before; and the cosines and sines of its pairs.
struct BugVector {
  std::span<const double> x, cos, sin;
  std::size_t pairs() const { return cos.size(); }
};

/// (−x_{K…}, x_{0…}): what rotate_half makes.
double turned_half(const BugVector& v, std::size_t i) {
  return i < v.pairs() ? -v.x[i + v.pairs()] : v.x[i - v.pairs()];
}
/// (−x_1, x_0, −x_3, x_2 …).
double turned_neighbour(const BugVector& v, std::size_t i) {
  return i % 2 == 0 ? -v.x[i + 1] : v.x[i - 1];
}

/// What a mistake puts in dimension i of the rotated block.
struct BugForm {
  RemedyName name;
  const char* finding;
  const char* remedy;
  double (*made)(const BugVector&, std::size_t i);
};

constexpr std::array kForms = {
    BugForm{
        "half-with-interleaved-tables",
        "rotate_half (half layout) runs on tables whose columns are repeated as in interleaved "
        "layout (repeat_interleave)",
        "for half layout, make the tables as cat((freqs, freqs), dim=-1); for interleaved layout, "
        "rotate neighbouring dimensions",
        [](const BugVector& v, std::size_t i) {
          return v.x[i] * v.cos[i / 2] + turned_half(v, i) * v.sin[i / 2];
        }},
    BugForm{
        "interleaved-with-half-tables",
        "neighbouring dimensions (interleaved layout) are rotated by tables whose columns are "
        "repeated as in half layout (cat)",
        "for interleaved layout, make the tables as repeat_interleave(freqs, 2, dim=-1); for half "
        "layout, use rotate_half",
        [](const BugVector& v, std::size_t i) {
          return v.x[i] * v.cos[i % v.pairs()] + turned_neighbour(v, i) * v.sin[i % v.pairs()];
        }},
    BugForm{"half-without-minus",
            "the minus sign in rotate_half is missing: y = x cos + (x2, x1) sin",
            "make rotate_half return cat((-x2, x1), dim=-1)",
            [](const BugVector& v, std::size_t i) {
              const double other = i < v.pairs() ? -turned_half(v, i) : turned_half(v, i);
              return v.x[i] * v.cos[i % v.pairs()] + other * v.sin[i % v.pairs()];
            }},
    BugForm{"interleaved-without-minus",
            "the minus sign is missing from the rotation of neighbouring dimensions: y_2i = x_2i "
            "cos + x_2i+1 sin",
            "subtract in the first number of every pair: x_2i cos − x_2i+1 sin",
            [](const BugVector& v, std::size_t i) {
              return v.x[i] * v.cos[i / 2] + (i % 2 == 0 ? v.x[i + 1] : v.x[i - 1]) * v.sin[i / 2];
            }},
    BugForm{
        "halves-exchanged", "the halves of the rotated vector are exchanged",
        "put the first numbers of the pairs first: cat((x1 cos - x2 sin, x2 cos + x1 sin), dim=-1)",
        [](const BugVector& v, std::size_t i) {
          const std::size_t k = i % v.pairs(), other = (i + v.pairs()) % (2 * v.pairs());
          return v.x[other] * v.cos[k] + turned_half(v, other) * v.sin[k];
        }},
    BugForm{"nothing-exchanged",
            "rotate_half does not exchange the halves: y = x cos + (−x1, x2) sin",
            "make rotate_half return cat((-x2, x1), dim=-1)",
            [](const BugVector& v, std::size_t i) {
              const std::size_t k = i % v.pairs();
              return v.x[i] * v.cos[k] + (i < v.pairs() ? -v.x[i] : v.x[i]) * v.sin[k];
            }},
    BugForm{"half-in-place",
            "half layout is rotated in place: x1 is overwritten before x2 is computed from it",
            "copy x1 before it is overwritten, or compute both halves first",
            [](const BugVector& v, std::size_t i) {
              const std::size_t k = i % v.pairs();
              const double first = v.x[k] * v.cos[k] - v.x[k + v.pairs()] * v.sin[k];
              return i < v.pairs() ? first : v.x[i] * v.cos[k] + first * v.sin[k];
            }},
    BugForm{"interleaved-in-place",
            "interleaved layout is rotated in place: x_2i is overwritten before x_2i+1 is computed "
            "from it",
            "copy x_2i before it is overwritten, or compute both numbers first",
            [](const BugVector& v, std::size_t i) {
              const std::size_t k = i / 2;
              const double first = v.x[2 * k] * v.cos[k] - v.x[2 * k + 1] * v.sin[k];
              return i % 2 == 0 ? first : v.x[i] * v.cos[k] + first * v.sin[k];
            }},
    BugForm{"first-half-written",
            "only the first numbers of the pairs are written (half layout): x2 is left as it was",
            "write both halves: cat((x1 cos - x2 sin, x2 cos + x1 sin), dim=-1)",
            [](const BugVector& v, std::size_t i) {
              const std::size_t k = i % v.pairs();
              return i < v.pairs() ? v.x[i] * v.cos[k] + turned_half(v, i) * v.sin[k] : v.x[i];
            }},
    BugForm{"first-numbers-written",
            "only the first numbers of the pairs are written (interleaved layout): x_2i+1 is left "
            "as it was",
            "write both numbers of every pair",
            [](const BugVector& v, std::size_t i) {
              return i % 2 == 0 ? v.x[i] * v.cos[i / 2] - v.x[i + 1] * v.sin[i / 2] : v.x[i];
            }},
    BugForm{"half-without-sines", "the sines are missing (half layout): y = x cos",
            "add rotate_half(x) sin: the table of sines may be all zeros",
            [](const BugVector& v, std::size_t i) { return v.x[i] * v.cos[i % v.pairs()]; }},
    BugForm{"interleaved-without-sines", "the sines are missing (interleaved layout): y = x cos",
            "subtract x_2i+1 sin from the first number of every pair and add x_2i sin to the "
            "second: the table of sines may be all zeros",
            [](const BugVector& v, std::size_t i) { return v.x[i] * v.cos[i / 2]; }},
    BugForm{"whole-head-turned",
            "rotate_half is applied to the whole head, but only its first part is rotated",
            "apply rotate_half to the rotated part only: x[..., :rotary_dim]",
            [](const BugVector& v, std::size_t i) {
              const std::size_t far = v.x.size() / 2;
              const double other = i < far ? -v.x[i + far] : v.x[i - far];
              return v.x[i] * v.cos[i % v.pairs()] + other * v.sin[i % v.pairs()];
            }},
    BugForm{"half-tables-exchanged",
            "cos and sin are exchanged (half layout): every pair turns by 90° − mθ",
            "exchange the two tables where they are made or passed: y = x cos + rotate_half(x) sin",
            [](const BugVector& v, std::size_t i) {
              const std::size_t k = i % v.pairs();
              return v.x[i] * v.sin[k] + turned_half(v, i) * v.cos[k];
            }},
    BugForm{"interleaved-tables-exchanged",
            "cos and sin are exchanged (interleaved layout): every pair turns by 90° − mθ",
            "exchange the two tables where they are made or passed: y_2i = x_2i cos − x_2i+1 sin",
            [](const BugVector& v, std::size_t i) {
              return v.x[i] * v.sin[i / 2] + turned_neighbour(v, i) * v.cos[i / 2];
            }},
};

double right_half(const BugVector& v, std::size_t i) {
  const std::size_t k = i % v.pairs();
  return v.x[i] * v.cos[k] + turned_half(v, i) * v.sin[k];
}
double right_interleaved(const BugVector& v, std::size_t i) {
  return v.x[i] * v.cos[i / 2] + turned_neighbour(v, i) * v.sin[i / 2];
}

/// The signs of y1 = x1 cos, x2 sin; y2 = x2 cos, x1 sin.
using Signs = std::array<int, 4>;

/// "y1 = x1 cos − x2 sin, y2 = x2 cos + x1 sin" of the two numbers of a pair.
std::string signs_text(const Signs& signs, std::string_view first, std::string_view second) {
  const auto number = [&](std::string_view one, std::string_view other, int cos, int sin) {
    return std::string(one) + (cos < 0 ? " = −x" : " = x") + std::string(one.substr(1)) +
           (sin < 0 ? " cos − x" : " cos + x") + std::string(other.substr(1)) + " sin";
  };
  return number(first, second, signs[0], signs[1]) + ", " +
         number(second, first, signs[2], signs[3]);
}

/// All choices of signs that are no rotation, but for the missing minus, which has its own form.
std::vector<Signs> wrong_signs() {
  std::vector<Signs> all;
  for (unsigned bits = 1; bits < 16; ++bits) {
    const auto sign = [&](unsigned bit) { return (bits >> bit & 1U) != 0 ? -1 : 1; };
    const Signs signs = {sign(0), sign(1), sign(2), sign(3)};
    if (signs[0] != signs[2] || signs[1] == signs[3]) all.push_back(signs);
  }
  return all;
}

/// What such signs put in dimension i, in half layout or interleaved.
double with_signs(const Signs& signs, bool half, const BugVector& v, std::size_t i) {
  const std::size_t k = half ? i % v.pairs() : i / 2, apart = half ? v.pairs() : 1;
  const bool first = half ? i < v.pairs() : i % 2 == 0;
  const double cos = (first ? signs[0] : signs[2]) * v.cos[k];
  const double sin = (first ? signs[1] : signs[3]) * v.sin[k];
  return v.x[i] * cos + v.x[first ? i + apart : i - apart] * sin;
}

/// All frequencies times a factor.
struct Multiple {
  double factor;
  RemedyName name;
  const char* finding;
  const char* remedy;
};
constexpr std::array kMultiples = {
    Multiple{std::numbers::pi, "bug-half-turns",
             "every angle is multiplied by π, as when sincospi, which takes half-turns, is given "
             "radians",
             "divide the angles by π before sincospi, or call sin and cos"},
    Multiple{std::numbers::pi / 180, "bug-degrees", "the angles are mistaken for degrees",
             "give sin and cos radians: mθ without π/180"},
    Multiple{180 / std::numbers::pi, "bug-from-degrees",
             "the angles are given in degrees to functions that take "
             "radians",
             "give sin and cos radians: mθ without 180/π"},
};

class Bugs {
 public:
  Bugs(const RotatedTensors& tensors, std::span<const std::int64_t> given,
       const DiagnosisRequest& request)
      : tensors_(tensors), numbers_(copied(tensors)), given_(given), request_(request) {
    double after = 0, product = 0;
    for (std::size_t i = 0; i < numbers_.x.size(); ++i) {
      size_ += numbers_.x[i] * numbers_.x[i];
      after += numbers_.y[i] * numbers_.y[i];
      product += numbers_.x[i] * numbers_.y[i];
    }
    if (size_ > 0)
      right_ = smaller(1.0, std::sqrt(larger(0.0, after - product * product / size_) / size_));
  }

  std::optional<KnownBug> find() {
    std::vector<std::size_t> sizes;
    if (request_.assumed) sizes.push_back(request_.assumed->embedding.rotary_dim());
    sizes.insert(sizes.end(), {tensors_.dim, tensors_.dim / 2, tensors_.dim / 4});
    for (const NamedEmbedding& preset : request_.presets)
      if (preset.embedding.head_dim == tensors_.dim) sizes.push_back(preset.embedding.rotary_dim());
    std::vector<std::size_t> tried;
    for (const std::size_t r : sizes) {
      if (r < 4 || r % 2 != 0 || r > tensors_.dim ||
          std::find(tried.begin(), tried.end(), r) != tried.end())
        continue;
      tried.push_back(r);
      for (const RotaryEmbedding& embedding : plain_readings(request_, r)) try_all(embedding);
    }
    // A mistake that changes nothing leaves what the right rotation does, or x itself, at any
    // factor.
    if (!(best_.residual < kMostOfBug) || !(best_.residual < 0.5 * right_)) return std::nullopt;
    return best_;
  }

 private:
  void try_all(const RotaryEmbedding& embedding) {
    const Spectrum spectrum = named(embedding);
    for (const auto made : {right_half, right_interleaved})
      right_ = smaller(right_, residual(spectrum, made, right_));
    for (const BugForm& form : kForms) {
      take(form.finding, {form.name, form.remedy}, spectrum, residual(spectrum, form.made));
    }
    for (const Signs& signs : signs_) try_signs(signs, spectrum);
    for (const Multiple& multiple : kMultiples) {
      Spectrum times = spectrum;
      std::vector<double> theta = embedding.frequencies.theta;
      for (double& each : theta) each *= multiple.factor;
      times.embedding.frequencies = given_frequencies(theta);
      for (const auto made : {right_half, right_interleaved})
        take(multiple.finding, {multiple.name, multiple.remedy}, spectrum, residual(times, made));
    }
  }

  void try_signs(const Signs& signs, const Spectrum& spectrum) {
    constexpr Signs kRight = {1, -1, 1, 1};
    for (const bool half : {true, false}) {
      const auto made = [&](const BugVector& v, std::size_t i) {
        return with_signs(signs, half, v, i);
      };
      const std::string_view one = half ? "y1" : "y_2i", other = half ? "y2" : "y_2i+1";
      take("signs are wrong: " + signs_text(signs, one, other),
           {"wrong-signs", "compute " + signs_text(kRight, one, other) +
                               (half ? " (make rotate_half return cat((-x2, x1), dim=-1))" : "")},
           spectrum, residual(spectrum, made));
    }
  }

  template <typename Made>
  double residual(const Spectrum& spectrum, Made made) const {
    return residual(spectrum, made, best_.residual);
  }

  /// 1 if it is no less than `most`.
  template <typename Made>
  double residual(const Spectrum& spectrum, Made made, double most) const {
    const std::size_t r = spectrum.embedding.rotary_dim(), pairs = r / 2;
    std::vector<double> cos(pairs), sin(pairs);
    double rest = 0;
    for (std::size_t t = 0; t < tensors_.tokens; ++t) {
      row_of(spectrum, given_[t], cos, sin);
      for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
        const std::size_t row = tensors_.dense_row(t, lane);
        const BugVector v{std::span(numbers_.x).subspan(row, tensors_.dim), cos, sin};
        for (std::size_t i = 0; i < tensors_.dim; ++i)
          rest += std::pow(numbers_.y[row + i] - (i < r ? made(v, i) : v.x[i]), 2);
        if (!(rest < most * most * size_)) return 1;
      }
    }
    return std::sqrt(rest / size_);
  }

  void take(std::string finding, Remedy remedy, const Spectrum& spectrum, double residual) {
    if (!(residual < 0.9 * best_.residual)) return;
    best_ = {std::move(finding), std::move(remedy), frequencies_text(spectrum), residual};
  }

  const RotatedTensors& tensors_;
  CopiedNumbers numbers_;
  std::span<const std::int64_t> given_;
  const DiagnosisRequest& request_;
  double size_ = 0;
  double right_ = 1;  // what the right rotation, and x times any factor, leave at least
  std::vector<Signs> signs_ = wrong_signs();
  KnownBug best_;
};

}  // namespace

std::optional<KnownBug> known_bug(const RotatedTensors& tensors,
                                  std::span<const std::int64_t> given,
                                  const DiagnosisRequest& request) {
  return Bugs(tensors, given, request).find();
}

}  // namespace rope
