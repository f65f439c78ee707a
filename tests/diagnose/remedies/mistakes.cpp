// Remedies of what is no rotation: mistakes that are known, what stands around one, rounding, rows.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "diagnose/remedies/law.hpp"
#include "rope/precision/rounding.hpp"

namespace rope::test {
namespace {

constexpr std::size_t kHalf = kDim / 2;
const Port kRight;

Port interleaved() {
  Port port;
  port.half = false;
  return port;
}

Options stated(bool half) {
  return {"--layout", half ? "half" : "interleaved", "--base", "10000", "--start", "0"};
}

Given given_of(Numbers x, Numbers y, Options options = stated(true)) {
  Given given;
  given.x = std::move(x);
  given.y = std::move(y);
  given.options = std::move(options);
  return given;
}

Numbers random_x(std::uint64_t seed = 1) { return random_numbers(kTokens * kRow, seed); }

Numbers each(Numbers of, const std::function<void(double& value, std::size_t i)>& change) {
  for (std::size_t i = 0; i < of.size(); ++i) change(of[i], i);
  return of;
}

/// One vector as code computes it: `made` gets x, cosines and sines of the pairs, and i.
using Made = double (*)(const double* x, const double* c, const double* s, std::size_t i);

Numbers by(const Numbers& x, Made made) {
  Numbers y(x.size());
  std::array<double, kHalf> c{}, s{};
  for (std::size_t at = 0; at < x.size(); at += kDim) {
    for (std::size_t k = 0; k < kHalf; ++k) {
      const double phi = static_cast<double>(at / kRow) * kRight.frequency(k);
      c.at(k) = std::cos(phi);
      s.at(k) = std::sin(phi);
    }
    for (std::size_t i = 0; i < kDim; ++i) y[at + i] = made(&x[at], c.data(), s.data(), i);
  }
  return y;
}

double rotate_half(const double* x, std::size_t i) {
  return i < kHalf ? -x[i + kHalf] : x[i - kHalf];
}
double neighbour(const double* x, std::size_t i) { return i % 2 == 0 ? -x[i + 1] : x[i - 1]; }

/// A line of code that is wrong, and the same after the remedy: alone and beside what is stated.
std::function<void(Law&)> code(bool half, Made wrong, std::string words, Made right) {
  return [=](Law& law) {
    for (const Options& options : {stated(half), Options{"--start", "0"}}) {
      const Numbers x = random_x();
      const Given given = given_of(x, by(x, wrong), options);
      says(law.remedy(given), words);
      law.right_with(given, by(x, right), words);
    }
  };
}

std::function<void(Law&)> both_layouts(Made wrong, std::string words, Made half, Made near) {
  return [=](Law& law) {
    code(true, wrong, words, half)(law);
    code(false, wrong, words, near)(law);
  };
}

constexpr Made kHalfForm = [](const double* x, const double* c, const double* s, std::size_t i) {
  return x[i] * c[i % kHalf] + rotate_half(x, i) * s[i % kHalf];
};
constexpr Made kNearForm = [](const double* x, const double* c, const double* s, std::size_t i) {
  return x[i] * c[i / 2] + neighbour(x, i) * s[i / 2];
};

void whole_head_turned(Law& law) {
  // 16 of 32 dimensions are rotated.
  const auto port = [](bool whole) {
    return [whole](const Numbers& x) {
      Numbers y = x;
      for (std::size_t at = 0; at < x.size(); at += kDim)
        for (std::size_t i = 0; i < 16; ++i) {
          const double phi =
              static_cast<double>(at / kRow) * std::pow(1e4, -static_cast<double>(i % 8) / 8);
          const double other = whole ? -x[at + i + 16] : i < 8 ? -x[at + i + 8] : x[at + i - 8];
          y[at + i] = x[at + i] * std::cos(phi) + other * std::sin(phi);
        }
      return y;
    };
  };
  Given given = given_of(random_x(), port(true)(random_x()));
  given.options.insert(given.options.end(), {"--rotary-dim", "16"});
  says(law.remedy(given), "apply rotate_half to the rotated part only: x[..., :rotary_dim]");
  law.right_with(given, port(false)(given.x));
}

/// Rows [cos | sin] of 32 columns of which the sines are read `late` columns behind their place.
Numbers with_late_sines(const Numbers& x, std::size_t late) {
  const auto entry = [](std::size_t position, std::size_t column) {
    const double row = static_cast<double>(position + column / kDim);
    const double phi = row * kRight.frequency(column % kHalf);
    return column % kDim < kHalf ? std::cos(phi) : std::sin(phi);
  };
  Numbers y(x.size());
  for (std::size_t at = 0; at < x.size(); at += kDim)
    for (std::size_t i = 0; i < kDim; ++i)
      y[at + i] = x[at + i] * entry(at / kRow, i % kHalf) +
                  rotate_half(&x[at], i) * entry(at / kRow, kHalf + i % kHalf + late);
  return y;
}

void table_reads(Law& law) {
  for (const std::size_t late : {1U, 5U, 16U}) {
    const Given given = given_of(random_x(), with_late_sines(random_x(), late));
    says(law.remedy(given), "in rows [cos | sin] of 32 columns, sin was read from column " +
                                std::to_string(kHalf + late) + " on instead of 16");
    law.right_with(given, with_late_sines(given.x, 0));
  }
  const Given given =
      given_of(random_x(),
               by(random_x(), [](const double* x, const double* c, const double* s, std::size_t i) {
                 const double cos = i % kHalf < 8 ? 1.5 : c[i % kHalf];
                 return x[i] * cos + rotate_half(x, i) * s[i % kHalf];
               }));
  says(law.remedy(given), "look for code that overwrites the table");
  law.right_with(given, by(given.x, kHalfForm));
}

/// q and k, each half written by the other's kernel.
void foreign_numbers(Law& law) {
  const Numbers q = random_x(1), k = random_x(2), right = by(q, kHalfForm);
  for (const bool first : {true, false}) {
    Numbers y = by(k, kHalfForm);
    for (std::size_t i = 0; i < y.size(); ++i)
      if ((i % kDim < kHalf) == first) y[i] = right[i];
    const Given given = given_of(q, y);
    says(law.remedy(given), std::string("compute dimensions ") + (first ? "16 … 31" : "0 … 15") +
                                " from the same vector of x as the others");
    law.right_with(given, right);
    for (std::size_t i = 0; i < y.size(); ++i)
      if ((i % kDim < kHalf) != first) y[i] = 0;
    const Given half = given_of(q, y);
    says(law.remedy(half), std::string("compute and write dimensions ") +
                               (first ? "16 … 31" : "0 … 15") + " as well");
    law.right_with(half, right);
  }
}

/// Noise hides a rotation by wrong angles from what explains within rounding.
Numbers noisy(Numbers y, double size = 1e-3) {
  const Numbers noise = random_numbers(y.size(), 77);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += size * noise[i];
  return y;
}

/// All angles times a number, in y that holds noise; noise is left after the remedy, and no angle.
std::function<void(Law&)> times(double factor, std::string words) {
  return [=](Law& law) {
    Port wrong;
    wrong.of_angle = [=](double angle) { return angle * factor; };
    Given given = given_of(random_x(), {});
    given.y = noisy(wrong(given.x));
    says(law.remedy(given), words);
    law.right_with(given, kRight(given.x));
  };
}

Numbers normed(const Numbers& x) {
  Numbers y = x;
  for (std::size_t at = 0; at < x.size(); at += kDim) {
    double squares = 0;
    for (std::size_t i = at; i < at + kDim; ++i) squares += x[i] * x[i];
    for (std::size_t i = at; i < at + kDim; ++i) y[i] /= std::sqrt(squares / kDim);
  }
  return rounded(Format::float32, std::move(y));
}
Numbers weighted(const Numbers& x) {
  const Numbers weight = random_numbers(kDim, 7);
  return rounded(Format::float32, each(x, [&](double& v, std::size_t i) {
                   v *= 1 + 0.3 * std::tanh(weight[i % kDim]);
                 }));
}
Numbers biased(const Numbers& x) {
  const Numbers bias = random_numbers(kRow, 6);
  return rounded(Format::float32, each(x, [&](double& v, std::size_t i) { v += bias[i % kRow]; }));
}

/// What is done to x before the rotation: y leaves it out, or x goes through it.
std::function<void(Law&)> before(Numbers (*done)(const Numbers&), std::string own,
                                 std::string reference) {
  return [=](Law& law) {
    for (const Options& options : {stated(true), Options{"--start", "0"}}) {
      Given given = given_of(random_x(5), {}, options);
      given.y = kRight(done(given.x));
      const Sides sides = law.sides(given);
      says(sides.own, own);
      law.right_with(given, kRight(given.x));
      says(sides.reference, reference);
      given.x = done(given.x);
      law.right(given, reference);
    }
  };
}

/// What is done behind the rotation: it is done before it, and x is what enters the rotation.
std::function<void(Law&)> behind(Numbers (*done)(const Numbers&), std::string words) {
  return [=](Law& law) {
    Given given = given_of(random_x(5), {});
    given.y = done(kRight(given.x));
    says(law.remedy(given), words);
    given.x = done(given.x);
    given.y = kRight(given.x);
    law.right(given, words);
  };
}

void weight_across(Law& law) {
  Given given = given_of(weighted(random_x(5)), weighted(kRight(random_x(5))));
  says(law.remedy(given), "before the rotation, not after it");
  law.right_with(given, kRight(given.x));
}

Numbers log_scaled(const Numbers& x) {
  return each(x, [](double& v, std::size_t i) {
    const auto m = static_cast<double>(i / kRow);
    if (m > 7) v *= std::log(m + 1) / std::log(8.0);
  });
}

/// Every head has a factor of its own, or every vector.
Numbers head_scaled(const Numbers& x) {
  return each(x, [](double& v, std::size_t i) { v *= i % kRow / kDim == 2 ? -1 : 1; });
}
Numbers vector_scaled(const Numbers& x) {
  const Numbers factors = random_numbers(kTokens * kHeads, 13);
  return rounded(Format::float32, each(x, [&](double& v, std::size_t i) {
                   v *= 1.5 + std::tanh(factors[i / kDim]);
                 }));
}

void token_factor(Law& law) {
  Given given = given_of(random_x(5), {});
  given.y = kRight(log_scaled(given.x));
  const Sides sides = law.sides(given);
  says(sides.own, "leave the factor out");
  law.right_with(given, kRight(given.x));
  says(sides.reference, "multiply each token's x by its factor");
  given.x = rounded(Format::float32, log_scaled(given.x));
  law.right(given, "x with the factor");
}

double xpos_scale(std::size_t i, double m) {
  const auto k = static_cast<double>(i % kHalf);
  return std::pow((2 * k / kDim + 0.4) / 1.4, m / 512);
}
void xpos(Law& law) {
  const auto grown = [](const Numbers& x, double sign) {
    return each(x, [=](double& v, std::size_t i) {
      v *= xpos_scale(i, sign * static_cast<double>(i / kRow));
    });
  };
  Given given = given_of(random_x(5), {});
  given.y = grown(kRight(given.x), 1);
  const Sides sides = law.sides(given);
  says(sides.own, "leave xPos out of both q and k");
  law.right_with(given, kRight(given.x));
  says(sides.reference, "scale q by this factor and k by its inverse");
  given.x = rounded(Format::float32, grown(given.x, 1));
  law.right(given, "x with xPos");
  // q by it and k by its inverse: scores depend on the distance alone.
  const Numbers q = random_numbers(kDim, 2), k = random_numbers(kDim, 3);
  const auto score = [&](double m, double n) {
    Port of_q, of_k;
    of_q.positions = {m};
    of_k.positions = {n};
    return dot(each(of_q(q, kDim), [&](double& v, std::size_t i) { v *= xpos_scale(i, m); }),
               each(of_k(k, kDim), [&](double& v, std::size_t i) { v *= xpos_scale(i, -n); }));
  };
  EXPECT_NEAR(score(3, 17), score(103, 117), 1e-11);
}

/// Rows of a projection reordered from interleaved to half, as if it had so many heads.
Numbers permuted(const Numbers& x, std::size_t heads) {
  Numbers y(x.size());
  const std::size_t head = kRow / heads;
  for (std::size_t at = 0; at < x.size(); at += head)
    for (std::size_t k = 0; k < head / 2; ++k)
      for (std::size_t j = 0; j < 2; ++j) y[at + j * head / 2 + k] = x[at + 2 * k + j];
  return y;
}

void reordered_over_heads(Law& law) {
  const Numbers meta = random_x();
  for (const std::size_t n : {1U, 2U, 8U}) {
    // Those of y's projection, and x as it was.
    Given given = given_of(meta, kRight(permuted(meta, n)));
    std::string words = law.remedy(given);
    says(words, "reorder the rows for 4 heads, in the same way for x and y: rope convert");
    Numbers x = law.converted(given, words);
    law.right(given_of(x, kRight(x)), "for 4 heads, in the same way for x and y");
    // Those of x's, and y as it was.
    given = given_of(permuted(meta, n), interleaved()(meta), stated(false));
    words = law.remedy(given);
    says(words, "leave that reordering out");
    law.right(given_of(meta, given.y, given.options), "not");
    // One of both.
    given = given_of(permuted(meta, n), kRight(permuted(meta, kHeads)));
    words = law.remedy(given);
    says(words, "reorder the rows of this projection for 4 heads: rope convert");
    x = law.converted(given_of(meta, {}), words);
    law.right(given_of(x, given.y), "x over 4 heads");
    given = given_of(permuted(meta, kHeads), kRight(permuted(meta, n)));
    words = law.remedy(given);
    x = law.converted(given_of(meta, {}), words);
    law.right(given_of(given.x, kRight(x)), "y over 4 heads");
  }
}

/// Vector (t, h) of [tokens, heads], from wherever.
Numbers gathered(const Numbers& x, const std::function<std::size_t(std::size_t i)>& from) {
  Numbers y(x.size());
  for (std::size_t i = 0; i < x.size() / kDim; ++i)
    for (std::size_t d = 0; d < kDim; ++d) y[i * kDim + d] = x[from(i) * kDim + d];
  return y;
}

void head_order(Law& law) {
  constexpr std::array<std::size_t, kHeads> kSwapped = {0, 2, 1, 3};
  Given given = given_of(random_x(), {});
  given.y = kRight(gathered(
      given.x, [&](std::size_t i) { return i / kHeads * kHeads + kSwapped.at(i % kHeads); }));
  says(law.remedy(given), "put the heads in the same order on both sides");
  law.right_with(given, kRight(given.x));
}

void reshape(Law& law) {
  const Numbers x = random_x();
  const auto turn_each = [&](const std::function<std::size_t(std::size_t i)>& position) {
    Numbers y;
    for (std::size_t i = 0; i < kTokens * kHeads; ++i) {
      Port port;
      port.positions = {static_cast<double>(position(i))};
      const auto at = static_cast<std::ptrdiff_t>(i * kDim);
      const Numbers one = port({x.begin() + at, x.begin() + at + kDim}, kDim);
      y.insert(y.end(), one.begin(), one.end());
    }
    return y;
  };
  const auto reshaped = [](std::size_t i) { return i % kHeads * kTokens + i / kHeads; };
  const auto back = [](std::size_t i) { return i % kTokens * kHeads + i / kTokens; };
  for (const Numbers& y :
       {turn_each([](std::size_t i) { return i % kTokens; }),
        turn_each([](std::size_t i) { return (i / kHeads + i % kHeads * kTokens) / kHeads; }),
        kRight(gathered(x, reshaped))}) {
    const Given given = given_of(x, y);
    says(law.remedy(given), "transpose(1, 2) on [batch, tokens, heads, head_dim]");
    law.right_with(given, kRight(x), "transposed");
  }
  Given given = given_of(x, kRight(gathered(x, back)));
  says(law.remedy(given), "transpose(1, 2) on [batch, tokens, heads, head_dim]");
  given.x = gathered(x, back);
  law.right(given, "x transposed");
}

void heads_as_one_vector(Law& law) {
  for (const bool half : {true, false}) {
    Port whole = half ? kRight : interleaved();
    whole.dim = kRow;
    Given given = given_of(random_x(), whole(random_x()), stated(half));
    says(law.remedy(given),
         "split the heads before the rotation, and rotate each of the 4 heads with the 16 "
         "frequencies");
    law.right_with(given, (half ? kRight : interleaved())(given.x));
  }
}

/// Angles that are rounded on their way, and those that are not.
std::function<void(Law&)> angles(
    const std::function<double(Format, std::size_t t, std::size_t k)>& angle, std::string words,
    std::vector<Format> formats, double noise = 0) {
  return [=](Law& law) {
    for (const Format format : formats) {
      Port wrong;
      Given given = given_of(random_x(8), random_x(8));
      for (std::size_t at = 0; at < given.x.size(); at += kDim)
        for (std::size_t k = 0; k < kHalf; ++k) {
          const double phi = angle(format, at / kRow, k);
          const double a = given.x[at + k], b = given.x[at + k + kHalf];
          given.y[at + k] = a * std::cos(phi) - b * std::sin(phi);
          given.y[at + k + kHalf] = a * std::sin(phi) + b * std::cos(phi);
        }
      if (noise > 0) given.y = noisy(given.y, noise);
      says(law.remedy(given), words);
      law.right_with(given, kRight(given.x), words);
    }
  };
}

std::function<void(Law&)> rotation_products() {
  return [](Law& law) {
    Given given = given_of(random_x(8), random_x(8));
    const auto f16 = [](double v) { return round_to(Format::float16, v); };
    for (std::size_t k = 0; k < kHalf; ++k) {
      double c = 1, s = 0;
      const double dc = std::cos(kRight.frequency(k)), ds = std::sin(kRight.frequency(k));
      for (std::size_t t = 0; t < kTokens; ++t) {
        for (std::size_t h = 0; h < kHeads; ++h) {
          const std::size_t at = t * kRow + h * kDim + k;
          given.y[at] = given.x[at] * c - given.x[at + kHalf] * s;
          given.y[at + kHalf] = given.x[at] * s + given.x[at + kHalf] * c;
        }
        const double next = f16(c * dc - s * ds);
        s = f16(c * ds + s * dc);
        c = next;
      }
    }
    says(law.remedy(given), "compute every angle from its position, as mθ");
    law.right_with(given, kRight(given.x));
  };
}

void cache(Law& law) {
  Given given = given_of(random_x(9), {});
  const Numbers y = kRight(given.x);
  for (const double steps : {127.0, 7.0}) {
    given.y = y;
    for (std::size_t at = 0; at < y.size(); at += kDim) {
      double largest = 0;
      for (std::size_t i = at; i < at + kDim; ++i) largest = std::max(largest, std::abs(y[i]));
      for (std::size_t i = at; i < at + kDim; ++i)
        given.y[i] = std::round(y[i] / largest * steps) * largest / steps;
    }
    says(law.remedy(given), "before they were quantised");
    law.right_with(given, y);
  }
}

void x_in_fewer_digits(Law& law) {
  Given given = given_of(rounded(Format::bfloat16, random_x(9)), kRight(random_x(9)));
  says(law.remedy(given), "save x in the format in which it is rotated");
  given.x = random_x(9);
  law.right(given, "x in float32");
}

/// Turned by tables, whose cos and sin `entry` changes.
Numbers by_tables(const Numbers& x, const std::function<double(double value, double at)>& entry) {
  Numbers y = x;
  for (std::size_t at = 0; at < x.size(); at += kDim)
    for (std::size_t k = 0; k < kHalf; ++k) {
      const double phi = static_cast<double>(at / kRow) * kRight.frequency(k);
      const auto place = static_cast<double>(17 * (at / kRow) + 5 * k);
      const double c = entry(std::cos(phi), place), s = entry(std::sin(phi), place + 1);
      const double a = x[at + k], b = x[at + k + kHalf];
      y[at + k] = a * c - b * s;
      y[at + k + kHalf] = a * s + b * c;
    }
  return y;
}

void fast_functions(Law& law) {
  constexpr const char* kRemedy =
      "compute and keep the tables in float32 or wider, or compile the kernel without "
      "-use_fast_math";
  const auto fast = [](double value, double at) { return value + 3e-5 * std::sin(at); };
  const auto cast = [](double value, double) { return round_to(Format::bfloat16, value); };
  const Numbers x = random_x(9);
  for (const Numbers& y : {by_tables(x, fast), noisy(by_tables(x, cast), 1e-4)}) {
    const Given given = given_of(x, y);
    says(law.remedy(given), kRemedy);
    law.right_with(given, kRight(x));
  }
}

void matrix_noise(Law& law) {
  Given given = given_of(random_x(9), {});
  const Numbers x = rounded(Format::float32, noisy(given.x, 1e-6));
  given.y = kRight(x);
  says(law.remedy(given), "give both sides the same x");
  given.x = x;
  law.right(given, "the same x");
}

void float32_between(Law& law) {
  Given given = given_of(random_x(9), {});
  given.format = Format::float64;
  given.x = noisy(given.x, 0.1);
  const Numbers narrow = rounded(Format::float32, given.x);
  given.y = kRight(narrow);
  says(law.remedy(given), "compute x, angles, cos and sin in float64, or compare in float32");
  law.right_with(given, kRight(given.x), "in float64");
  given.format = Format::float32;
  given.x = narrow;
  law.right(given, "in float32");
}

void axis_sections(Law& law) {
  // Pairs from 8 on turn by rows of an image; one position per token is stated.
  constexpr std::size_t kPlaces = 32;
  const auto port = [](const Numbers& x, bool rows) {
    Numbers y(x.size());
    for (std::size_t at = 0; at < x.size(); at += kDim)
      for (std::size_t k = 0; k < kHalf; ++k) {
        const std::size_t t = at / kRow;
        const double m = static_cast<double>(rows && k >= 8 ? 50 + t / 8 : t);
        const double phi = m * kRight.frequency(k);
        const double a = x[at + k], b = x[at + k + kHalf];
        y[at + k] = a * std::cos(phi) - b * std::sin(phi);
        y[at + k + kHalf] = a * std::sin(phi) + b * std::cos(phi);
      }
    return y;
  };
  Given given = given_of(random_numbers(kPlaces * kRow, 5), {});
  given.shape[0] = kPlaces;
  given.y = noisy(port(given.x, true), 1e-4);
  const Sides sides = law.sides(given);
  says(sides.own, "rotate every pair by one position per token");
  law.right_with(given, port(given.x, false));
  says(sides.reference, "give its positions on every axis: --axis-positions FILE");
}

/// One head of y that no rotation made.
std::function<void(Law&)> of_a_head(std::string words, std::function<double(double x)> holds) {
  return [=](Law& law) {
    Given given = given_of(random_numbers(kTokens * kRow, 3), {});
    const Numbers y = kRight(given.x);
    given.y = y;
    for (std::size_t i = 0; i < y.size(); ++i)
      if (i / kDim % kHeads == 2) given.y[i] = holds(given.x[i]);
    says(law.remedy(given), words);
    law.right_with(given, y, "all heads are rotated");
  };
}

void foreign_tail(Law& law) {
  constexpr std::size_t kRotated = 16;
  Port port;
  port.rotary_dim = kRotated;
  Given given =
      given_of(random_numbers(kTokens * kRow, 3), {},
               {"--rotary-dim", std::to_string(kRotated), "--base", "10000", "--layout", "half"});
  const Numbers foreign = random_numbers(given.x.size(), 4), y = port(given.x);
  given.y = y;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (i % kDim >= kRotated) given.y[i] = foreign[i];
  const std::string words = law.remedy(given);
  const auto first = static_cast<std::size_t>(number_after(words, "copy dimensions "));
  const auto last = static_cast<std::size_t>(number_after(words, " to "));
  says(words, "from x to y");
  Numbers copied = given.y;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (i % kDim >= first && i % kDim <= last) copied[i] = given.x[i];
  law.right_with(given, copied, "the tail is copied");
}

/// A weight [out, in] and the same with its rows in another order.
Given weights(const std::function<std::size_t(std::size_t row)>& from, std::size_t columns = 8) {
  Given given = given_of(random_numbers(kRow * columns, 11), {}, {});
  given.shape = {kRow, columns};
  for (std::size_t i = 0; i < given.x.size(); ++i)
    given.y.push_back(given.x[from(i / columns) * columns + i % columns]);
  return given;
}

void same(Law& law, const Given& given) {
  const Json said = law.diagnosed(given);
  EXPECT_EQ(said["unchanged"], true) << said.dump(1).substr(0, 500);
}

void rows_converted(Law& law) {
  Numbers index(kRow);
  for (std::size_t i = 0; i < kRow; ++i) index[i] = static_cast<double>(i);
  for (const std::size_t heads : {1U, 4U}) {
    const Numbers order = permuted(index, heads);
    const auto from = [&](std::size_t row) { return static_cast<std::size_t>(order[row]); };
    for (const bool back : {false, true}) {
      Given given = weights(from);
      if (back) std::swap(given.x, given.y);
      const std::string words = law.remedy(given);
      const std::size_t at = words.find("rope convert x.npy"), end = words.find(".npy", at + 20);
      ASSERT_NE(end, std::string::npos) << words;
      const std::string line = words.substr(at, end + 4 - at);
      const Outcome run = law.shell(line);
      EXPECT_EQ(run.exit_code, 0) << line << run.err;
      const std::string file = line.substr(line.rfind(' ') + 1);
      const Outcome again = law.rope({"diagnose", file, "y.npy", "--json"});
      EXPECT_EQ(Json::parse(again.out)["unchanged"], true) << line;
    }
  }
}

void rows_in_order(Law& law) {
  const auto from = [](std::size_t row) { return (row * 37 + 5) % kRow; };
  Given given = weights(from);
  says(law.remedy(given), "put the rows of both in the same order");
  given.y = given.x;
  same(law, given);
}

void transposed(Law& law) {
  Given given = weights([](std::size_t row) { return row; }, kRow);
  for (std::size_t i = 0; i < kRow; ++i)
    for (std::size_t j = 0; j < kRow; ++j) given.y[i * kRow + j] = given.x[j * kRow + i];
  says(law.remedy(given), "transpose one of them");
  given.y = given.x;
  same(law, given);
}

}  // namespace

std::vector<RemedyCase> cases_of_mistakes() {
  constexpr double kPi = std::numbers::pi;
  using X = const double*;
  constexpr Made half_with_near_tables = [](X x, X c, X s, std::size_t i) {
    return x[i] * c[i / 2] + rotate_half(x, i) * s[i / 2];
  };
  constexpr Made near_with_half_tables = [](X x, X c, X s, std::size_t i) {
    return x[i] * c[i % kHalf] + neighbour(x, i) * s[i % kHalf];
  };
  constexpr Made half_no_minus = [](X x, X c, X s, std::size_t i) {
    return x[i] * c[i % kHalf] + x[(i + kHalf) % kDim] * s[i % kHalf];
  };
  constexpr Made near_no_minus = [](X x, X c, X s, std::size_t i) {
    return x[i] * c[i / 2] + x[i ^ 1U] * s[i / 2];
  };
  constexpr Made half_two_minus = [](X x, X c, X s, std::size_t i) {
    return x[i] * c[i % kHalf] - x[(i + kHalf) % kDim] * s[i % kHalf];
  };
  constexpr Made near_negated = [](X x, X c, X s, std::size_t i) {
    return (i % 2 == 0 ? 1 : -1) * kNearForm(x, c, s, i);
  };
  constexpr Made exchanged = [](X x, X c, X s, std::size_t i) {
    const std::size_t j = (i + kHalf) % kDim;
    return x[j] * c[i % kHalf] + rotate_half(x, j) * s[i % kHalf];
  };
  constexpr Made nothing_exchanged = [](X x, X c, X s, std::size_t i) {
    return x[i] * c[i % kHalf] + (i < kHalf ? -x[i] : x[i]) * s[i % kHalf];
  };
  constexpr Made half_in_place = [](X x, X c, X s, std::size_t i) {
    const std::size_t k = i % kHalf;
    const double first = x[k] * c[k] - x[k + kHalf] * s[k];
    return i < kHalf ? first : x[i] * c[k] + first * s[k];
  };
  constexpr Made near_in_place = [](X x, X c, X s, std::size_t i) {
    const std::size_t k = i / 2;
    const double first = x[2 * k] * c[k] - x[2 * k + 1] * s[k];
    return i % 2 == 0 ? first : x[i] * c[k] + first * s[k];
  };
  constexpr Made first_half = [](X x, X c, X s, std::size_t i) {
    return i < kHalf ? kHalfForm(x, c, s, i) : x[i];
  };
  constexpr Made first_numbers = [](X x, X c, X s, std::size_t i) {
    return i % 2 == 0 ? kNearForm(x, c, s, i) : x[i];
  };
  constexpr Made half_no_sines = [](X x, X c, X, std::size_t i) { return x[i] * c[i % kHalf]; };
  constexpr Made near_no_sines = [](X x, X c, X, std::size_t i) { return x[i] * c[i / 2]; };
  constexpr Made half_swapped = [](X x, X c, X s, std::size_t i) { return kHalfForm(x, s, c, i); };
  constexpr Made near_swapped = [](X x, X c, X s, std::size_t i) { return kNearForm(x, s, c, i); };
  const std::function<double(Format, std::size_t)> step = [](Format format, std::size_t) {
    return round_to(format, kRight.frequency(1));
  };
  return {
      {"half-with-interleaved-tables",
       both_layouts(half_with_near_tables,
                    "for half layout, make the tables as cat((freqs, freqs), dim=-1); for "
                    "interleaved layout, rotate neighbouring dimensions",
                    kHalfForm, kNearForm)},
      {"interleaved-with-half-tables",
       both_layouts(near_with_half_tables,
                    "for interleaved layout, make the tables as repeat_interleave(freqs, 2, "
                    "dim=-1); for half layout, use rotate_half",
                    kHalfForm, kNearForm)},
      {"half-without-minus",
       code(true, half_no_minus, "make rotate_half return cat((-x2, x1), dim=-1)", kHalfForm)},
      {"interleaved-without-minus",
       code(false, near_no_minus,
            "subtract in the first number of every pair: x_2i cos − x_2i+1 sin", kNearForm)},
      {"wrong-signs",
       code(true, half_two_minus,
            "compute y1 = x1 cos − x2 sin, y2 = x2 cos + x1 sin (make rotate_half return cat((-x2, "
            "x1), dim=-1)",
            kHalfForm)},
      {"wrong-signs", code(false, near_negated,
                           "compute y_2i = x_2i cos − x_2i+1 sin, y_2i+1 = x_2i+1 cos", kNearForm)},
      {"halves-exchanged",
       code(true, exchanged, "cat((x1 cos - x2 sin, x2 cos + x1 sin), dim=-1)", kHalfForm)},
      {"nothing-exchanged",
       code(true, nothing_exchanged, "make rotate_half return cat((-x2, x1), dim=-1)", kHalfForm)},
      {"half-in-place",
       code(true, half_in_place, "copy x1 before it is overwritten, or compute both halves first",
            kHalfForm)},
      {"interleaved-in-place",
       code(false, near_in_place,
            "copy x_2i before it is overwritten, or compute both numbers first", kNearForm)},
      {"first-half-written",
       code(true, first_half, "write both halves: cat((x1 cos - x2 sin, x2 cos + x1 sin), dim=-1)",
            kHalfForm)},
      {"first-numbers-written",
       code(false, first_numbers, "write both numbers of every pair", kNearForm)},
      {"half-without-sines", code(true, half_no_sines, "add rotate_half(x) sin", kHalfForm)},
      {"interleaved-without-sines",
       code(
           false, near_no_sines,
           "subtract x_2i+1 sin from the first number of every pair and add x_2i sin to the second",
           kNearForm)},
      {"whole-head-turned", whole_head_turned},
      {"half-tables-exchanged",
       code(true, half_swapped,
            "exchange the two tables where they are made or passed: y = x cos + rotate_half(x) sin",
            kHalfForm)},
      {"interleaved-tables-exchanged",
       code(false, near_swapped,
            "exchange the two tables where they are made or passed: y_2i = x_2i cos − x_2i+1 sin",
            kNearForm)},
      {"table-reads", table_reads},
      {"foreign-numbers", foreign_numbers},
      {"second-rotation", times(2, "rotate once")},
      {"bug-half-turns", times(kPi, "divide the angles by π before sincospi, or call sin and cos")},
      {"bug-degrees", times(kPi / 180, "give sin and cos radians: mθ without π/180")},
      {"bug-from-degrees", times(180 / kPi, "give sin and cos radians: mθ without 180/π")},
      {"norm", before(normed, "leave the normalisation out", "normalise x before it is rotated")},
      {"weighted-norm", before([](const Numbers& x) { return weighted(normed(x)); },
                               "leave the normalisation and its weight out",
                               "normalise and weight x before it is rotated")},
      {"weight",
       before(weighted, "leave the weight out", "multiply x by the weight before it is rotated")},
      {"bias", before(biased, "leave the bias out", "add the bias of q_proj and k_proj to x")},
      {"norm-behind", behind([](const Numbers& x) { return weighted(normed(x)); },
                             "normalise and weight x before the rotation, not after it")},
      {"weight-behind", behind(weighted, "weight x before the rotation, not after it")},
      {"bias-behind",
       behind(biased, "add the bias of q_proj and k_proj to x before the rotation, not after it")},
      {"weight-across", weight_across},
      {"token-factor", token_factor},
      {"odd-heads", before(head_scaled, "leave the factor out for these heads",
                           "multiply the same heads of x by it")},
      {"vector-factors", before(vector_scaled, "leave these factors out",
                                "give rope the x that enters the rotation")},
      {"xpos", xpos},
      {"reordered-over-heads", reordered_over_heads},
      {"head-order", head_order},
      {"reshape", reshape},
      {"heads-as-one-vector", heads_as_one_vector},
      {"rounded-frequencies",
       angles(
           [](Format f, std::size_t t, std::size_t k) {
             return static_cast<double>(t) * round_to(f, kRight.frequency(k));
           },
           // Without noise they are a pipeline.
           "compute inv_freq in float32, and never cast it", {Format::bfloat16}, 2e-4)},
      {"rounded-angles",
       angles(
           [](Format f, std::size_t t, std::size_t k) {
             return round_to(f, static_cast<double>(t) * kRight.frequency(k));
           },
           "compute the angles in float32 or wider", {Format::float16, Format::bfloat16})},
      {"everything-rounded", angles(
                                 [](Format f, std::size_t t, std::size_t k) {
                                   return round_to(f, round_to(f, static_cast<double>(t)) *
                                                          round_to(f, kRight.frequency(k)));
                                 },
                                 "compute the angles in float32 or wider", {Format::float16})},
      {"angle-products", angles(
                             [=](Format f, std::size_t t, std::size_t k) {
                               double a = static_cast<double>(t);
                               for (std::size_t i = 0; i < k; ++i) a = round_to(f, a * step(f, 0));
                               return a;
                             },
                             "compute every angle as mθ_i", {Format::float16})},
      {"frequency-products",
       angles(
           [=](Format f, std::size_t t, std::size_t k) {
             double a = 1;
             for (std::size_t i = 0; i < k; ++i) a = round_to(f, a * step(f, 0));
             return a * static_cast<double>(t);
           },
           // Without noise they are frequencies, if of no rule.
           "compute every θ_i as b^(−2i/r) in float32 or wider", {Format::float16}, 2e-4)},
      {"angle-sums", angles(
                         [](Format f, std::size_t t, std::size_t k) {
                           double a = 0;
                           for (std::size_t i = 0; i < t; ++i)
                             a = round_to(f, a + round_to(f, kRight.frequency(k)));
                           return a;
                         },
                         "compute every angle from its position, as mθ", {Format::float16})},
      {"rotation-products", rotation_products()},
      {"cache", cache},
      {"x-in-fewer-digits", x_in_fewer_digits},
      {"fast-functions", fast_functions},
      {"matrix-noise", matrix_noise},
      {"float32-between", float32_between},
      {"axis-sections", axis_sections},
      {"unwritten", of_a_head("rotate and write these too", [](double) { return 0; })},
      {"unrotated", of_a_head("rotate it too", [](double x) { return x; })},
      {"foreign-tail", foreign_tail},
      {"rows-converted", rows_converted},
      {"rows-in-order", rows_in_order},
      {"transposed", transposed}};
}

}  // namespace rope::test
