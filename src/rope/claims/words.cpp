#include "rope/claims/words.hpp"

#include <array>
#include <cctype>

#include "rope/claims/quantity.hpp"

namespace rope::claims {
namespace {

constexpr std::array<Phrase, 8> kRoleWords = {{{"as stated", "原话"},
                                               {"corrected", "更正后"},
                                               {"within its condition", "条件之内"},
                                               {"outside it", "条件之外"},
                                               {"read narrowly", "狭义地读"},
                                               {"read literally", "照字面读"},
                                               {"one reading", "一种读法"},
                                               {"the other", "另一读法"}}};

constexpr std::array<Phrase, 8> kVerdictWords = {{{"holds", "成立"},
                                                  {"holds with a condition", "有条件成立"},
                                                  {"wrong", "错误"},
                                                  {"misleading", "易误导"},
                                                  {"ambiguous", "有歧义"},
                                                  {"no number can settle it", "非数值可定"},
                                                  {"backed by tests", "由测试保证"},
                                                  {"by definition", "约定如此"}}};

std::string title_of(const std::string& quantity) {
  const Quantity* const found = find_quantity(quantity);
  return found == nullptr ? quantity : std::string(found->title);
}

}  // namespace

std::string_view word(Verdict verdict, Language language) {
  return word(kVerdictWords[static_cast<std::size_t>(verdict)], language);
}

std::string_view word(Role role, Language language) {
  return word(kRoleWords[static_cast<std::size_t>(role)], language);
}

std::string name_of(const Clause& clause, Language language) {
  const std::string& own = in(language, clause.as);
  return own.empty() ? title_of(clause.measured.quantity) : own;
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::vector<std::string> numbers_in(const std::string& text) {
  std::vector<std::string> numbers;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    const char before = at == 0 ? ' ' : text[at - 1];
    std::size_t end = at;
    while (end < text.size() &&
           (is_digit(text[end]) ||
            (text[end] == '.' && end + 1 < text.size() && is_digit(text[end + 1]))))
      ++end;
    if (std::isalnum(static_cast<unsigned char>(before)) == 0 && before != '_')
      numbers.push_back(text.substr(at, end - at));
    at = end;
  }
  return numbers;
}

}  // namespace rope::claims
