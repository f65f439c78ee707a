#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace rope::plot {

/// A text in a picture. Its origin determines how it is drawn, so this class records the origin.
///
/// plain    Any bytes, for example from a user: drawn as they are, never interpreted. Control
/// characters and zero-width formatting are dropped or replaced by a space, and invalid UTF-8
/// becomes U+FFFD.
///
/// markup   Written in this program: gnuplot's enhanced text, so that `θ_i`, `10^{−3}` and
/// `{/:Italic q}` are set as mathematics. Never build one from a user's text.
class Text {
 public:
  Text() = default;

  static Text plain(std::string_view bytes);
  static Text markup(std::string_view bytes);

  bool empty() const { return bytes_.empty(); }
  bool is_markup() const { return markup_; }

  /// The safe text: valid UTF-8 on one line, without control characters.
  const std::string& bytes() const { return bytes_; }

  /// The text in a form that can be read without markup: `10^{−3}` gives `10⁻³`.
  std::string readable() const;

  /// The same kind of text with other bytes.
  Text with_bytes(std::string bytes) const { return {std::move(bytes), markup_}; }

 private:
  Text(std::string bytes, bool markup) : bytes_(std::move(bytes)), markup_(markup) {}

  std::string bytes_;
  bool markup_ = false;
};

/// The number with a true minus sign in place of every hyphen.
std::string with_minus_signs(std::string number);

}  // namespace rope::plot
