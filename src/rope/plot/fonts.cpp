#include "rope/plot/fonts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

#include "rope/error.hpp"
#include "rope/plot/process.hpp"
#include "rope/plot/utf8.hpp"

namespace rope::plot {
namespace {

constexpr std::chrono::seconds kFontListTimeout{20};
constexpr std::size_t kMostNamed = 5;

std::optional<char32_t> hexadecimal(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return static_cast<char32_t>(value);
}

/// Adds the ranges of one line of fc-list: "False 20-7e a0-2e9 …".
void add_font(std::string_view line, std::vector<std::pair<char32_t, char32_t>>* ranges) {
  bool first = true;
  while (!line.empty()) {
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, space);
    line.remove_prefix(std::min(space + 1, line.size()));
    if (first && word == "True") return;  // a font of coloured pictures
    if (!first) {
      const std::size_t dash = word.find('-');
      const auto low = hexadecimal(word.substr(0, dash));
      const auto high = dash == std::string_view::npos ? low : hexadecimal(word.substr(dash + 1));
      if (low && high) ranges->emplace_back(*low, *high);
    }
    first = false;
  }
}

bool is_chinese(char32_t c) {
  return (c >= 0x2E80 && c <= 0xD7FF) || (c >= 0xFF00 && c <= 0xFF60) ||
         (c >= 0x20000 && c <= 0x3FFFF);
}

const char* package_for(char32_t c) {
  if (is_chinese(c)) return "fonts-noto-cjk";
  if (c >= 0x1F000 && c <= 0x1FAFF) return "fonts-symbola";
  return "fonts-noto-core";
}

std::string named(char32_t c) {
  return fmt::format("{} (U+{:04X})", encode_utf8({&c, 1}), static_cast<unsigned>(c));
}

std::string warning_about(const std::string& where, const std::u32string& missing) {
  std::string names;
  for (std::size_t i = 0; i < missing.size() && i < kMostNamed; ++i)
    names += (i == 0 ? "" : ", ") + named(missing[i]);
  if (missing.size() > kMostNamed)
    names += fmt::format(" and {} more", missing.size() - kMostNamed);
  return fmt::format(
      "{}: no installed font has {}; drawn as \uFFFD; install a font that has {}, for example {}",
      where, names, missing.size() == 1 ? "it" : "them", package_for(missing.front()));
}

}  // namespace

FontCoverage::FontCoverage(std::vector<std::pair<char32_t, char32_t>> ranges)
    : ranges_(std::move(ranges)) {}

FontCoverage FontCoverage::known() {
  return FontCoverage({{0x20, 0x7E},     {0xA0, 0x24F},    {0x300, 0x345},   {0x384, 0x38A},
                       {0x38C, 0x38C},   {0x38E, 0x3A1},   {0x3A3, 0x3FF},   {0x400, 0x45F},
                       {0x1E00, 0x1EF9}, {0x2010, 0x2027}, {0x2030, 0x205E}, {0x2070, 0x2071},
                       {0x2074, 0x208E}, {0x2090, 0x209C}, {0x20AC, 0x20AC}, {0x2102, 0x2102},
                       {0x210D, 0x210E}, {0x2115, 0x2116}, {0x211D, 0x211D}, {0x2122, 0x2124},
                       {0x2126, 0x2126}, {0x2190, 0x21FF}, {0x2200, 0x22FF}, {0x2308, 0x230B},
                       {0x25A0, 0x25FF}, {0x2713, 0x2718}, {0x27E8, 0x27E9}, {0xFFFD, 0xFFFD}});
}

FontCoverage FontCoverage::installed() {
  FontCoverage result = known();
  try {
    const ProcessResult list =
        run_process({"fc-list", "--format", "%{color} %{charset}\n"}, {}, kFontListTimeout);
    if (list.exit_code != 0 || list.signal != 0) return result;
    std::string_view rest = list.output;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      add_font(rest.substr(0, end), &result.ranges_);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  } catch (const SystemError&) {
    return result;  // no fc-list: only the known characters are sure
  }
  return result;
}

bool FontCoverage::has(char32_t c) const {
  return std::any_of(ranges_.begin(), ranges_.end(),
                     [c](const auto& range) { return range.first <= c && c <= range.second; });
}

Figure with_drawable_texts(const Figure& figure, std::vector<std::string>* warnings) {
  Figure drawable = figure;
  FontCoverage fonts = FontCoverage::known();
  bool asked = false;
  std::string where;
  std::u32string missing;
  for_each_text(&drawable, [&](const char* name, Role, Text* text) {
    std::u32string characters = decode_utf8(text->bytes());
    for (char32_t& c : characters) {
      if (!fonts.has(c) && !asked) {
        fonts = FontCoverage::installed();
        asked = true;
      }
      if (fonts.has(c)) continue;
      if (missing.find(c) == std::u32string::npos) missing.push_back(c);
      if (where.empty()) where = name;
      c = kReplacement;
    }
    *text = text->with_bytes(encode_utf8(characters));
  });
  const auto chinese = std::ranges::find_if(missing, is_chinese);
  if (figure.language == Language::zh && chinese != missing.end())
    throw SystemError(
        fmt::format("no installed font has Chinese characters, such as {}", named(*chinese)),
        "install the package fonts-noto-cjk, or draw with --lang en");
  if (!missing.empty()) warnings->push_back(warning_about(where, missing));
  return drawable;
}

}  // namespace rope::plot
