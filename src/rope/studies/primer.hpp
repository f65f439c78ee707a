#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rope/primer/angle.hpp"
#include "rope/primer/complex_number.hpp"
#include "rope/primer/euler.hpp"

namespace rope {

// The mathematics that RoPE builds on, one topic at a time: complex numbers, rotations and
// orthogonal matrices. Each topic has numbers that must come out as expected.

enum class PrimerTopic {
  argument,
  conjugate,
  quarter_turn,
  product,
  euler,
  taylor,
  exponentials,
  half_turn,
  addition,
  space,
  reflection,
  orthogonal,
};

struct PrimerTopicEntry {
  PrimerTopic topic;
  std::string_view name;      ///< the word that the user types: "quarter-turn"
  std::string_view question;  ///< the question that it answers, in one sentence
  /// Which numbers of a PrimerRequest the topic uses.
  bool takes_angle = false;
  bool takes_second_angle = false;
  bool takes_z = false;
  bool takes_w = false;
  bool takes_terms = false;
};

/// All topics, in the order in which they build on each other.
std::span<const PrimerTopicEntry> primer_topics();

/// The topic of that name, or nullptr.
const PrimerTopicEntry* find_primer_topic(std::string_view name);

/// The real and imaginary parts of z and w are 0 or from 1e-100 to 1e100 in size, so that no
/// product under- or overflows.
inline constexpr double kLargestPrimerNumber = 1e100;
inline constexpr double kSmallestPrimerNumber = 1e-100;

/// What to compute. For values that are not given, the topic has values of its own, chosen for a
/// clear drawing.
struct PrimerRequest {
  PrimerTopic topic = PrimerTopic::argument;
  std::optional<primer::Angle> angle;
  std::optional<primer::Angle> second_angle;
  std::optional<primer::Complex> z;
  std::optional<primer::Complex> w;
  /// The degree of a series, the steps of a product, or the number of rows.
  std::optional<std::size_t> terms;
  std::uint64_t seed = 42;
};

enum class Quantity { number, radians };

/// A number and the value it must have. `value` is measured, and `expected` is computed in another
/// way.
struct PrimerNumber {
  std::string name;     ///< "length_of_product": its name in files
  std::string formula;  ///< "|zw| = |z||w|": as shown to people
  double value = 0;
  double expected = 0;
  double bound = 0;  ///< the bound on |value − expected|; 0: all bits must be equal
  Quantity quantity = Quantity::number;
  bool mistaken =
      false;  ///< whether this is a wrong formula found in texts, which may therefore fail

  bool holds() const;  ///< false for NaN
};

// The results of each topic in addition to its numbers, for its picture and its sentence.

struct ArgumentAnswer {
  primer::Complex z;
  double argument = 0;  ///< radians
  double slope_angle = 0;
  std::size_t wrong = 0;  ///< how many of the random arrows and their opposites have an arctan(b/a)
                          ///< that is off by π
  std::size_t tried = 0;
  std::vector<double> true_angles, slope_angles;  ///< all around the circle, radians
};

struct ConjugateAnswer {
  primer::Complex q, k;
  primer::Complex q_k;  ///< q·k*
  double angle = 0;     ///< from k to q, radians in (−π, π]
};

struct QuarterTurnAnswer {
  std::vector<primer::Complex> turned;  ///< z, iz, i²z, i³z, i⁴z
};

struct ProductAnswer {
  primer::Complex z, w, zw;
  double z_argument = 0, w_argument = 0;
  std::size_t wrapped = 0;  ///< how many random pairs have arg z + arg w outside (−π, π]
  std::size_t tried = 0;
};

/// (1 + iθ/n)ⁿ
struct CompoundPath {
  std::size_t steps = 0;
  std::vector<primer::Complex> points;
  double error = 0;
  double bound = 0;
};

struct EulerAnswer {
  primer::Angle angle;
  primer::Complex point;            ///< e^{iθ}
  std::vector<CompoundPath> paths;  ///< with more and more steps
};

/// The series at one angle.
struct TaylorSeries {
  double angle = 0;
  std::vector<double> errors;      ///< |S_n − e^{iθ}|, n = 0, 1, …
  std::vector<double> remainders;  ///< bounds on these errors without rounding
  double error = 0;                ///< at the requested degree
  double remainder = 0;
  std::size_t degree_needed = 0;  ///< the degree at which the remainder is at most 2^-53
  double final_error = 0;         ///< the error at that degree, which is due to rounding
  double rounding = 0;            ///< the bound on that error
  double largest_term = 0;
};

struct TaylorAnswer {
  primer::Angle angle;
  std::size_t degree = 0;
  std::vector<primer::Complex> sums;  ///< of degree 0 … `degree`
  primer::Complex point;              ///< e^{iθ}
  std::vector<TaylorSeries> series;   ///< at the angle and at 1, π, 2π, 10, 40
  double reduced_angle = 0;           ///< the angle without its whole turns
  double reduced_error = 0;           ///< the error of the series at that angle
};

struct ExponentialsAnswer {
  primer::Angle angle;
  primer::Complex forward, backward;  ///< e^{iθ}, e^{−iθ}
};

/// π rounded to a number of bits, and the value of e^{iπ} + 1 with that π.
struct RoundedPi {
  int bits = 0;
  double pi = 0;
  primer::HalfTurn half_turn;
};

struct HalfTurnAnswer {
  std::vector<RoundedPi> by_bits;  ///< 2 … 53
};

struct AdditionAnswer {
  primer::Angle first, second;
  primer::Complex after_first, after_both;
};

/// Two turns applied in one of the two orders.
struct TurnsInSpace {
  Eigen::Matrix3d first, both;
  double angle = 0;                                ///< radians
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();  ///< NaN where nothing turns
};

struct SpaceAnswer {
  primer::Angle first, second;
  TurnsInSpace x_then_y, y_then_x;
  double commutator = 0;  ///< ‖R_x R_y − R_y R_x‖
};

struct ReflectionAnswer {
  primer::Angle line;
  std::vector<primer::Complex> shape, mirrored,
      turned;  ///< a closed path, mirrored in the line and turned by 2φ
  double area = 0, mirrored_area = 0, turned_area = 0;  ///< signed
};

struct OrthogonalAnswer {
  Eigen::Index size = 0;
  std::size_t tried = 0;
  std::size_t rotations = 0;             ///< how many of the matrices have det 1
  Eigen::Matrix2d rotation, reflection;  ///< two examples in the plane
  std::vector<primer::Complex> shape, rotated, reflected;
};

using PrimerAnswer = std::variant<ArgumentAnswer, ConjugateAnswer, QuarterTurnAnswer, ProductAnswer,
                                  EulerAnswer, TaylorAnswer, ExponentialsAnswer, HalfTurnAnswer,
                                  AdditionAnswer, SpaceAnswer, ReflectionAnswer, OrthogonalAnswer>;

struct PrimerStudy {
  PrimerTopic topic = PrimerTopic::argument;
  std::vector<PrimerNumber> numbers;
  PrimerAnswer answer;

  /// Whether all numbers hold, except for those of mistaken formulas.
  bool held() const;
};

/// Computes a topic.
///
/// Throws    DomainError for an angle, number or degree out of range, or one that the topic does
///           not use.
PrimerStudy primer_study(const PrimerRequest& request);

}  // namespace rope
