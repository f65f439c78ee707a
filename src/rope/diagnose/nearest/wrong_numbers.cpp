#include "rope/diagnose/nearest/wrong_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "rope/diagnose/nearest/least_squares.hpp"
#include "rope/precision/largest.hpp"

namespace rope {
namespace {

constexpr double kTurns = 0.3;  // of its length: a pair that moves less does not tell

class Comparison {
 public:
  Comparison(const RotatedTensors& tensors, const FitPart& convention, Format storage)
      : tensors_(tensors),
        convention_(convention),
        // Products in another order, and tables and results of this format.
        rounding_(larger(1e-3, 4 * limits(storage).unit_roundoff)) {}

  std::optional<WrongNumbers> find() {
    const Arrangement& a = convention_.arrangement;
    std::vector<double> cos(a.pairs()), sin(a.pairs());
    for (std::size_t t = 0; t < tensors_.tokens; ++t) {
      row_of(convention_.spectrum, convention_.positions[t], cos, sin);
      for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) compare(t, lane, cos, sin);
    }
    // Under a wrong convention, a few pairs of a hundred are right by chance, more under none that
    // was seen; noise leaves nothing far off.
    constexpr std::size_t kFewest = 16;
    constexpr double kByChance = 0.1, kMostNear = 0.5;
    const double right = static_cast<double>(right_turns_) / static_cast<double>(turns_);
    const double near = static_cast<double>(near_) / static_cast<double>(result_.wrong);
    if (result_.wrong == 0 || right_turns_ < kFewest || !(right > kByChance) || !(near < kMostNear))
      return std::nullopt;
    // Pairs that turn by other angles stand at other positions.
    constexpr double kMostTurned = 0.7;
    if (!result_.are_x &&
        static_cast<double>(turned_) > kMostTurned * static_cast<double>(result_.wrong))
      return std::nullopt;
    result_.all = tensors_.size();
    result_.tokens.assign(token_set_.begin(), token_set_.end());
    result_.lanes.assign(lane_set_.begin(), lane_set_.end());
    result_.dimensions.assign(dimension_set_.begin(), dimension_set_.end());
    // Frequencies that are wrong in some pairs are wrong in every vector.
    constexpr double kAlmostAll = 0.8;
    if (result_.tokens.size() == tensors_.tokens && result_.lanes.size() == tensors_.lanes &&
        !(result_.scattered() && right > kAlmostAll))
      return std::nullopt;
    return std::move(result_);
  }

 private:
  void compare(std::size_t t, std::size_t lane, std::span<const double> cos,
               std::span<const double> sin) {
    const Arrangement& a = convention_.arrangement;
    const std::size_t row = tensors_.row(t, lane);
    const auto x = [&](std::size_t i) { return tensors_.x[row + i]; };
    const auto y = [&](std::size_t i) { return tensors_.y[row + i]; };
    for (std::size_t k = 0; k < a.pairs(); ++k) {
      const PairDimensions in = a.in_dimensions(k), out = a.out_dimensions(k);
      const double first = x(in.first) * cos[k] - x(in.second) * sin[k];
      const double second = x(in.first) * sin[k] + x(in.second) * cos[k];
      const double length = std::hypot(first, second);
      const double off = std::hypot(y(out.first) - first, y(out.second) - second);
      const bool turns = std::hypot(first - x(out.first), second - x(out.second)) > kTurns * length;
      if (turns) ++turns_;
      if (off <= rounding_ * length) {
        if (turns) ++right_turns_;
        continue;
      }
      if (std::abs(std::hypot(y(out.first), y(out.second)) - length) < 10 * rounding_ * length)
        turned_ += 2;
      const bool same = y(out.first) == x(out.first) && y(out.second) == x(out.second);
      if (off < 10 * rounding_ * length && !same) near_ += 2;
      const auto is = [&](double found, double number) {
        return std::abs(found - number) <= rounding_ * length;
      };
      const bool second_late =
          is(y(out.first), first) && is(y(out.second), first * sin[k] + x(in.second) * cos[k]);
      const bool first_late =
          is(y(out.second), second) && is(y(out.first), x(in.first) * cos[k] - second * sin[k]);
      result_.are_of_overwritten = result_.are_of_overwritten && (second_late || first_late);
      note(t, lane, {out.first, out.second});
    }
    compare_passing(t, lane);
  }

  /// Numbers that pass are those of x; noise is as large in all of them.
  void compare_passing(std::size_t t, std::size_t lane) {
    const std::size_t row = tensors_.row(t, lane);
    double squares = 0;
    for (std::size_t i = 0; i < tensors_.dim; ++i) squares += std::pow(tensors_.x[row + i], 2);
    const double size = std::sqrt(squares / static_cast<double>(tensors_.dim));
    for (std::size_t i = 0; i < tensors_.dim; ++i) {
      const double off = std::abs(tensors_.y[row + i] - tensors_.x[row + i]);
      if (convention_.arrangement.rotates(i) || off <= rounding_ * size) continue;
      if (off < 10 * rounding_ * size && tensors_.y[row + i] != 0) ++near_;
      result_.are_of_overwritten = false;
      note(t, lane, {i});
    }
  }

  void note(std::size_t t, std::size_t lane, std::initializer_list<std::size_t> dimensions) {
    const std::size_t row = tensors_.row(t, lane);
    if (result_.wrong == 0) result_.first = {t, lane, *dimensions.begin()};
    for (const std::size_t i : dimensions) {
      ++result_.wrong;
      dimension_set_.insert(i);
      result_.are_x = result_.are_x && tensors_.y[row + i] == tensors_.x[row + i];
      result_.are_zero = result_.are_zero && tensors_.y[row + i] == 0;
    }
    token_set_.insert(t);
    lane_set_.insert(lane);
  }

  const RotatedTensors& tensors_;
  const FitPart& convention_;
  double rounding_;
  WrongNumbers result_;
  std::set<std::size_t> token_set_, lane_set_, dimension_set_;
  std::size_t turns_ = 0, right_turns_ = 0;  // pairs that turn visibly, and those of them in place
  std::size_t turned_ = 0;                   // wrong numbers of pairs that keep their length
  std::size_t near_ = 0;                     // wrong numbers that are not far off
};

}  // namespace

bool WrongNumbers::scattered() const {
  constexpr double kDense = 0.5;
  return static_cast<double>(wrong) <
         kDense * static_cast<double>(tokens.size() * lanes.size() * dimensions.size());
}

std::optional<WrongNumbers> wrong_numbers(const RotatedTensors& tensors, const FitPart& convention,
                                          Format storage) {
  if (!convention.rotated || convention.positions.size() != tensors.tokens) return std::nullopt;
  return Comparison(tensors, convention, storage).find();
}

}  // namespace rope
