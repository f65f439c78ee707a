#include "rope/plot/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace rope::plot {
namespace {

// Beyond these powers of ten a linear axis is drawn in larger or smaller units.
constexpr double kLargest = 1e100;
constexpr double kSmallest = 1e-100;
// Labels between these are plain numbers, the others get a power of ten.
constexpr double kLongestPlain = 1e6;
constexpr double kShortestPlain = 1e-3;
// Below this, whole numbers need no round ones about them.
constexpr double kPlainBelow = 1000;
// How far an end may move to a round number, as a part of the range.
constexpr double kSnap = 0.1;
constexpr double kDecadeSnap = 0.35;

double scaled(double value, int exponent) {
  const int half = exponent / 2;  // two steps, since 10^exponent alone may overflow
  return value / std::pow(10.0, half) / std::pow(10.0, exponent - half);
}

int decade(double value) { return static_cast<int>(std::floor(std::log10(std::fabs(value)))); }

/// The round step (1, 2 or 5 times a power of ten) that gives at most `count` steps.
double round_step(double span, int count) {
  const double raw = span / std::max(count, 1);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::string with_minus_sign(std::string number) {
  if (!number.empty() && number.front() == '-') number.replace(0, 1, "−");
  return number;
}

std::string power_of_ten(int exponent) {
  return fmt::format("10^{{{}}}", with_minus_sign(std::to_string(exponent)));
}

/// Labels for numbers that are `step` apart, all in the same form.
class Labeller {
 public:
  Labeller(double largest, double step, int exponent) : step_(step) {
    const int top = decade(largest);
    const bool plain = exponent == 0 && largest < kLongestPlain &&
                       (largest >= kShortestPlain || step >= kShortestPlain);
    power_ = plain ? 0 : top;
    shown_power_ = power_ + exponent;
    decimals_ = std::clamp(power_ - static_cast<int>(std::floor(std::log10(step) + 1e-9)), 0, 17);
  }

  Text label(double value) const {
    if (std::fabs(value) < step_ / 2) return Text::markup("0");
    const std::string number =
        with_minus_sign(fmt::format("{:.{}f}", scaled(value, power_), decimals_));
    if (shown_power_ == 0) return Text::markup(number);
    return Text::markup(number + "×" + power_of_ten(shown_power_));
  }

 private:
  double step_;
  int power_ = 0;
  int shown_power_ = 0;
  int decimals_ = 0;
};

std::vector<Tick> linear_ticks(const Range& range, int max_labels) {
  std::vector<Tick> ticks;
  const double min = range.min;
  const double max = range.max;
  const bool integers = range.whole && range.exponent == 0;
  const auto step_of = [&](int count) {
    return std::max(round_step(max - min, count), integers ? 1.0 : 0.0);
  };
  const auto multiples = [&](double step) {
    return std::floor(max / step + 1e-6) - std::ceil(min / step - 1e-6) + 1;
  };
  double step = step_of(max_labels);
  // One number alone would give no scale.
  for (int count = max_labels + 1; multiples(step) < 2 && count < max_labels + 6; ++count)
    step = step_of(count);
  const Labeller labeller(std::max(std::fabs(min), std::fabs(max)), step, range.exponent);
  const double first = std::ceil(min / step - 1e-6);
  const double last = std::floor(max / step + 1e-6);
  for (double i = first; i <= last && ticks.size() < 1000; ++i) {
    const double value = i * step;
    ticks.push_back({value, labeller.label(value)});
  }
  return ticks;
}

std::vector<Tick> decade_ticks(const Range& range, int max_labels) {
  std::vector<Tick> ticks;
  const double min = range.whole ? std::max(range.min, 1.0) : range.min;
  const double max = range.max;
  const double low = std::log10(min);
  const double high = std::log10(max);
  const int every = std::max(1, static_cast<int>(std::ceil((high - low) / max_labels)));
  for (int e = static_cast<int>(std::floor(low)); e <= high + 1e-9; ++e) {
    const double value = std::pow(10.0, e);
    const bool inside = e >= low - 1e-9;
    const bool labelled = e % every == 0;
    if (inside && (labelled || every <= 3)) {
      ticks.push_back({value, labelled ? Text::markup(power_of_ten(e)) : Text()});
    }
    for (int m = 2; m <= 9 && every == 1 && high - low <= 8; ++m) {
      if (m * value > min && m * value < max) ticks.push_back({m * value, Text()});
    }
  }
  return ticks;
}

/// Fewer than three powers of ten are in sight: 1, 2, 5 and their tens, or else every round number.
std::vector<Tick> short_log_ticks(const Range& range, int max_labels) {
  std::vector<Tick> ticks;
  const double min = range.min;
  const double max = range.max;
  const bool plain = max < kLongestPlain && min >= kShortestPlain;
  for (int e = decade(min); e <= decade(max); ++e) {
    for (const int m : {1, 2, 5}) {
      const double value = m * std::pow(10.0, e);
      if (value < min * (1 - 1e-9) || value > max * (1 + 1e-9)) continue;
      if (range.whole && e < 0) continue;
      const std::string text = plain    ? fmt::format("{:g}", value)
                               : m == 1 ? power_of_ten(e)
                                        : fmt::format("{}×{}", m, power_of_ten(e));
      ticks.push_back({value, Text::markup(text)});
    }
  }
  if (ticks.size() >= 3) return ticks;
  return linear_ticks({Scale::linear, min, max, 0, range.whole}, std::max(max_labels, 3));
}

/// Makes room about a value that stands alone.
void spread_constant(const Axis& axis, Range* range) {
  const double magnitude = std::max(std::fabs(range->min), std::fabs(range->max));
  // A span below what doubles can tell apart would give ticks that coincide.
  if (range->max - range->min > magnitude * 1e-13) return;
  // A small whole number gets an axis of its neighbours; any other value one of round numbers.
  const bool few = axis.whole && magnitude < kPlainBelow && range->exponent == 0;
  const double around = few ? 0.5 : magnitude > 0 ? 0.1 * magnitude : 1;
  if (!axis.min || axis.max) range->min -= around;
  if (!axis.max || axis.min) range->max += around;
}

Range linear_range(const Axis& axis, Extent data, double margin) {
  if (axis.min) data.add(*axis.min);
  if (axis.max) data.add(*axis.max);
  if (data.empty()) data = {0, 1};
  Range range;
  const double largest = std::max(std::fabs(data.low), std::fabs(data.high));
  if (largest > kLargest || (largest > 0 && largest < kSmallest)) range.exponent = decade(largest);
  range.min = scaled(axis.min.value_or(data.low), range.exponent);
  range.max = scaled(axis.max.value_or(data.high), range.exponent);
  spread_constant(axis, &range);
  const double span = range.max - range.min;
  const double step = round_step(span, 6);
  if (!axis.min && margin > 0) {
    range.min -= margin * span;
    const double round = std::floor(range.min / step) * step;
    if (range.min - round < kSnap * span) range.min = round;
  }
  if (!axis.max && margin > 0) {
    range.max += margin * span;
    const double round = std::ceil(range.max / step) * step;
    if (round - range.max < kSnap * span) range.max = round;
  }
  return range;
}

Range log_range(const Axis& axis, Extent data, double margin) {
  if (axis.min) data.add(*axis.min);
  if (axis.max) data.add(*axis.max);
  if (data.empty()) data = {1, 10};
  const double first = axis.min.value_or(data.low);
  const double last = axis.max.value_or(data.high);
  double low = std::log10(first);
  double high = std::log10(last);
  if (!(high - low > 1e-12)) {
    if (!axis.min || axis.max) low -= 0.5;
    if (!axis.max || axis.min) high += 0.5;
  }
  const double span = high - low;
  const auto snaps = [&](double distance) { return span >= 2 && distance < kDecadeSnap; };
  if (!axis.min && margin > 0) {
    low -= margin * span;
    if (snaps(low - std::floor(low))) low = std::floor(low);
  }
  if (!axis.max && margin > 0) {
    high += margin * span;
    if (snaps(std::ceil(high) - high)) high = std::ceil(high);
  }
  constexpr double kTop = 1.7e308;  // a margin may reach beyond what doubles hold
  // 10^log10(x) is seldom x: an end that did not move stays what it was, so no value falls outside.
  const double min = low < std::log10(first) ? std::pow(10.0, low) : first;
  const double max = high > std::log10(last) ? std::pow(10.0, high) : last;
  return {Scale::log10, std::max(min, 1e-320), std::min(max, kTop), 0};
}

}  // namespace

void Extent::add(double value) {
  if (empty()) {
    low = high = value;
  } else {
    low = std::min(low, value);
    high = std::max(high, value);
  }
}

double Range::drawn(double value) const { return scaled(value, exponent); }

double Range::position_of_drawn(double value) const {
  if (scale == Scale::linear) return (value - min) / (max - min);
  return (std::log10(value) - std::log10(min)) / (std::log10(max) - std::log10(min));
}

bool drawable(double value, Scale scale) {
  return std::isfinite(value) && (scale == Scale::linear || value > 0);
}

Range choose_range(const Axis& axis, const Extent& data, double margin) {
  Range range = axis.scale == Scale::linear ? linear_range(axis, data, margin)
                                            : log_range(axis, data, margin);
  range.whole = axis.whole;
  return range;
}

std::vector<Tick> choose_ticks(const Range& range, int max_labels) {
  const int count = std::max(max_labels, 2);
  if (range.scale == Scale::linear) {
    return linear_ticks(range, count);
  }
  const double decades =
      std::floor(std::log10(range.max) + 1e-9) - std::ceil(std::log10(range.min) - 1e-9) + 1;
  if (decades < 3) return short_log_ticks(range, count);
  return decade_ticks(range, count);
}

std::vector<Tick> marks_or(const std::vector<Mark>& marks, std::vector<Tick> chosen) {
  if (marks.empty()) return chosen;
  std::vector<Tick> ticks;
  ticks.reserve(marks.size());
  for (const Mark& mark : marks) ticks.push_back({mark.at, mark.label});
  return ticks;
}

std::vector<Tick> index_ticks(std::size_t count, int max_labels) {
  std::size_t step = 1;
  while (count > step * static_cast<std::size_t>(std::max(max_labels, 1))) step *= 2;
  std::vector<Tick> ticks;
  for (std::size_t i = 0; i < count; i += step) {
    ticks.push_back({static_cast<double>(i), Text::markup(std::to_string(i))});
  }
  return ticks;
}

}  // namespace rope::plot
