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
    apart_ = blanks == line.size();
    if (!apart_) parts_.emplace_back(std::string(line.substr(blanks)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string Record::markdown() const {
  struct {
    std::string operator()(const std::string& text) const {
      return markup::markdown_text(text) + "\n";
    }
    std::string operator()(const Held& held) const { return held.table.markdown(); }
  } const show;
  return paragraphs(parts_, show);
}

std::string Record::latex(std::string_view title) const {
  std::string label = "tab:" + std::string(title);
  std::ranges::replace(label, ' ', '-');
  std::string text;
  std::size_t tables = 0;
  const std::string* setting = nullptr;  // what stands directly above a table says what it is of
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto* const held = std::get_if<Held>(&parts_[i]);
    const auto* const next = i + 1 < parts_.size() ? std::get_if<Held>(&parts_[i + 1]) : nullptr;
    if (held == nullptr && next != nullptr && !next->apart) {
      setting = &std::get<std::string>(parts_[i]);
      continue;
    }
    if (!text.empty()) text += '\n';
    if (held == nullptr) {
      text += markup::latex_text(std::get<std::string>(parts_[i])) + "\n";
      continue;
    }
    const std::string number = ++tables == 1 ? "" : "-" + std::to_string(tables);
    text += held->table.latex(held->holds, setting == nullptr ? "" : *setting, label + number);
    setting = nullptr;
  }
  return text;
}

}  // namespace rope::app
