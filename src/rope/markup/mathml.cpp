#include "rope/markup/mathml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "rope/markup/characters.hpp"
#include "rope/markup/html.hpp"

namespace rope::markup {
namespace {

/// Chinese characters and their like: three bytes from U+3400 on.
bool is_chinese(const std::string& c) {
  return c.size() == 3 && static_cast<unsigned char>(c[0]) >= 0xE3 &&
         static_cast<unsigned char>(c[0]) <= 0xE9;
}

/// A sign that is a power by itself.
struct RaisedSign {
  std::string_view sign, power;
};
constexpr std::array<RaisedSign, 4> kRaised = {
    {{"ᵀ", "<mi>T</mi>"}, {"²", "<mn>2</mn>"}, {"³", "<mn>3</mn>"}, {"⁻¹", "<mn>−1</mn>"}}};

/// Names of functions, and words of two letters; a word has three letters and more.
constexpr std::array<std::string_view, 9> kFunctions = {"cos", "sin", "atan", "exp",    "ln",
                                                        "log", "max", "min",  "softmax"};
constexpr std::array<std::string_view, 4> kShortWords = {"at", "if", "in", "of"};
constexpr std::string_view kBlank = "\u00a0";

/// Reads a formula from left to right.
class MathWriter {
 public:
  explicit MathWriter(std::string_view formula) : signs_(characters_of(formula)) {}

  std::string row() {
    std::string row;
    while (at_ < signs_.size() && signs_[at_] != "}") row += scripted();
    return row;
  }

 private:
  bool here(std::string_view sign) const { return at_ < signs_.size() && signs_[at_] == sign; }

  /// An atom with its index and its power.
  std::string scripted() {
    std::string base = atom();
    std::string index, power;
    for (bool more = true; more;) {
      more = false;
      if (here("_")) index = script(), more = true;
      if (here("^")) power = script(), more = true;
      for (const auto& [sign, raised] : kRaised)
        if (here(sign)) power += raised, ++at_, more = true;
    }
    if (index.empty() && power.empty()) return base;
    if (power.empty()) return fmt::format("<msub>{}<mrow>{}</mrow></msub>", base, index);
    if (index.empty()) return fmt::format("<msup>{}<mrow>{}</mrow></msup>", base, power);
    return fmt::format("<msubsup>{}<mrow>{}</mrow><mrow>{}</mrow></msubsup>", base, index, power);
  }

  /// What stands behind _ or ^.
  std::string script() {
    ++at_;
    if (!here("{")) return at_ < signs_.size() ? atom() : std::string();
    ++at_;
    std::string inside = row();
    if (at_ < signs_.size()) ++at_;  // }
    return inside;
  }

  template <typename Belongs>
  std::string run(Belongs belongs) {
    std::string run;
    while (at_ < signs_.size() && belongs(signs_[at_])) run += signs_[at_++];
    return run;
  }

  std::string atom() {
    const std::string& sign = signs_[at_];
    if (sign == " ") {
      const std::size_t blanks = run([](const std::string& c) { return c == " "; }).size();
      return blanks > 1 ? R"(<mspace width="1.5em"/>)" : "";
    }
    if (is_digit(sign))
      return fmt::format("<mn>{}</mn>",
                         run([](const std::string& c) { return is_digit(c) || c == "."; }));
    if (is_chinese(sign)) return fmt::format("<mtext>{}</mtext>", run(is_chinese));
    if (is_ascii_letter(sign)) {
      const std::size_t begin = at_;
      const std::string word = run(is_ascii_letter);
      if (std::ranges::count(kFunctions, word) > 0)
        return fmt::format(R"(<mspace width="0.17em"/><mi>{}</mi><mspace width="0.17em"/>)", word);
      if (word.size() >= 3 || std::ranges::count(kShortWords, word) > 0) {
        const bool before = begin > 0 && signs_[begin - 1] == " ";
        return fmt::format("<mtext>{}{}{}</mtext>", before ? kBlank : "", word,
                           here(" ") ? kBlank : "");
      }
      at_ = begin + 1;
      return fmt::format("<mi>{}</mi>", signs_[begin]);
    }
    ++at_;
    if (is_greek(sign)) return fmt::format("<mi>{}</mi>", sign);
    return fmt::format(R"(<mo stretchy="false">{}</mo>)", html_text(sign));
  }

  std::vector<std::string> signs_;
  std::size_t at_ = 0;
};

}  // namespace

std::string mathml(std::string_view formula) {
  std::string html, part;
  const auto end_part = [&] {
    if (!part.empty())
      html += fmt::format("{}<math displaystyle=\"true\"><mrow>{}</mrow></math>",
                          html.empty() ? "" : " ", MathWriter(part).row());
    part.clear();
  };
  int depth = 0;
  for (const std::string& sign : characters_of(formula)) {
    if (sign == "(" || sign == "{" || sign == "⟨") ++depth;
    if (sign == ")" || sign == "}" || sign == "⟩") --depth;
    if (depth == 0 && (sign == "=" || sign == "→" || sign == "≈")) end_part();
    part += sign;
    if (depth == 0 && (sign == "," || sign == ":")) end_part();
  }
  end_part();
  return html;
}

}  // namespace rope::markup
