#include "lesson/mathml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace rope::app {
namespace {

/// The characters of a text, each with all its bytes.
std::vector<std::string> characters_of(std::string_view text) {
  std::vector<std::string> characters;
  for (const char c : text)
    if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80U && !characters.empty())
      characters.back() += c;
    else
      characters.emplace_back(1, c);
  return characters;
}

bool is_ascii_letter(const std::string& c) {
  return c.size() == 1 && ((c[0] >= 'a' && c[0] <= 'z') || (c[0] >= 'A' && c[0] <= 'Z'));
}

bool is_digit(const std::string& c) { return c.size() == 1 && c[0] >= '0' && c[0] <= '9'; }

/// Greek letters: two bytes from U+0370 on.
bool is_greek(const std::string& c) { return c.size() == 2 && (c[0] == '\xCE' || c[0] == '\xCF'); }

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
    return fmt::format(R"(<mo stretchy="false">{}</mo>)", escaped(sign));
  }

  std::vector<std::string> signs_;
  std::size_t at_ = 0;
};

/// Whether an index or a power begins at the i-th character: behind a single letter or a digit, not
/// inside a name such as rope_theta.
bool script_begins(const std::vector<std::string>& signs, std::size_t i) {
  if (i == 0 || i + 1 >= signs.size() || (signs[i] != "_" && signs[i] != "^")) return false;
  const std::string& base = signs[i - 1];
  if (signs[i] == "^") return is_digit(base) || is_ascii_letter(base) || is_greek(base);
  const bool single = i == 1 || !(is_ascii_letter(signs[i - 2]) || signs[i - 2] == "_");
  return is_greek(base) || (is_ascii_letter(base) && single);
}

/// Whether the blank at `i` stands beside a minus that has another on its other side.
bool beside_minus(const std::vector<std::string>& signs, std::size_t i) {
  const auto is = [&](std::size_t at, std::string_view sign) {
    return at < signs.size() && signs[at] == sign;
  };
  return (is(i + 1, "−") && is(i + 2, " ")) || (i >= 2 && is(i - 1, "−") && is(i - 2, " "));
}

/// Where the bracket that opens at `i` closes; the end of the sentence if it does not.
std::size_t closing(const std::vector<std::string>& signs, std::size_t i) {
  const bool round = signs[i] == "(";
  std::size_t depth = 0;
  for (; i < signs.size(); ++i) {
    if (signs[i] == (round ? "(" : "{")) ++depth;
    if (signs[i] == (round ? ")" : "}") && --depth == 0) break;
  }
  return i;
}

/// The index or power that begins at `i`, of which `i` is the last character afterwards. A number
/// has its sign; brackets hold it together and are not shown.
std::string script_at(const std::vector<std::string>& signs, std::size_t& i) {
  const auto joined = [&](std::size_t from, std::size_t to) {
    std::string script;
    for (; from < to; ++from) script += signs[from];
    return script;
  };
  const std::size_t first = i;
  if (signs[i] == "{" || signs[i] == "(") {
    i = closing(signs, i);
    return joined(first + 1, i);
  }
  const bool number = is_digit(signs[i]) || signs[i] == "-" || signs[i] == "−";
  while (number && i + 1 < signs.size() && is_digit(signs[i + 1])) ++i;
  return joined(first, i + 1);
}

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

std::string sentence_html(std::string_view sentence) {
  const std::vector<std::string> signs = characters_of(sentence);
  std::string html;
  bool code = false;
  for (std::size_t i = 0; i < signs.size(); ++i) {
    if (signs[i] == "`") {
      html += code ? "</code>" : "<code>";
      code = !code;
    } else if (!code && script_begins(signs, i)) {
      const std::string_view tag = signs[i] == "_" ? "sub" : "sup";
      html += fmt::format("<{}>{}</{}>", tag, sentence_html(script_at(signs, ++i)), tag);
    } else if (!code && signs[i] == " " && beside_minus(signs, i)) {
      html += "&nbsp;";  // a line ends nowhere in "n − m"
    } else {
      html += escaped(signs[i]);
    }
  }
  return html;
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

}  // namespace rope::app
