#include "attention/wording.hpp"

#include <fmt/format.h>

#include "rope/plot/utf8.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostTableRows = 10;

}  // namespace

std::string shortened_word(const std::string& word, std::size_t most) {
  const std::u32string characters = plot::decode_utf8(word);
  if (characters.size() <= most) return word;
  return plot::encode_utf8(characters.substr(0, most - 1)) + "…";
}

std::string quoted_word(const std::string& word) { return '"' + shortened_word(word, 24) + '"'; }

std::string quoted_text(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return '"' + shortened_word(text, 48) + '"';
}

std::string with_mask(const std::string& title, Mask mask) {
  return mask == Mask::causal ? title + ", causal mask" : title;
}

bool positionless(const EncodingSpec& spec) { return spec.entry->name == "none"; }

std::string encoding_words(const EncodingSpec& spec, const std::string& title) {
  return positionless(spec) ? "no positions" : title;
}

std::string beside_rounding(const Measured& found) {
  if (found.error == 0) return ", exactly";
  return fmt::format(", to within {} (rounding limit {})", three_digits(found.error),
                     three_digits(found.bound));
}

std::string beside_zero(const Measured& found) {
  return (found.violated() ? "≠ " : "= ") + three_digits(found.error);
}

std::string about_vectors(const EncodingContext& context) {
  return fmt::format(
      "Words are random vectors of {} numbers made from their spelling (seed {}); the head is "
      "untrained. The numbers show what positions do, not what words mean.",
      context.rotary.head_dim, context.seed);
}

ShownRows rows_to_show(std::size_t count, bool details) {
  return shown_rows(count, details ? count : kMostTableRows);
}

void say_left_out(const ShownRows& rows, std::string_view what, const Console& console) {
  if (rows.left_out > 0)
    console.say(fmt::format("Not shown: {} of the {}{}.", rows.left_out, what,
                            hint("; --details shows all")));
}

}  // namespace rope::app
