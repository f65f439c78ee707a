#include "rope/parameters/number_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace rope {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::size_t kGroup = 3;  // digits between two separators

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

/// "500000" of "500_000"; an underscore elsewhere stays.
std::string without_underscores(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool between =
        i > 0 && i + 1 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]);
    if (text[i] != '_' || !between) plain += text[i];
  }
  return plain;
}

/// Nothing unless the text is digits that fit.
std::optional<std::int64_t> whole(std::string_view digits) {
  std::int64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (!all_digits(digits) || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

/// "1048576" of "2^20". Nothing where it is no power, or beyond 64 bits.
std::optional<std::string> power(std::string_view text) {
  const std::size_t mark = std::min(text.find('^'), text.size());
  const std::optional<std::int64_t> base = whole(text.substr(0, mark));
  const std::optional<std::int64_t> exponent = whole(text.substr(std::min(mark + 1, text.size())));
  if (!base || !exponent || *exponent > 63) return std::nullopt;
  std::int64_t value = 1;
  for (std::int64_t i = 0; i < *exponent; ++i)
    if (__builtin_mul_overflow(value, *base, &value)) return std::nullopt;
  return std::to_string(value);
}

/// "131072" of "128" and 1024, "1536" of "1.5". Nothing where the product is not whole, or beyond
/// 64 bits.
std::optional<std::string> times(std::string_view number, std::int64_t unit) {
  const std::size_t point = std::min(number.find('.'), number.size());
  const std::string_view behind = number.substr(std::min(point + 1, number.size()));
  std::optional<std::int64_t> value = whole(std::string(number.substr(0, point)).append(behind));
  if (!value || point == 0 || __builtin_mul_overflow(*value, unit, &*value)) return std::nullopt;
  for (std::size_t i = 0; i < behind.size(); ++i) {
    if (*value % 10 != 0) return std::nullopt;
    *value /= 10;
  }
  return std::to_string(*value);
}

/// A number with k or M behind it, written out.
std::optional<std::string> multiple(std::string_view text, Thousand thousand) {
  if (text.empty()) return std::nullopt;
  const bool mega = text.back() == 'm' || text.back() == 'M';
  if (!mega && text.back() != 'k' && text.back() != 'K') return std::nullopt;
  text.remove_suffix(1);
  if (thousand == Thousand::of_tokens) return times(text, mega ? 1 << 20 : 1 << 10);
  const bool plain = !text.empty() && is_digit(text.front()) && is_digit(text.back()) &&
                     std::ranges::count(text, '.') <= 1 &&
                     std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '.'; });
  if (!plain) return std::nullopt;
  return std::string(text).append(mega ? "e6" : "e3");  // read as one, it is rounded once
}

/// Whether an item can begin a number in groups: one to three digits behind what stands before
/// them, "original=32".
bool begins_groups(std::string_view item) {
  const std::string_view digits = item.substr(item.find_last_of("=:;") + 1);
  return all_digits(digits) && digits.size() <= kGroup && digits.front() != '0';
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::string plain_number(std::string_view text, Thousand thousand) {
  constexpr std::string_view kMinus = "\u2212";  // as texts are set
  std::string_view number = trimmed(text);
  const bool minus = number.starts_with(kMinus), negative = minus || number.starts_with('-');
  if (minus)
    number.remove_prefix(kMinus.size());
  else if (negative || number.starts_with('+'))
    number.remove_prefix(1);
  const std::string digits = without_underscores(number);
  std::optional<std::string> plain = power(digits);
  if (!plain) plain = multiple(digits, thousand);
  if (!plain && !minus && digits.size() == number.size()) return std::string(trimmed(text));
  return (negative ? "-" : "") + plain.value_or(digits);
}

std::vector<std::string_view> list_items(std::string_view text) {
  std::vector<std::string_view> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    items.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return items;
}

std::optional<std::string> without_grouping(std::string_view list, Grouped grouped) {
  const std::vector<std::string_view> items = list_items(list);
  std::string joined;
  bool found = false;
  for (std::size_t i = 0; i < items.size();) {
    std::size_t end = i + 1;
    if (begins_groups(items[i]))
      while (end < items.size() && all_digits(items[end]) && items[end].size() == kGroup) ++end;
    const bool named = items[i].find('=') != std::string_view::npos;  // original=32,768
    const bool certain = named || grouped == Grouped::wherever_so ||
                         std::any_of(items.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                     items.begin() + static_cast<std::ptrdiff_t>(end),
                                     [](std::string_view item) { return item.front() == '0'; });
    if (!certain) end = i + 1;
    found = found || end > i + 1;
    if (i > 0) joined += ',';
    for (; i < end; ++i) joined += items[i];
  }
  if (!found) return std::nullopt;
  return joined;
}

std::optional<std::string> ungrouped_number(std::string_view text) {
  for (const std::string_view separator :
       std::to_array<std::string_view>({",", ".", " ", "'", "\u00a0", "\u202f", "\u2009"})) {
    std::string digits;
    std::size_t groups = 0;
    std::string_view rest = trimmed(text);
    for (bool more = true; more; ++groups) {
      const std::size_t end = std::min(rest.find(separator), rest.size());
      const std::string_view group = rest.substr(0, end);
      const bool fits =
          groups == 0 ? begins_groups(group) : all_digits(group) && group.size() == kGroup;
      if (!fits) break;
      digits += group;
      more = end < rest.size();
      rest.remove_prefix(more ? end + separator.size() : end);
      if (!more && (groups > 1 || (groups == 1 && separator != "."))) return digits;
    }
  }
  return std::nullopt;
}

}  // namespace rope
