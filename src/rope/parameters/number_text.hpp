#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rope {

/// What k and M after a number stand for.
enum class Thousand {
  of_numbers,  ///< 10k is 10000, 1M a million
  of_tokens,   ///< 10k is 10240, 1M 1048576, as context lengths are counted
};

/// Converts a number as people write it to plain decimal digits, with a sign, a point and an
/// exponent if it has them: 500000 for "500_000", "500k" and " 5e5 ", 1048576 for "2^20", -3 for
/// "−3". Anything that is not a number is returned unchanged, so that the code that reads it next
/// reports the error.
std::string plain_number(std::string_view text, Thousand thousand = Thousand::of_numbers);

/// The text without the blanks around it.
std::string_view trimmed(std::string_view text);

/// The items between commas, without the blanks around them.
std::vector<std::string_view> list_items(std::string_view text);

/// How "100,500" is read in a list.
enum class Grouped {
  where_certain,  ///< as two numbers, but "10,000" as one, since nobody writes 000 as a number
  wherever_so,    ///< as one
};

/// The list with numbers rejoined where commas broke them into groups of three digits: "1048576"
/// for "1,048,576". Nothing if there are no such groups.
std::optional<std::string> without_grouping(std::string_view list, Grouped grouped);

/// The digits of one number written in groups of three: 1048576 for "1,048,576", "1.048.576", "1
/// 048 576" and "1'048'576". Nothing if it is not written that way.
std::optional<std::string> ungrouped_number(std::string_view text);

}  // namespace rope
