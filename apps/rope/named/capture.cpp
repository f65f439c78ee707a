#include "named/capture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/io/tensor.hpp"

namespace rope::app {
namespace {

constexpr auto kWordsBefore =
    std::to_array<std::string_view>({"pre", "before", "in", "input", "raw", "x"});
constexpr auto kWordsAfter = std::to_array<std::string_view>(
    {"rot", "post", "after", "out", "output", "rotated", "embed", "y"});
constexpr auto kWordsOfPositions =
    std::to_array<std::string_view>({"positions", "position_ids", "pos"});

enum class Moment { before, after, unsaid };

struct NamedTensor {
  std::string stem;  ///< the words of the name that do not say when
  Moment moment = Moment::unsaid;
};

NamedTensor taken_apart(std::string_view name) {
  NamedTensor tensor;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of("_.-/"), name.size());
    const std::string_view word = name.substr(0, end);
    name.remove_prefix(std::min(end + 1, name.size()));
    if (std::ranges::count(kWordsBefore, word) > 0)
      tensor.moment = Moment::before;
    else if (std::ranges::count(kWordsAfter, word) > 0)
      tensor.moment = Moment::after;
    else
      tensor.stem.append(word).append("_");
  }
  return tensor;
}

/// The names of one stem, by what they say of when.
using Moments = std::map<Moment, std::vector<std::string>>;

/// The one name before the rotation; none where several claim it.
std::optional<std::string> before_in(Moments& of_stem) {
  const auto& named =
      of_stem[Moment::before].empty() ? of_stem[Moment::unsaid] : of_stem[Moment::before];
  if (named.size() != 1) return std::nullopt;
  return named.front();
}

}  // namespace

Capture capture_in(const std::string& path) {
  const std::vector<std::string> names = io::tensor_names(path);
  std::map<std::string, Moments> stems;
  const std::string file = path + ":";
  Capture capture;
  std::vector<std::string> shown;
  for (const std::string& name : names) {
    shown.push_back(io::in_quotes(name));
    if (std::ranges::count(kWordsOfPositions, name) > 0) {
      capture.positions = file + name;
      continue;
    }
    const NamedTensor tensor = taken_apart(name);
    stems[tensor.stem][tensor.moment].push_back(name);
  }
  for (auto& [stem, of_stem] : stems) {
    const std::optional<std::string> before = before_in(of_stem);
    if (!before || of_stem[Moment::after].size() != 1) continue;
    capture.inputs.push_back(file + *before);
    capture.results.push_back(file + of_stem[Moment::after].front());
  }
  if (!capture.inputs.empty()) return capture;
  constexpr std::size_t kMostNames = 12;
  if (shown.size() > kMostNames) shown.resize(kMostNames);
  throw Error(ErrorKind::invalid_input,
              fmt::format("{}: expected names that say which tensor is before and which is after a "
                          "rotation, found {}",
                          io::printable(path, 200), fmt::join(shown, ", ")),
              "Name them q_pre and q_rot, or give both: " + path + ":NAME " + path + ":NAME.");
}

}  // namespace rope::app
