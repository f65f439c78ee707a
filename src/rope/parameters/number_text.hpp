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

/// A number as people write it, in plain decimal digits, with a sign, a point and an exponent where
/// it has them: 500000 for "500_000", "500k" and " 5e5 ", 1048576 for "2^20", -3 for "−3". Anything
/// that is not a number comes back unchanged, so that its reader says so.
std::string plain_number(std::string_view text, Thousand thousand = Thousand::of_numbers);

/// The text without the blanks around it.
std::string_view trimmed(std::string_view text);

/// The items between commas, without the blanks around them.
std::vector<std::string_view> list_items(std::string_view text);

/// How a reader of lists takes "100,500".
enum class Grouped {
  where_certain,  ///< as two numbers; "10,000" as one, since nobody writes a number 000
  wherever_so,    ///< as one
};

/// The list with numbers rejoined where commas broke them into groups of three digits: "1048576"
/// for "1,048,576". Nothing if there are none.
std::optional<std::string> without_grouping(std::string_view list, Grouped grouped);

/// The digits of one number written in groups of three: 1048576 for "1,048,576", "1.048.576", "1
/// 048 576" and "1'048'576". Nothing if it is not written that way.
std::optional<std::string> ungrouped_number(std::string_view text);

}  // namespace rope
