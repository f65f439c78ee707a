#include "rope/markup/latex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "rope/markup/characters.hpp"

namespace rope::markup {
namespace {

using Spelling = std::pair<std::string_view, std::string_view>;

/// Signs that LaTeX has in mathematics. Where one begins another, the longer stands first.
constexpr auto kMathSigns = std::to_array<Spelling>({
    {"θ̂", R"(\hat{\theta})"},
    {"θ", R"(\theta)"},
    {"λ", R"(\lambda)"},
    {"Δ", R"(\Delta)"},
    {"φ", R"(\varphi)"},
    {"π", R"(\pi)"},
    {"α", R"(\alpha)"},
    {"β", R"(\beta)"},
    {"γ", R"(\gamma)"},
    {"δ", R"(\delta)"},
    {"ε", R"(\varepsilon)"},
    {"ζ", R"(\zeta)"},
    {"η", R"(\eta)"},
    {"μ", R"(\mu)"},
    {"ρ", R"(\rho)"},
    {"σ", R"(\sigma)"},
    {"τ", R"(\tau)"},
    {"ω", R"(\omega)"},
    {"Σ", R"(\Sigma)"},
    {"Π", R"(\Pi)"},
    {"ŵ", R"(\hat{w})"},
    {"ŷ", R"(\hat{y})"},
    {"ē", R"(\bar{e})"},
    {"−", "-"},
    {"·", R"(\cdot)"},
    {"×", R"(\times)"},
    {"÷", R"(\div)"},
    {"±", R"(\pm)"},
    {"∓", R"(\mp)"},
    {"√", R"(\surd)"},
    {"∞", R"(\infty)"},
    {"≤", R"(\le)"},
    {"≥", R"(\ge)"},
    {"≠", R"(\ne)"},
    {"≈", R"(\approx)"},
    {"≪", R"(\ll)"},
    {"→", R"(\to)"},
    {"←", R"(\leftarrow)"},
    {"↦", R"(\mapsto)"},
    {"⟨", R"(\langle)"},
    {"⟩", R"(\rangle)"},
    {"⌊", R"(\lfloor)"},
    {"⌋", R"(\rfloor)"},
    {"‖", R"(\|)"},
    {"∠", R"(\angle)"},
    {"∈", R"(\in)"},
    {"⊙", R"(\odot)"},
    {"⊗", R"(\otimes)"},
    {"…", R"(\dots)"},
    {"⋯", R"(\cdots)"},
    {"½", R"(\frac{1}{2})"},
    {"′", R"({}')"},
    {"ᐟ", R"({}')"},
    {"°", R"({}^{\circ})"},
    {"ᵀ", R"({}^{\mathsf{T}})"},
    {"⁻¹", "{}^{-1}"},
    {"⁻", "{}^{-}"},
    {"⁰", "{}^{0}"},
    {"¹", "{}^{1}"},
    {"²", "{}^{2}"},
    {"³", "{}^{3}"},
    {"⁴", "{}^{4}"},
    {"⁵", "{}^{5}"},
    {"⁶", "{}^{6}"},
    {"⁷", "{}^{7}"},
    {"⁸", "{}^{8}"},
    {"⁹", "{}^{9}"},
    {"ⁱ", "{}^{i}"},
    {"ⁿ", "{}^{n}"},
    {"ᵐ", "{}^{m}"},
    {"ᵏ", "{}^{k}"},
    {"ᵈ", "{}^{d}"},
    {"₀", "{}_{0}"},
    {"₁", "{}_{1}"},
    {"₂", "{}_{2}"},
    {"₃", "{}_{3}"},
    {"₄", "{}_{4}"},
    {"₅", "{}_{5}"},
    {"₆", "{}_{6}"},
    {"₇", "{}_{7}"},
    {"₈", "{}_{8}"},
    {"₉", "{}_{9}"},
    {"ᵢ", "{}_{i}"},
    {"ₖ", "{}_{k}"},
    {"ₘ", "{}_{m}"},
    {"ₙ", "{}_{n}"},
    {"₋", "{}_{-}"},
    {"✓", R"(\surd)"},
    {"✗", R"(\times)"},
    {"<", "<"},
    {">", ">"},
    {"|", "|"},
});

/// Signs of text; those of ASCII mean something else to LaTeX, or print as another.
constexpr auto kTextSigns = std::to_array<Spelling>({
    {"–", "--"},
    {"—", "---"},
    {"“", "``"},
    {"”", "''"},
    {"«", "``"},
    {"»", "''"},
    {"‘", "`"},
    {"’", "'"},
    {"§", R"(\S{})"},
    {"\\", R"(\textbackslash{})"},
    {"^", R"(\textasciicircum{})"},
    {"~", R"(\textasciitilde{})"},
    {"`", R"({\char96})"},
    {"{", R"(\{)"},
    {"}", R"(\})"},
    {"[", "{[}"},  // behind \\ it would begin a length
    {"*", "{*}"},  // and this belong to \\ itself
    {"_", R"(\_)"},
    {"#", R"(\#)"},
    {"$", R"(\$)"},
    {"%", R"(\%)"},
    {"&", R"(\&)"},
});

template <std::size_t N>
const Spelling* sign_at(std::string_view rest, const std::array<Spelling, N>& signs) {
  const auto* const found = std::ranges::find_if(
      signs, [&](const Spelling& sign) { return rest.starts_with(sign.first); });
  return found == signs.end() ? nullptr : found;
}

/// Whether the name of a file goes on there, as behind the b of "a_b.npy".
bool goes_on_as_name(std::string_view rest) {
  if (rest.empty()) return false;
  const bool joins = rest[0] == '.' || rest[0] == '-';
  return rest[0] == '/' || (joins && rest.size() > 1 && is_word(rest[1]));
}

/// Whether a number or an index may end before `rest`.
bool ends_before(std::string_view rest) {
  return rest.empty() || (!is_word(rest[0]) && !goes_on_as_name(rest));
}

/// Whether one may begin behind `before`.
bool begins_behind(std::string_view before) {
  return before.empty() || (!is_word(before.back()) &&
                            std::string_view(".-/)").find(before.back()) == std::string_view::npos);
}

/// A piece of a text that is mathematics: its LaTeX, and the bytes it takes.
struct Formula {
  std::string latex;
  std::size_t bytes = 0;
};

/// A number with a sign or a power of ten.
std::optional<Formula> number_at(std::string_view rest) {
  const std::size_t sign = rest.starts_with('-') ? 1 : 0;
  std::size_t end = sign + digits_at(rest.substr(sign));
  if (end == sign) return std::nullopt;
  if (end + 1 < rest.size() && rest[end] == '.' && is_digit(rest[end + 1]))
    end += 1 + digits_at(rest.substr(end + 1));
  Formula number{std::string(rest.substr(0, end)), end};
  if (end + 2 < rest.size() && rest[end] == 'e' && (rest[end + 1] == '-' || rest[end + 1] == '+')) {
    const std::size_t digits = digits_at(rest.substr(end + 2));
    const std::string_view power = rest.substr(end + 2, digits);
    const std::string_view shown = power.substr(std::min(power.find_first_not_of('0'), digits));
    if (digits > 0) {
      number.latex += fmt::format(R"( \times 10^{{{}{}}})", rest[end + 1] == '-' ? "-" : "",
                                  shown.empty() ? "0" : shown);
      number.bytes = end + 2 + digits;
    }
  }
  if (sign == 0 && number.bytes == end) return std::nullopt;
  return ends_before(rest.substr(number.bytes)) ? std::optional(number) : std::nullopt;
}

/// The text if all of it may stand in mathematics.
std::optional<std::string> in_mathematics(std::string_view text) {
  std::string latex;
  while (!text.empty()) {
    if (const Spelling* const sign = sign_at(text, kMathSigns)) {
      latex += std::string(sign->second) + (sign->second.starts_with('\\') ? " " : "");
      text.remove_prefix(sign->first.size());
    } else if (is_letter(text[0]) || is_digit(text[0]) ||
               std::string_view(" +-=/,.()").find(text[0]) != std::string_view::npos ||
               (text[0] == '_' && text.size() > 1 && (is_letter(text[1]) || is_digit(text[1])))) {
      latex += text[0];
      text.remove_prefix(1);
    } else {
      return std::nullopt;
    }
  }
  return latex;
}

/// An index or a power behind a sign or a letter: _i, _{n−m}, ^{iθ}.
std::optional<Formula> script_at(std::string_view rest) {
  if (rest.size() < 2 || (rest[0] != '_' && rest[0] != '^')) return std::nullopt;
  std::string_view inside = rest.substr(1, 1);
  std::size_t bytes = 2;
  if (rest[1] == '{') {
    const std::size_t close = rest.find('}');
    if (close == std::string_view::npos || close == 2) return std::nullopt;
    inside = rest.substr(2, close - 2);
    bytes = close + 1;
  } else if (rest[0] == '^' || !is_word(rest[1]) || rest[1] == '_') {
    return std::nullopt;
  }
  const std::string_view behind = rest.substr(bytes);
  const std::optional<std::string> latex = in_mathematics(inside);
  if (!latex || goes_on_as_name(behind) || (bytes == 2 && !ends_before(behind)))
    return std::nullopt;
  return Formula{fmt::format("{}{{{}}}", rest[0], *latex), bytes};
}

/// A sign, or a letter by itself, with the index or the power behind it.
std::optional<Formula> formula_at(std::string_view before, std::string_view rest) {
  const Spelling* const sign = sign_at(rest, kMathSigns);
  const bool letter = is_letter(rest[0]) && begins_behind(before);
  if (sign == nullptr && !letter) return std::nullopt;
  Formula formula{std::string(rest.substr(0, 1)), 1};
  if (sign != nullptr) formula = {std::string(sign->second), sign->first.size()};
  const std::optional<Formula> script = script_at(rest.substr(formula.bytes));
  if (!script) return sign != nullptr ? std::optional(formula) : std::nullopt;
  return Formula{formula.latex + script->latex, formula.bytes + script->bytes};
}

/// LaTeX that is being written. Formulas side by side stand between the same dollars: $$ would
/// begin a display.
class Latex {
 public:
  void formula(std::string_view latex) {
    if (after_formula_) {
      text_.back() = ' ';
      text_.append(latex).append("$");
    } else {
      text_.append("$").append(latex).append("$");
    }
    after_formula_ = true;
  }

  void text(std::string_view latex) {
    if (latex == "-" && !after_formula_ && text_.ends_with('-')) text_ += "{}";  // -- is a dash
    text_ += latex;
    after_formula_ = false;
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  bool after_formula_ = false;
};

}  // namespace

std::string latex_text(std::string_view text) {
  Latex latex;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view before = text.substr(0, i), rest = text.substr(i);
    std::optional<Formula> formula;
    if (begins_behind(before)) formula = number_at(rest);
    if (!formula) formula = formula_at(before, rest);
    if (formula) {
      latex.formula(formula->latex);
      i += formula->bytes;
    } else if (const Spelling* const sign = sign_at(rest, kTextSigns)) {
      latex.text(sign->second);
      i += sign->first.size();
    } else {
      latex.text(rest.substr(0, 1));
      ++i;
    }
  }
  return latex.take();
}

}  // namespace rope::markup
