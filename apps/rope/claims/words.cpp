#include "claims/words.hpp"

#include <array>

#include "rope/claims/quantity.hpp"

namespace rope::app {
namespace {

constexpr std::array<Phrase, 8> kRoles = {{{"as stated", "原话"},
                                           {"corrected", "更正后"},
                                           {"in its condition", "条件之内"},
                                           {"outside of it", "条件之外"},
                                           {"read narrowly", "狭义地读"},
                                           {"as it reads", "照字面读"},
                                           {"one reading", "一种读法"},
                                           {"the other", "另一读法"}}};

std::string title_of(const std::string& quantity) {
  const claims::Quantity* const found = claims::find_quantity(quantity);
  return found == nullptr ? quantity : std::string(found->title);
}

}  // namespace

std::string_view word(claims::Role role, Language language) {
  return word(kRoles[static_cast<std::size_t>(role)], language);
}

std::string name_of(const claims::Clause& clause, Language language) {
  const std::string& own = in(language, clause.as);
  return own.empty() ? title_of(clause.measured.quantity) : own;
}

}  // namespace rope::app
