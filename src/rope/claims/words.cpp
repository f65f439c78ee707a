#include "rope/claims/words.hpp"

#include <array>

#include "rope/claims/quantity.hpp"

namespace rope::claims {
namespace {

constexpr std::array<Phrase, 8> kRoleWords = {{{"as stated", "原话"},
                                               {"corrected", "更正后"},
                                               {"in its condition", "条件之内"},
                                               {"outside of it", "条件之外"},
                                               {"read narrowly", "狭义地读"},
                                               {"as it reads", "照字面读"},
                                               {"one reading", "一种读法"},
                                               {"the other", "另一读法"}}};

constexpr std::array<Phrase, 6> kVerdictWords = {{{"holds", "成立"},
                                                  {"holds with a condition", "有条件成立"},
                                                  {"wrong", "错误"},
                                                  {"misleading", "易误导"},
                                                  {"ambiguous", "有歧义"},
                                                  {"no number decides it", "非数值可定"}}};

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

}  // namespace rope::claims
