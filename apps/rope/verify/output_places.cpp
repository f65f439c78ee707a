// Where outputs are beyond their bounds: which rows, heads, tokens and dimensions.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rope/rotary/ranges_text.hpp"
#include "shown/text.hpp"
#include "verify/output.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostRuns = 6;

/// "head" of "heads"; "axis 1" stays.
std::string singular(const std::string& axis) {
  return axis.ends_with('s') && !axis.starts_with("axis") ? axis.substr(0, axis.size() - 1) : axis;
}

/// "head 3", "heads 1 … 7, 9 … 15", "17 of 48 heads".
std::string places_text(const std::string& axis, const std::vector<std::size_t>& numbers,
                        std::size_t length) {
  if (numbers.size() == length && length > 1) return fmt::format("all {} {}", length, axis);
  if (ranges_of(numbers).size() > kMostRuns)
    return fmt::format("{} of {} {}", numbers.size(), length, axis);
  const bool numbered = axis.starts_with("axis");
  return fmt::format("{}{} {}", numbers.size() == 1 ? singular(axis) : axis, numbered ? " at" : "",
                     ranges_text(numbers));
}

/// "head 3 of row 1", as far as it is not all there is: an axis along which they are all, or of
/// length 1, says nothing.
std::string block_text(const OutputStudy& study, const UnrotatedPlaces& unrotated) {
  const std::vector<std::size_t>& lengths = study.places->lengths;
  if (unrotated.along.empty())
    return fmt::format("{}, the first of them vector {},", counted(unrotated.vectors, "vector"),
                       unrotated.first);
  std::string text;
  for (std::size_t axis = unrotated.along.size(); axis-- > 0;)
    if (unrotated.along[axis].size() < lengths[axis])
      text += (text.empty() ? "" : " of ") +
              places_text(study.axes[axis], unrotated.along[axis], lengths[axis]);
  return text.empty() ? "every vector" : text;
}

std::string verb(bool plural, const char* one, const char* several) {
  return plural ? several : one;
}

/// "Row 1 is all zeros."
std::string unrotated_text(const OutputStudy& study, const UnrotatedPlaces& unrotated) {
  const std::size_t d = study.places->lengths.back();
  const bool whole = unrotated.dimensions.size() == d;
  std::string what = block_text(study, unrotated);
  if (!whole) {
    const std::string dimensions = places_text("dimensions", unrotated.dimensions, d);
    what = what == "every vector" ? dimensions : dimensions + " of " + what;
  }
  const std::size_t first = what.find(' ');
  const bool plural = what.starts_with("all ") || (first > 0 && what[first - 1] == 's') ||
                      (unrotated.along.empty() && unrotated.vectors > 1);
  switch (unrotated.kind) {
    case Unrotated::zero:
      return sentence(what + verb(plural, " is all zeros", " are all zeros"));
    case Unrotated::unchanged:
      return sentence(what + verb(plural, " holds x unchanged", " hold x unchanged"));
    case Unrotated::not_finite:
      break;
  }
  return sentence(what + verb(plural, " holds", " hold") + " a NaN or an infinity");
}

}  // namespace

void say_places(const OutputStudy& study, const Console& console) {
  if (!study.places) return;
  const OutputPlaces& places = *study.places;
  bool others = true;
  for (const UnrotatedPlaces& unrotated : places.unrotated) {
    const std::string text = unrotated_text(study, unrotated);
    others = others && !text.starts_with("Every vector");
    console.say(text);
  }
  if (places.all_unrotated && others) console.say("All other numbers are right.");
  std::vector<std::string> everywhere;
  for (std::size_t axis = 0; axis < places.lengths.size(); ++axis) {
    const std::size_t length = places.lengths[axis];
    const std::vector<std::size_t>& failing = places.failing[axis];
    if (length == 1 || failing.empty()) continue;
    const std::string& name = study.axes[axis];
    if (failing.size() == length) {
      everywhere.push_back(singular(name));
      continue;
    }
    const std::vector<std::size_t> right = places.right(axis);
    std::string text =
        places_text(name, failing, length) + (failing.size() == 1 ? " fails" : " fail");
    if (ranges_of(failing).size() <= kMostRuns)
      text += fmt::format("; {} {} right", places_text(name, right, length),
                          right.size() == 1 ? "is" : "are");
    console.say(sentence(std::move(text)));
  }
  if (!everywhere.empty()) console.say(fmt::format("Every {} fails.", listed(everywhere)));
}

}  // namespace rope::app
