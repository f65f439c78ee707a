#include "shown/claim_verdict.hpp"

#include <array>

namespace rope::app {
namespace {

constexpr std::array<Phrase, 6> kVerdicts = {{{"holds", "成立"},
                                              {"holds with a condition", "有条件成立"},
                                              {"wrong", "错误"},
                                              {"misleading", "易误导"},
                                              {"ambiguous", "有歧义"},
                                              {"no number decides it", "非数值可定"}}};

}  // namespace

std::string_view word(claims::Verdict verdict, Language language) {
  return word(kVerdicts[static_cast<std::size_t>(verdict)], language);
}

}  // namespace rope::app
