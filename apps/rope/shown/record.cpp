#include "shown/record.hpp"

#include <algorithm>

#include "rope/markup/latex.hpp"
#include "rope/markup/markdown.hpp"

namespace rope::app {
namespace {

/// The parts with an empty line between them.
template <class Parts, class Show>
std::string paragraphs(const Parts& parts, const Show& show) {
  std::string text;
  for (const auto& part : parts) {
    if (!text.empty()) text += '\n';
    text += std::visit(show, part);
  }
  return text;
}

}  // namespace

void Record::add(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    if (blanks < line.size()) parts_.emplace_back(std::string(line.substr(blanks)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string Record::markdown() const {
  struct {
    std::string operator()(const std::string& text) const {
      return markup::markdown_text(text) + "\n";
    }
    std::string operator()(const Table& table) const { return table.markdown(); }
  } const show;
  return paragraphs(parts_, show);
}

std::string Record::latex() const {
  struct {
    std::string operator()(const std::string& text) const {
      return markup::latex_text(text) + "\n";
    }
    std::string operator()(const Table& table) const { return table.latex(); }
  } const show;
  return paragraphs(parts_, show);
}

}  // namespace rope::app
