#include "named/positions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>

#include "rope/error.hpp"
#include "rope/io/file.hpp"
#include "rope/io/quote.hpp"
#include "rope/io/tensor.hpp"
#include "usage/numbers.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMaxPositionBytes = std::size_t{1} << 28;
constexpr std::string_view kRemedy =
    "Lists look like 5,2 or 0:256 or 0:4096:64 or 1:131072:log200; --help explains them.";

[[noreturn]] void refuse_item(std::string_view option, std::string_view expected,
                              std::string_view item) {
  refuse(option, expected, io::in_quotes(item), std::string(kRemedy));
}

/// Refuses to hold `more` values beside those at hand.
void check_count(std::string_view option, std::size_t held, std::uint64_t more) {
  if (more > kMaxPositions - held)
    refuse(option, "at most " + std::to_string(kMaxPositions) + " values", "more",
           "Use a larger STEP, or A:B:logN.");
}

/// What is meant by 1..100 and 1-100; else how lists look.
std::string remedy_for_part(std::string_view part) {
  for (const std::string_view mark : {"..", "-", "–", "…"}) {
    const std::size_t at = part.find(mark, 1);
    if (at == std::string_view::npos) continue;
    const std::string_view first = part.substr(0, at), last = part.substr(at + mark.size());
    if (read_integer(first, Thousand::of_tokens).value &&
        read_integer(last, Thousand::of_tokens).value)
      return "Did you mean " + std::string(first) + ":" + std::string(last) + "?";
  }
  return std::string(kRemedy);
}

std::int64_t read_part(std::string_view option, std::string_view part, std::string_view item) {
  const IntegerText read = read_integer(part, Thousand::of_tokens);
  if (read.value) return *read.value;
  std::string found = io::in_quotes(part);
  if (part.size() != item.size()) found += " in " + io::in_quotes(item);
  if (!read.problem.empty()) found += " (" + std::string(read.problem) + ")";
  refuse(option, "an integer", found, remedy_for_part(part));
}

/// Appends A, A+STEP, … B.
void append_range(std::string_view option, std::int64_t first, std::int64_t last, std::int64_t step,
                  std::vector<std::int64_t>& values) {
  if (first == last) {
    check_count(option, values.size(), 1);
    values.push_back(first);
    return;
  }
  if (step == 0 || (first < last) != (step > 0)) {
    const bool up = first < last;
    const auto range = [&](std::int64_t from, std::int64_t to, int by) {
      return std::to_string(from) + ":" + std::to_string(to) + ":" + std::to_string(by);
    };
    refuse(option, up ? "a positive STEP" : "a negative STEP", std::to_string(step),
           "A:B:STEP counts from A to B. Up: " +
               range(std::min(first, last), std::max(first, last), 1) +
               ", down: " + range(std::max(first, last), std::min(first, last), -1) + ".");
  }
  // Differences of 64-bit integers fit 64 bits without a sign.
  const auto begin = static_cast<std::uint64_t>(first);
  const auto stride = static_cast<std::uint64_t>(step);
  const std::uint64_t distance = step > 0 ? static_cast<std::uint64_t>(last) - begin
                                          : begin - static_cast<std::uint64_t>(last);
  const std::uint64_t steps = distance / (step > 0 ? stride : std::uint64_t{0} - stride);
  check_count(option, values.size(), steps);  // steps + 1 may be 0
  check_count(option, values.size(), steps + 1);
  values.reserve(values.size() + steps + 1);
  for (std::uint64_t i = 0; i <= steps; ++i)
    values.push_back(static_cast<std::int64_t>(begin + i * stride));
}

/// Appends `count` integers spaced logarithmically, both ends included, duplicates dropped.
void append_logarithmic(std::string_view option, std::int64_t first, std::int64_t last,
                        std::int64_t count, std::vector<std::int64_t>& values) {
  if (first < 1 || last < first)
    refuse(option, "1 <= A <= B in A:B:logN", std::to_string(first) + ":" + std::to_string(last),
           "A logarithmic range starts at 1 or later: 1:131072:log200.");
  if (count < 2) refuse(option, "at least 2 values in A:B:logN", std::to_string(count));
  check_count(option, values.size(), static_cast<std::uint64_t>(count));
  const double low = std::log(static_cast<double>(first));
  const double width = std::log(static_cast<double>(last)) - low;
  std::int64_t previous = first;
  values.push_back(first);
  for (std::int64_t i = 1; i + 1 < count; ++i) {
    const double exact =
        std::exp(low + width * static_cast<double>(i) / static_cast<double>(count - 1));
    if (!(exact < static_cast<double>(last))) break;
    const auto rounded = static_cast<std::int64_t>(std::round(exact));
    if (rounded <= previous || rounded >= last) continue;
    values.push_back(rounded);
    previous = rounded;
  }
  if (last != first) values.push_back(last);
}

void append_item(std::string_view option, std::string_view item, PositionList& list) {
  if (item.empty())
    refuse(option, "an integer or a range between commas", "nothing", std::string(kRemedy));
  const std::size_t colon = item.find(':');
  if (colon == std::string_view::npos) {
    check_count(option, list.values.size(), 1);
    list.values.push_back(read_part(option, item, item));
    return;
  }
  const std::size_t second = item.find(':', colon + 1);
  const std::string_view last_text = item.substr(colon + 1, second - colon - 1);
  const std::int64_t first = read_part(option, item.substr(0, colon), item);
  const std::int64_t last = read_part(option, last_text, item);
  if (second == std::string_view::npos) {
    if (last < first)
      refuse(option, "A <= B in A:B", io::in_quotes(item), "To count down, give a STEP: 256:0:-1.");
    append_range(option, first, last, 1, list.values);
    return;
  }
  const std::string_view step = item.substr(second + 1);
  if (step.find(':') != std::string_view::npos)
    refuse_item(option, "A:B, A:B:STEP or A:B:logN", item);
  if (step.starts_with("log")) {
    append_logarithmic(option, first, last, read_part(option, step.substr(3), item), list.values);
    list.logarithmic = true;
    return;
  }
  append_range(option, first, last, read_part(option, step, item), list.values);
}

PositionList parse_list(std::string_view option, std::string_view text) {
  refuse_grouping(option, text);
  PositionList list;
  for (const std::string_view item : list_items(text)) append_item(option, item, list);
  return list;
}

std::vector<std::int64_t> read_tensor(std::string_view option, const std::string& path) {
  const io::Tensor tensor = io::open_tensor(path);
  if (io::is_floating(tensor.type()) || tensor.shape().empty())
    refuse(option, "an array of integers in " + io::in_quotes(path),
           std::string(io::name(tensor.type())) + " of shape " + io::shape_text(tensor.shape()),
           "In NumPy: numpy.save(FILE, positions.astype('<i8')).");
  if (tensor.count() > kMaxPositions) check_count(option, 0, tensor.count());
  return tensor.integers();
}

/// Integers between blanks, line ends and commas; # starts a comment.
std::vector<std::int64_t> read_text(std::string_view option, const std::string& path) {
  const std::string text = io::read_file(path, kMaxPositionBytes);
  std::vector<std::int64_t> values;
  std::size_t line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (std::string_view(" \t\r\n,").find(c) != std::string_view::npos) {
      ++i;
    } else {
      const std::size_t end = std::min(text.find_first_of(" \t\r\n,#", i), text.size());
      const std::string_view word = std::string_view(text).substr(i, end - i);
      const IntegerText read = read_integer(word);
      if (!read.value)
        refuse(option, "integers in " + io::in_quotes(path) + ", line " + std::to_string(line),
               io::in_quotes(word),
               "A text file must contain integers separated by spaces, commas or line breaks.");
      check_count(option, values.size(), 1);
      values.push_back(*read.value);
      i = end;
    }
  }
  return values;
}

/// "A:B:linN": its three parts, or nothing.
std::optional<std::array<std::string_view, 3>> linear_parts(std::string_view text) {
  const std::size_t first = text.find(':'), second = text.find(":lin");
  if (first == std::string_view::npos || second == std::string_view::npos || second <= first)
    return std::nullopt;
  return {
      {text.substr(0, first), text.substr(first + 1, second - first - 1), text.substr(second + 4)}};
}

/// Whether a number in a list has a decimal point.
bool names_real_number(std::string_view list) {
  for (std::size_t at = list.find('.'); at != std::string_view::npos; at = list.find('.', at + 1))
    if (at + 1 < list.size() && list[at + 1] >= '0' && list[at + 1] <= '9' &&
        (at == 0 || list[at - 1] != '.'))
      return true;
  return false;
}

/// Whether a text that might also be the name of a file is to be read as a list.
bool reads_like_list(std::string_view text) {
  return text.find_first_not_of("0123456789+-:,.eElogkKmM_^ \t") == std::string_view::npos &&
         (text.empty() ||
          std::string_view("0123456789+-:,").find(text[0]) != std::string_view::npos);
}

}  // namespace

PositionList read_positions(std::string_view option, std::string_view text) {
  std::error_code ignored;
  const std::string path(text);
  const bool tensor = io::names_tensors(path);
  if (reads_like_list(text) || (!tensor && !std::filesystem::exists(path, ignored))) {
    if (!reads_like_list(text) && text.find_first_of(",:") == std::string_view::npos)
      refuse(option, "integers, a range or an existing file", io::in_quotes(text),
             std::string(kRemedy));
    return parse_list(option, text);
  }
  PositionList list{tensor ? read_tensor(option, path) : read_text(option, path), false};
  check_count(option, 0, list.values.size());
  if (list.values.empty()) refuse(option, "at least one value in " + io::in_quotes(text), "none");
  return list;
}

DistanceList read_distances(std::string_view option, std::string_view text) {
  DistanceList list;
  const auto parts = linear_parts(trimmed(text));
  if (!parts) {
    if (reads_like_list(text) && names_real_number(text))
      refuse(option, "integers or A:B:linN", io::in_quotes(text),
             "Real distances are evenly spaced: for example, 0:256:lin1000 has 1000 of them.");
    static_cast<PositionList&>(list) = read_positions(option, text);
    return list;
  }
  const std::int64_t first = read_part(option, (*parts)[0], text);
  const std::int64_t last = read_part(option, (*parts)[1], text);
  const std::int64_t count = read_part(option, (*parts)[2], text);
  if (count < 2) refuse(option, "at least 2 values in A:B:linN", std::to_string(count));
  check_count(option, 0, static_cast<std::uint64_t>(count));
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  const std::int64_t steps = count - 1, most = kExact / steps;
  if (first >= last || first < -most || last > most)
    refuse(option, "A < B in A:B:linN, both within ±" + std::to_string(most),
           std::to_string(first) + " and " + std::to_string(last), "For example 0:256:lin1000.");
  // first + i·(last − first)/steps, in lowest terms.
  const std::int64_t common = std::gcd(last - first, steps);
  list.parts = steps / common;
  list.values.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    list.values.push_back(first * list.parts + i * ((last - first) / common));
  return list;
}

std::pair<std::int64_t, std::int64_t> two_positions(std::string_view option,
                                                    const std::optional<PositionList>& positions) {
  if (!positions || positions->values.size() != 2)
    refuse(option, "two integers M,N: the positions of q and k",
           positions ? std::to_string(positions->values.size()) + " of them" : "none");
  return {positions->values[0], positions->values[1]};
}

}  // namespace rope::app
