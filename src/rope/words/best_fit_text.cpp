// What `rope diagnose` says where nothing explains y within rounding but something comes near.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "rope/diagnose/advice.hpp"
#include "rope/io/json_value.hpp"
#include "rope/rotary/measured.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "rope/words/diagnosed.hpp"
#include "rope/words/embedding_text.hpp"
#include "rope/words/sentence.hpp"

namespace rope::words {
namespace {

constexpr double kLeftOfWhole = 0.1;  // of |x|: a known bug leaves less, half of one leaves more

/// How the lanes of a token spread over the axes of the file: all but the tokens' and the head's.
struct LaneAxes {
  std::vector<std::size_t> lengths;
  std::vector<std::size_t> axes;
};

LaneAxes lane_axes(const Diagnosed& one) {
  LaneAxes result;
  for (std::size_t axis = 0; axis + 1 < one.shape.size(); ++axis)
    if (axis != one.diagnosis.token_axis) {
      result.lengths.push_back(one.shape[axis]);
      result.axes.push_back(axis);
    }
  return result;
}

/// The indices along one axis if the lanes are all vectors with these indices.
std::optional<std::vector<std::size_t>> along(const LaneAxes& all, std::size_t which,
                                              const std::vector<std::size_t>& lanes) {
  std::size_t inner = 1, total = 1;
  for (std::size_t i = 0; i < all.lengths.size(); ++i) {
    total *= all.lengths[i];
    if (i > which) inner *= all.lengths[i];
  }
  std::set<std::size_t> indices;
  for (const std::size_t lane : lanes) indices.insert(lane / inner % all.lengths[which]);
  if (indices.size() * (total / all.lengths[which]) != lanes.size()) return std::nullopt;
  return std::vector<std::size_t>(indices.begin(), indices.end());
}

/// What an axis counts: rows of a batch where it stands first of four, else heads.
std::string_view axis_noun(const Diagnosed& one, std::size_t axis) {
  return axis == 0 && one.shape.size() >= 4 ? "row" : "head";
}

/// "97.3 %", "99.99998 %": as many digits as what is missing needs.
std::string share_text(double share) {
  if (!(share < 1)) return "100 %";
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(1 - share))), 1, 12);
  const std::string text = fmt::format("{:.{}f} %", 100 * share, digits);
  return text.starts_with("100") ? "100 %" : text;
}

std::vector<PositionRun> runs_of(const FitPart& part) {
  Regime regime;
  regime.positions = part.positions;
  for (std::size_t t = 0; t < part.positions.size(); ++t) regime.tokens.push_back(t);
  return position_runs(std::span(&regime, 1));
}

std::string positions_of(const Diagnosed& one, const FitPart& part) {
  if (const Axes& axes = part.spectrum.embedding.axes; axes.several())
    return describe_axes(axes) + ", positions as given";
  if (part.positions.empty()) return {};
  const std::size_t tokens = part.positions.size();
  if (tokens == 1) return fmt::format("position {}", part.positions.front());
  const std::int64_t step = part.positions[1] - part.positions[0];
  for (std::size_t t = 1; t < tokens; ++t)
    if (part.positions[t] - part.positions[t - 1] != step) {
      if (part.position_offset == 0)
        return one.positions_given && one.diagnosis.axes_left_out == 0 ? "positions as given"
                                                                       : "positions counted from 0";
      return fmt::format("positions in {} runs", runs_of(part).size());
    }
  if (step == 0) return fmt::format("every token at position {}", part.positions.front());
  return fmt::format("positions {} … {}{}", part.positions.front(), part.positions.back(),
                     step == 1 ? std::string() : fmt::format(" in steps of {}", step));
}

/// "half layout, base 500000, positions 0 … 63".
std::string fit_part_text(const Diagnosed& one, const FitPart& part) {
  const RotaryEmbedding& e = part.spectrum.embedding;
  std::string text = fmt::format("{}, {}", name(part.arrangement), frequencies_text(part.spectrum));
  constexpr std::string_view kDefault = ", default";
  if (const std::size_t at = text.find(kDefault); at != std::string::npos)
    text.erase(at, kDefault.size());
  if (!one.shape.empty() && part.arrangement.rotary_dim != one.shape.back())
    text += fmt::format(", rotary_dim {}", part.arrangement.rotary_dim);
  if (part.arrangement.offset > 0)
    text += fmt::format(" from dimension {}", part.arrangement.offset);
  if (const std::string positions = positions_of(one, part); !positions.empty())
    text += ", " + positions;
  if (part.spectrum.clockwise) text += ", clockwise";
  constexpr double kNotOne = 1e-2;
  if (std::abs(e.attention_factor - 1) > kNotOne)
    text += fmt::format(", attention factor {}", three_digits(e.attention_factor));
  return text;
}

std::string parts_text(const Diagnosed& one, const BestFit& fit) {
  std::string text = "not all vectors are rotated in the same way: ";
  for (std::size_t i = 0; i < fit.parts.size(); ++i) {
    const FitPart& part = fit.parts[i];
    const std::string which = lanes_text(one, part.lanes);
    text += (i == 0 ? "" : "; ") + which;
    const bool single = is_one(which);
    text += part.rotated ? (single ? " follows " : " follow ") + fit_part_text(one, part)
                         : std::string(single ? " is not rotated" : " are not rotated");
  }
  if (!fit.strange.empty()) {
    const std::string which = lanes_text(one, fit.strange);
    text += fmt::format("; {} {} no convention that rope tried", which,
                        is_one(which) ? "follows" : "follow");
  }
  return text;
}

std::string wrong_numbers_text(const Diagnosed& one, const BestFit& fit, bool stated) {
  const WrongNumbers& numbers = *fit.wrong_numbers;
  const std::string what =
      numbers.are_x      ? ", where y is x"
      : numbers.are_zero ? ", where y is zero"
      : numbers.are_of_overwritten
          ? ", where one number of a pair is computed from the rotated value of the other"
          : std::string();
  std::vector<std::size_t> tokens;
  for (const std::size_t token : numbers.tokens) tokens.push_back(one.file_token(token));
  std::string where;
  const auto say = [&](const std::string& part) { where += (where.empty() ? "" : ", ") + part; };
  if (numbers.scattered()) {
    const auto [token, lane, dimension] = numbers.first;
    const std::string head =
        fit.parts.front().lanes.size() > 1 ? lanes_text(one, {lane}) + ", " : "";
    where = fmt::format(
        "scattered (number of tokens: {}, of dimensions: {}; the first: token {}, {}dimension {})",
        tokens.size(), numbers.dimensions.size(), one.file_token(token), head, dimension);
  } else {
    if (tokens.size() < one.diagnosis.tokens) say(several("token", tokens));
    if (numbers.lanes.size() < fit.parts.front().lanes.size()) say(lanes_text(one, numbers.lanes));
    if (numbers.dimensions.size() < one.shape.back()) say(several("dimension", numbers.dimensions));
    where = "in " + where;
  }
  return fmt::format("{} fits all but {} of {} numbers, {}{}: {}",
                     stated ? "what you state" : "one convention", numbers.wrong, numbers.all,
                     where, what, fit_part_text(one, fit.parts.front()));
}

}  // namespace

std::string several(std::string_view noun, const std::vector<std::size_t>& numbers) {
  return fmt::format("{}{} {}", noun, numbers.size() == 1 ? "" : "s", ranges_text(numbers));
}

bool is_one(std::string_view lanes) { return !lanes.substr(0, lanes.find(' ')).ends_with('s'); }

std::string lanes_text(const Diagnosed& one, const std::vector<std::size_t>& lanes) {
  const LaneAxes all = lane_axes(one);
  for (std::size_t i = all.axes.size(); i-- > 0;)
    if (all.lengths[i] > 1)
      if (const auto indices = along(all, i, lanes)) {
        if (indices->size() < all.lengths[i] || all.axes.size() == 1)
          return several(axis_noun(one, all.axes[i]), *indices);
      }
  return several("vector", lanes) + " of every token";
}

std::vector<Advice> best_fit_differences(const Diagnosed& one,
                                         const std::optional<Assumption>& assumed) {
  const std::optional<BestFit>& fit = one.diagnosis.best_fit;
  if (!assumed || !fit || !fit->bug.empty() || !fit->following.empty() || fit->parts.empty() ||
      fit->in_parts())
    return {};
  constexpr double kNear = 0.8;  // of y: the coarsest cache leaves a tenth, another convention half
  if (fit->explained < kNear) return {};
  const FitPart& part = fit->parts.front();
  Explanation nearest;
  nearest.arrangement = part.arrangement;
  nearest.regimes.push_back({{}, part.positions, part.spectrum});
  nearest.regimes.front().spectrum.factor_error = fit->residual;  // noise moves a fitted factor
  nearest.position_offset = part.position_offset;
  if (!nearest.position_offset && !part.positions.empty()) nearest.runs = runs_of(part);
  nearest.head_dim = one.shape.back();
  return case_differences(one, nearest, *assumed);
}

std::string best_fit_text(const Diagnosed& one, const std::optional<Assumption>& assumed) {
  const std::optional<BestFit>& fit = one.diagnosis.best_fit;
  if (!fit) return {};
  if (!fit->bug.empty())
    return fmt::format(
        "no rotation explains these tensors, but this does{}: {}; {} of |x| is left "
        "unexplained",
        fit->residual < kLeftOfWhole ? "" : " in part", fit->bug, three_digits(fit->residual));
  if (fit->wrong_numbers) return wrong_numbers_text(one, *fit, assumed.has_value());
  if (!fit->following.empty())
    return fmt::format("no convention explains all pairs: {} follow {}, but {} {} not ({})",
                       several("pair", fit->following), fit_part_text(one, fit->parts.front()),
                       ranges_text(fit->straying), fit->straying.size() == 1 ? "does" : "do",
                       fit->looks_like);
  if (fit->in_parts()) return parts_text(one, *fit);
  if (fit->noise) {
    const std::string convention = fit_part_text(one, fit->parts.front());
    const std::string explained = share_text(fit->explained);
    std::string text = fmt::format("the closest fit explains {} of y: {}", explained, convention);
    if (assumed)
      text = best_fit_differences(one, assumed).empty()
                 ? fmt::format("what you state comes closest and explains {} of y: {}", explained,
                               convention)
                 : fmt::format("the closest fit is not what you assume; it explains {} of y: {}",
                               explained, convention);
    text += fmt::format("; the remainder, {} of |x|, is spread as noise would be",
                        three_digits(fit->residual));
    if (!fit->looks_like.empty()) text += ", like " + fit->looks_like;
    return text;
  }
  std::string text = fmt::format(
      "no convention {}explains these tensors within rounding; closest: {} explain{} {} of y, "
      "leaving {} of |x|",
      one.diagnosis.verdict == DiagnosisVerdict::none ? "" : "that rope tried ",
      fit_part_text(one, fit->parts.front()), one.diagnosis.tokens == 1 ? "s" : "",
      share_text(fit->explained), three_digits(fit->residual));
  if (!fit->looks_like.empty()) text += ", like " + fit->looks_like;
  return text;
}

io::JsonValue best_fit_json(const Diagnosed& one, const std::optional<Assumption>& assumed) {
  const std::optional<BestFit>& fit = one.diagnosis.best_fit;
  if (!fit) return nullptr;
  const auto text = [](const std::string& words) {
    return words.empty() ? std::nullopt : std::optional(words);
  };
  const auto part = [&](const FitPart& p) {
    const RotaryEmbedding& e = p.spectrum.embedding;
    const bool turns = p.rotated;
    return io::JsonValue{
        {"lanes", p.lanes},
        {"which", p.lanes.empty() ? std::nullopt : std::optional(lanes_text(one, p.lanes))},
        {"rotated", turns},
        {"layout", turns ? std::optional(name(p.arrangement)) : std::nullopt},
        {"rotary_dim", turns ? std::optional(p.arrangement.rotary_dim) : std::nullopt},
        {"base", turns ? e.base : std::nullopt},
        {"frequencies", turns ? std::optional(frequencies_text(p.spectrum)) : std::nullopt},
        {"clockwise", turns && p.spectrum.clockwise},
        {"attention_factor", turns ? std::optional(e.attention_factor) : std::nullopt},
        {"positions", turns ? text(positions_of(one, p)) : std::nullopt},
        {"residual", p.residual}};
  };
  io::JsonValue json = {{"explained", fit->explained},
                        {"residual", fit->residual},
                        {"noise", fit->noise},
                        {"looks_like", text(fit->looks_like)},
                        {"known_bug", text(fit->bug)},
                        {"remedy", text(fit->remedy.text)},
                        {"remedy_id", text(std::string(fit->remedy.name.text()))}};
  if (!fit->parts.empty() && fit->parts.front().rotated) {
    const FitPart& first = fit->parts.front();
    json.add({{"layout", name(first.arrangement)},
              {"base", first.spectrum.embedding.base},
              {"positions", text(positions_of(one, first))}});
  }
  if (fit->wrong_numbers) {
    const WrongNumbers& numbers = *fit->wrong_numbers;
    json.add("wrong_numbers", io::JsonValue{{"wrong", numbers.wrong},
                                            {"of", numbers.all},
                                            {"scattered", numbers.scattered()},
                                            {"tokens", numbers.tokens},
                                            {"lanes", numbers.lanes},
                                            {"dimensions", numbers.dimensions}});
  }
  json.add({{"lanes_following_nothing", fit->strange},
            {"pairs_following", fit->following},
            {"pairs_straying", fit->straying},
            {"parts", io::json_list(fit->parts, part)}});
  if (assumed)
    json.add("differences",
             io::json_list(best_fit_differences(one, assumed), [](const Advice& advice) {
               return io::JsonValue{{"finding", advice.finding},
                                    {"remedy", advice.remedy.text},
                                    {"remedy_id", advice.remedy.name.text()}};
             }));
  return json;
}

}  // namespace rope::words
