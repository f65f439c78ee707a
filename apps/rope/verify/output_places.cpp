// Where outputs are beyond their bounds: which rows, heads, tokens and dimensions.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rope/language/said.hpp"
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

/// What an axis counts, in the language: one of them, or several.
std::string axis_text(const std::string& axis, bool one, Language language) {
  constexpr std::string_view kNumbered = "axis ";
  if (axis.starts_with(kNumbered)) return said(language, "axis {}", axis.substr(kNumbered.size()));
  return language == Language::en && one ? singular(axis) : std::string(translated(axis, language));
}

/// "head 3", "heads 1 … 7, 9 … 15", "17 of 48 heads".
std::string places_text(const std::string& axis, const std::vector<std::size_t>& numbers,
                        std::size_t length, Language language) {
  const std::string several = axis_text(axis, false, language);
  if (numbers.size() == length && length > 1) return said(language, "all {} {}", length, several);
  if (ranges_of(numbers).size() > kMostRuns)
    return said(language, "{} of {} {}", numbers.size(), length, several);
  const std::string name = axis_text(axis, numbers.size() == 1, language);
  return axis.starts_with("axis") ? said(language, "{} at {}", name, ranges_text(numbers))
                                  : fmt::format("{} {}", name, ranges_text(numbers));
}

/// "head 3 of row 1", as far as it is not all there is: an axis along which they are all, or of
/// length 1, says nothing. Empty for every vector.
std::string block_text(const OutputStudy& study, const UnrotatedPlaces& unrotated,
                       Language language) {
  const std::vector<std::size_t>& lengths = study.places->lengths;
  if (unrotated.along.empty())
    return said(language, "{}, the first of them vector {},",
                counted(unrotated.vectors, "vector", language), unrotated.first);
  std::string text;
  for (std::size_t axis = unrotated.along.size(); axis-- > 0;) {
    if (unrotated.along[axis].size() >= lengths[axis]) continue;
    const std::string places =
        places_text(study.axes[axis], unrotated.along[axis], lengths[axis], language);
    text = text.empty() ? places : said(language, "{} of {}", text, places);
  }
  return text;
}

/// "Row 1 is all zeros."
std::string unrotated_text(const OutputStudy& study, const UnrotatedPlaces& unrotated,
                           Language language) {
  const std::size_t d = study.places->lengths.back();
  std::string what = block_text(study, unrotated, language);
  if (unrotated.dimensions.size() < d) {
    const std::string dimensions = places_text("dimensions", unrotated.dimensions, d, language);
    what = what.empty() ? dimensions : said(language, "{} of {}", dimensions, what);
  }
  if (what.empty()) what = said(language, "every vector");
  const std::size_t first = what.find(' ');
  const bool plural = what.starts_with("all ") || (first > 0 && what[first - 1] == 's') ||
                      (unrotated.along.empty() && unrotated.vectors > 1);
  switch (unrotated.kind) {
    case Unrotated::zero:
      return plural ? said(language, "{} are all zeros", what)
                    : said(language, "{} is all zeros", what);
    case Unrotated::unchanged:
      return plural ? said(language, "{} contain x unchanged", what)
                    : said(language, "{} contains x unchanged", what);
    case Unrotated::not_finite:
      break;
  }
  return plural ? said(language, "{} contain a NaN or an infinity", what)
                : said(language, "{} contains a NaN or an infinity", what);
}

/// Whether that is said of every number of every vector.
bool is_everywhere(const OutputStudy& study, const UnrotatedPlaces& unrotated) {
  return unrotated.dimensions.size() == study.places->lengths.back() &&
         block_text(study, unrotated, Language::en).empty();
}

}  // namespace

void say_places(const OutputStudy& study, const Console& console) {
  if (!study.places) return;
  const OutputPlaces& places = *study.places;
  const Language language = console.language();
  bool others = true;
  for (const UnrotatedPlaces& unrotated : places.unrotated) {
    others = others && !is_everywhere(study, unrotated);
    console.say(sentence(unrotated_text(study, unrotated, language), language));
  }
  if (places.all_unrotated && others) console.say(said(language, "All other numbers are right."));
  std::vector<std::string> everywhere;
  for (std::size_t axis = 0; axis < places.lengths.size(); ++axis) {
    const std::size_t length = places.lengths[axis];
    const std::vector<std::size_t>& failing = places.failing[axis];
    if (length == 1 || failing.empty()) continue;
    const std::string& name = study.axes[axis];
    if (failing.size() == length) {
      everywhere.push_back(axis_text(name, true, language));
      continue;
    }
    const std::string wrong = places_text(name, failing, length, language);
    std::string text =
        failing.size() == 1 ? said(language, "{} fails", wrong) : said(language, "{} fail", wrong);
    if (ranges_of(failing).size() <= kMostRuns) {
      const std::vector<std::size_t> right = places.right(axis);
      const std::string good = places_text(name, right, length, language);
      text = right.size() == 1 ? said(language, "{}; {} is right", text, good)
                               : said(language, "{}; {} are right", text, good);
    }
    console.say(sentence(std::move(text), language));
  }
  if (!everywhere.empty())
    console.say(said(language, "Every {} fails.", listed(everywhere, language)));
}

}  // namespace rope::app
