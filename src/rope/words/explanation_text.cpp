#include "rope/words/explanation_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/rotary/measured.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "rope/scaling/scaling.hpp"
#include "rope/words/embedding_text.hpp"
#include "rope/words/sentence.hpp"

namespace rope::words {
namespace {

/// " (low … high)" where a fitted number may be anything between, as six digits show it.
std::string interval_text(double low, double high) {
  constexpr double kShown = 1e-5;
  if (!(low > 0) || !std::isfinite(high) || !(high > low * (1 + kShown))) return {};
  return fmt::format(" ({} … {})", six_digits(low), six_digits(high));
}

std::string base_text(const Spectrum& spectrum) {
  const std::optional<double> base = spectrum.base();
  if (!base || !spectrum.recognised) return {};
  if (spectrum.embedding.pairs() == 1)
    return "any base (a single pair has frequency 1 whatever the base)";
  return "base " + plain_number(*base) + interval_text(spectrum.base_low, spectrum.base_high);
}

std::string rule_text(const Spectrum& spectrum) {
  if (!spectrum.recognised) {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < spectrum.embedding.pairs(); ++i)
      if (spectrum.known(i))
        known.push_back(
            fmt::format("θ_{} {}", i, six_digits(spectrum.embedding.frequencies.theta[i])));
    if (known.size() > 2) known.erase(known.begin() + 1, known.end() - 1);
    return fmt::format("frequencies that follow no known rule: {}", fmt::join(known, " … "));
  }
  const std::string cast =
      spectrum.cast ? ", cast to " + std::string(limits(spectrum.cast->format).name) : "";
  if (spectrum.scaling().rule == "default") return "no scaling" + cast;
  return "scaling " + brief_scaling_text(spectrum.scaling()) +
         interval_text(spectrum.divisor_low, spectrum.divisor_high) + cast;
}

/// "position 7", "positions 7, 8", "positions 7, 6, 5 …".
std::string even_positions_text(std::int64_t first, std::int64_t step, std::size_t tokens) {
  std::string text = fmt::format("position{} {}", tokens > 1 ? "s" : "", first);
  for (std::int64_t i = 1; i < static_cast<std::int64_t>(std::min<std::size_t>(tokens, 3)); ++i)
    text += fmt::format(", {}", first + i * step);
  return text + (tokens > 3 ? " …" : "");
}

bool on_axes(const Explanation& e) { return !e.regimes.front().on_axes.empty(); }

std::string positions_text(const Diagnosed& one, const Explanation& e) {
  const std::size_t tokens = one.diagnosis.tokens;
  if (on_axes(e) && !e.position_offset)
    return fmt::format("positions on {} axes", e.spectrum().embedding.axes.count());
  if (!e.position_offset)
    return e.runs.size() == 1
               ? even_positions_text(e.runs.front().position, e.runs.front().step, tokens)
               : fmt::format("positions in {} runs", e.runs.size());
  if (!one.positions_given || one.diagnosis.axes_left_out > 0)
    return even_positions_text(*e.position_offset, 1, tokens);
  return *e.position_offset == 0
             ? "positions as given"
             : fmt::format("positions {} {} than given", std::abs(*e.position_offset),
                           *e.position_offset < 0 ? "lower" : "higher");
}

/// "16 … 39", and of numbers that lie scattered "0, 3, 6 … 63 (24)".
std::string few_ranges(const std::vector<std::size_t>& numbers) {
  std::string all = ranges_text(numbers);
  if (std::ranges::count(all, ',') < 6) return all;
  return fmt::format("{}, {}, {} … {} ({} of them)", numbers[0], numbers[1], numbers[2],
                     numbers.back(), numbers.size());
}

/// "height turns pairs 16 to 39: positions 0 to 38", a line an axis.
std::string axes_text(const Explanation& e) {
  std::string text;
  const Axes& axes = e.spectrum().embedding.axes;
  for (std::size_t a = 0; a < axes.count(); ++a) {
    const std::vector<std::size_t> pairs = pairs_on_axis(e, a);
    if (pairs.empty()) continue;
    const std::vector<std::int64_t> positions = positions_on_axis(e, a);
    const auto [least, most] = std::ranges::minmax(positions);
    text += fmt::format("    {} turns pair{} {}: position{} {}{}\n", axes.names[a],
                        pairs.size() > 1 ? "s" : "", few_ranges(pairs), least < most ? "s" : "",
                        least, least < most ? fmt::format(" to {}", most) : std::string());
  }
  return text;
}

/// With as many digits as tell a factor that is not 1 from it.
std::string factor_text(const Spectrum& spectrum) {
  const double factor = spectrum.embedding.attention_factor;
  const bool may_be_one = spectrum.factor_low <= 1 && 1 <= spectrum.factor_high;
  return number_apart(factor, may_be_one ? factor : 1);
}

/// "positions from 5", where they count up; as positions_text() says otherwise.
std::string short_positions(const Diagnosed& one, const Explanation& e) {
  const bool several = one.diagnosis.tokens > 1 && !on_axes(e);
  if (e.position_offset && !one.positions_given && several)
    return fmt::format("positions from {}", *e.position_offset);
  if (!e.position_offset && e.runs.size() == 1 && e.runs.front().step == 1 && several)
    return fmt::format("positions from {}", e.runs.front().position);
  return positions_text(one, e);
}

}  // namespace

std::string layout_text(const Diagnosed& one, const Explanation& explanation) {
  if (one.columns || one.frequencies) return {};
  return explanation.arrangement.pairs() == 1 ? "either (one pair)" : name(explanation.arrangement);
}

/// " (i, i+64)": the pairs of a plain layout.
std::string plain_pairs_text(const Arrangement& a) {
  const bool plain = a.in == a.out && (a.in == 0 || a.in == -1) && a.blocks == 1 && a.pairs() > 1;
  if (!plain || a.offset > 0) return {};
  return " " + pair_text(a.in == 0 ? PairLayout::interleaved : PairLayout::half, a.rotary_dim);
}

std::string convention_text(const Diagnosed& one, const Explanation& e) {
  const Spectrum& spectrum = e.spectrum();
  std::vector<std::string> parts;
  if (!one.columns && !one.frequencies) parts.push_back("layout " + layout_text(one, e));
  if (one.columns && *one.columns != TableColumns::pairs)
    parts.push_back(fmt::format("columns repeated as in {} layout", name(*one.columns)));
  parts.push_back(fmt::format("rotary_dim {}", e.arrangement.rotary_dim));
  if (e.arrangement.offset > 0)
    parts.push_back(fmt::format("from dimension {}", e.arrangement.offset));
  if (const std::string base = base_text(spectrum); !base.empty()) parts.push_back(base);
  parts.push_back(rule_text(spectrum));
  if (on_axes(e)) parts.push_back(sections_text(spectrum.embedding.axes));
  if (!one.frequencies) {
    parts.push_back(positions_text(one, e));
    parts.push_back("attention factor " + factor_text(spectrum) +
                    interval_text(spectrum.factor_low, spectrum.factor_high));
  }
  parts.emplace_back(spectrum.clockwise ? "clockwise (−mθ)" : "counter-clockwise (mθ)");
  if (spectrum.reversed) parts.emplace_back("slowest pair first");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string runs_text(const Diagnosed& one, const Explanation& e, std::size_t most) {
  if (on_axes(e)) return axes_text(e);
  std::string text;
  if (e.runs.size() == 1) return text;  // positions_text() has said it
  for (std::size_t i = 0; i < std::min(most, e.runs.size()); ++i) {
    const PositionRun& run = e.runs[i];
    const auto length = static_cast<std::int64_t>(run.last_token - run.first_token);
    const std::size_t first = one.file_token(run.first_token);
    const std::size_t last = one.file_token(run.last_token);
    std::string tokens =
        length == 0 ? fmt::format("token {}", first) : fmt::format("tokens {} … {}", first, last);
    if (const std::size_t in_row = one.row_tokens; in_row > 0) {
      tokens = fmt::format("row {}, token {}", first / in_row, first % in_row);
      if (last / in_row == first / in_row && length > 0)
        tokens += fmt::format(" … {}", last % in_row);
      if (last / in_row != first / in_row)
        tokens += fmt::format(" … row {}, token {}", last / in_row, last % in_row);
    }
    std::string where = fmt::format("position {}", run.position);
    if (length > 0 && run.step != 0)
      where = fmt::format("positions {} … {}", run.position, run.position + run.step * length);
    const std::string regime = e.regimes.size() > 1
                                   ? fmt::format(", frequencies {}: {}", run.regime + 1,
                                                 frequencies_text(e.regimes[run.regime].spectrum))
                                   : std::string();
    text += fmt::format("    {}: {}{}\n", tokens, where, regime);
  }
  if (e.runs.size() > most)
    text += fmt::format("    … and {} more{}\n", e.runs.size() - most, hint(" (--json lists all)"));
  return text;
}

std::string short_convention(const Diagnosed& one, const Explanation& e) {
  const Spectrum& spectrum = e.spectrum();
  const RotaryEmbedding& embedding = spectrum.embedding;
  std::vector<std::string> parts;
  if (!one.columns && !one.frequencies)
    parts.push_back(layout_text(one, e) + " layout" + plain_pairs_text(e.arrangement));
  if (e.head_dim > e.arrangement.rotary_dim)
    parts.push_back(fmt::format("dimensions {} to {} of {}", e.arrangement.offset,
                                e.arrangement.offset + e.arrangement.rotary_dim - 1, e.head_dim));
  if (const std::string base = base_text(spectrum); !base.empty()) parts.push_back(base);
  if (!spectrum.recognised || spectrum.cast || embedding.scaling.rule != "default")
    parts.push_back(rule_text(spectrum));
  if (on_axes(e)) parts.push_back(sections_text(embedding.axes));
  if (!one.frequencies) parts.push_back(short_positions(one, e));
  if (embedding.attention_factor != 1) parts.push_back("attention factor " + factor_text(spectrum));
  if (spectrum.clockwise) parts.emplace_back("clockwise");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string explanation_text(const Diagnosed& one, const Explanation& e, const Extent& extent) {
  const Spectrum& spectrum = e.spectrum();
  std::string text = fmt::format("  {}\n", convention_text(one, e));
  text += runs_text(one, e, extent.runs);
  const Judgement& j = e.judgement;
  if (!one.frequencies)
    text += fmt::format(
        "    {} numbers are within the bounds of policy {}, which may not be the one that computed "
        "them: the largest error is {}; the number closest to its bound uses {:.0f} % of it ({} of "
        "{})\n",
        j.elements, e.policy.name, three_digits(j.max_error),
        100 * Measured{j.error, j.bound}.ratio(), three_digits(j.error), three_digits(j.bound));
  if (!spectrum.also.empty())
    text += fmt::format(
        "    the same frequencies: {}{}\n",
        fmt::join(spectrum.also.begin(),
                  spectrum.also.begin() +
                      static_cast<std::ptrdiff_t>(std::min<std::size_t>(4, spectrum.also.size())),
                  "; "),
        spectrum.also.size() > 4 ? fmt::format("; {} more", spectrum.also.size() - 4)
                                 : std::string());
  for (const std::string& open : e.open) text += fmt::format("    open: {}\n", open);
  return text;
}

}  // namespace rope::words
