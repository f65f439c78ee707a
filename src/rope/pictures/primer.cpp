#include "rope/pictures/primer.hpp"

#include <variant>

#include "rope/pictures/primer_drawing.hpp"

namespace rope {

plot::Figure primer_figure(const PrimerStudy& study) {
  return std::visit([](const auto& answer) { return drawing::picture(answer); }, study.answer);
}

}  // namespace rope
