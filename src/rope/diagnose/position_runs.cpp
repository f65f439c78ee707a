#include "rope/diagnose/position_runs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/precision/rounding.hpp"

namespace rope {

std::optional<std::int64_t> constant_offset(std::span<const Regime> regimes,
                                            std::span<const std::int64_t> given) {
  if (regimes.size() != 1) return std::nullopt;
  const Regime& only = regimes.front();
  std::optional<std::int64_t> offset;
  for (std::size_t i = 0; i < only.positions.size(); ++i) {
    std::int64_t own = 0;
    if (__builtin_sub_overflow(only.positions[i], given[only.tokens[i]], &own)) return std::nullopt;
    if (offset && own != *offset) return std::nullopt;
    offset = own;
  }
  return offset;
}

std::vector<PositionRun> position_runs(std::span<const Regime> regimes) {
  struct Token {
    std::size_t token;
    std::int64_t position;
    std::size_t regime;
  };
  std::vector<Token> all;
  for (std::size_t r = 0; r < regimes.size(); ++r)
    for (std::size_t i = 0; i < regimes[r].tokens.size(); ++i)
      all.push_back({regimes[r].tokens[i], regimes[r].positions[i], r});
  std::sort(all.begin(), all.end(),
            [](const Token& a, const Token& b) { return a.token < b.token; });
  std::vector<PositionRun> runs;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Token& token = all[i];
    if (!runs.empty() && runs.back().regime == token.regime &&
        runs.back().last_token + 1 == token.token) {
      PositionRun& run = runs.back();
      const auto length = static_cast<std::int64_t>(run.last_token - run.first_token);
      const std::int64_t step = token.position - (run.position + run.step * length);
      // Other steps than 1, −1 and 0 are seen in three tokens and more.
      const bool goes_on = i + 1 < all.size() && all[i + 1].regime == token.regime &&
                           all[i + 1].token == token.token + 1 &&
                           all[i + 1].position - token.position == step;
      if (length == 0 && (std::abs(step) <= 1 || goes_on)) run.step = step;
      if (step == run.step) {
        run.last_token = token.token;
        continue;
      }
    }
    runs.push_back({token.token, token.token, token.position, 1, token.regime});
  }
  return runs;
}

std::optional<Format> position_rounding(std::span<const Regime> regimes,
                                        std::span<const std::int64_t> given) {
  if (regimes.size() != 1 || constant_offset(regimes, given)) return std::nullopt;
  const Regime& only = regimes.front();
  // What is n-fold is not rounded: a shift and two tokens make either of the other.
  const std::int64_t from = given[only.tokens.front()], to = only.positions.front();
  bool multiple = from != 0 && to % from == 0;
  for (std::size_t i = 0; multiple && i < only.positions.size(); ++i)
    multiple = only.positions[i] == to / from * given[only.tokens[i]];
  if (multiple) return std::nullopt;
  for (const Format format : {Format::bfloat16, Format::float16}) {
    const auto rounded = [&](std::int64_t position) {
      return round_to(format, static_cast<double>(position));
    };
    const auto first = static_cast<double>(only.positions.front());
    const auto farthest =
        static_cast<std::int64_t>(std::ceil(std::abs(first) * limits(format).unit_roundoff));
    constexpr std::int64_t kMost = 4096;  // beyond it, positions are hardly told apart
    for (std::int64_t away = 0; away <= std::min<std::int64_t>(farthest, kMost); ++away)
      for (const std::int64_t before : {away, -away}) {
        const std::int64_t shift = only.positions.front() - given[only.tokens.front()] - before;
        bool all = true;
        for (std::size_t i = 0; all && i < only.positions.size(); ++i)
          all = rounded(given[only.tokens[i]] + shift) == static_cast<double>(only.positions[i]);
        if (all) return format;
      }
  }
  return std::nullopt;
}

namespace {

/// How many tokens are at position 0 and not at the given one; 0 if one is at a third position.
std::size_t unrotated_tokens(std::span<const Regime> regimes, std::span<const std::int64_t> given) {
  if (regimes.size() != 1) return 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < regimes.front().positions.size(); ++i) {
    const std::int64_t own = regimes.front().positions[i];
    if (own == given[regimes.front().tokens[i]]) continue;
    if (own != 0) return 0;
    ++count;
  }
  return count;
}

}  // namespace

void compare_positions(Explanation& e, std::span<const std::int64_t> given) {
  e.position_offset = constant_offset(e.regimes, given);
  e.runs = e.position_offset ? std::vector<PositionRun>() : position_runs(e.regimes);
  e.rounded_positions = position_rounding(e.regimes, given);
  e.unrotated = e.position_offset ? 0 : unrotated_tokens(e.regimes, given);
}

}  // namespace rope
