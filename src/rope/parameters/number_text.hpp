#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rope {

/// What k and M behind a number stand for.
enum class Thousand {
  of_numbers,  ///< 10k is 10000, 1M a million
  of_tokens,   ///< 10k is 10240, 1M 1048576, as lengths of contexts are counted
};

/// A number as people write it, in plain decimal digits, with a sign, a point and an exponent where
/// it has them: 500000 of "500_000", "500k" and " 5e5 ", 1048576 of "2^20", -3 of "−3". What is no
/// number comes back as it is, so that its reader says so.
std::string plain_number(std::string_view text, Thousand thousand = Thousand::of_numbers);

/// The text without the blanks around it.
std::string_view trimmed(std::string_view text);

/// The items between commas, without the blanks around them.
std::vector<std::string_view> list_items(std::string_view text);

/// How a reader of lists takes "100,500".
enum class Grouped {
  where_certain,  ///< as two numbers; "10,000" as one, for nobody writes a number 000
  wherever_so,    ///< as one
};

/// The list with the numbers joined that commas broke into groups of three digits: "1048576" of
/// "1,048,576". Nothing where there is none of them.
std::optional<std::string> without_grouping(std::string_view list, Grouped grouped);

/// The digits of one number that somebody wrote in groups of three: 1048576 of "1,048,576",
/// "1.048.576", "1 048 576" and "1'048'576". Nothing where it is not written so.
std::optional<std::string> ungrouped_number(std::string_view text);

}  // namespace rope
