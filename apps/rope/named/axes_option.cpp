#include "named/axes_option.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "usage/numbers.hpp"

namespace rope::app {
namespace {

constexpr Range kSizes = {.low = 0, .high = static_cast<std::int64_t>(kMaxRotaryDim)};

/// "16,24,24:interleaved" as numbers and a word; empty where there is none.
std::string_view read_list(std::string_view option, std::string_view text,
                           std::vector<std::size_t>& numbers) {
  const std::size_t colon = text.find(':');
  const std::string_view list = text.substr(0, colon);
  for (const std::string_view item : list_items(list))
    numbers.push_back(static_cast<std::size_t>(integer_option(option, item, kSizes)));
  if (numbers.size() < 2 || numbers.size() > kMaxAxes)
    refuse(option, "2 to " + std::to_string(kMaxAxes) + " numbers, one per axis",
           io::in_quotes(text));
  return colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
}

Sections read_sections(std::string_view option, const std::string& text) {
  Sections sections;
  const std::string_view word = read_list(option, text, sections.pairs);
  if (word == "interleaved")
    sections.order = SectionOrder::interleaved;
  else if (word == "time-last")
    sections.order = SectionOrder::time_last;
  else if (!word.empty() || text.ends_with(':'))
    refuse(option, "interleaved or time-last after the colon", io::in_quotes(word),
           "For example 24,20,20:interleaved.");
  return sections;
}

AxisDims read_dims(std::string_view option, const std::string& text) {
  AxisDims dims;
  const std::string_view word = read_list(option, text, dims.dims);
  if (std::ranges::any_of(dims.dims, [](std::size_t dim) { return dim % 2 != 0; }))
    refuse(option, "even numbers of dimensions", io::in_quotes(text),
           "Dimensions are rotated in pairs: 16,56,56 for a head of 128.");
  if (word == "dealt")
    dims.series = AxisSeries::dealt;
  else if (word == "blocks")
    dims.own_block = true;
  else if (!word.empty() || text.ends_with(':'))
    refuse(option, "dealt or blocks after the colon", io::in_quotes(word),
           "For example 32,32:dealt.");
  return dims;
}

/// The library's refusal, as one of an option.
template <typename Action>
auto named_after(std::string_view option, Action action) {
  try {
    return action();
  } catch (const Error& error) {
    const std::string_view text = error.what();
    const std::size_t colon = text.find(": ");
    throw Error(error.kind(),
                std::string(option) + ": " +
                    std::string(colon == std::string_view::npos ? text : text.substr(colon + 2)),
                error.remedy());
  }
}

}  // namespace

std::size_t AxisDims::sum() const {
  return std::accumulate(dims.begin(), dims.end(), std::size_t{0});
}

void AxesOptions::declare(OptionSet& options) {
  options.bound("--sections N,...",
                "positions on several axes: the number of pairs for each, such as 16,24,24 of 64; "
                "24,20,20:interleaved takes the axes in turn; :time-last takes height and width in "
                "turn, and then time",
                sections, read_sections, "one axis");
  options.bound("--axes N,...",
                "the same, but each axis has its own frequencies: the dimensions per axis, such as "
                "16,56,56 of 128; 32,32:dealt deals one series of frequencies out among the axes; "
                ":blocks lays out each axis by itself",
                dims, read_dims, "one axis");
  options.exclude("--axes", {"--sections"}, "each assigns the pairs to axes");
}

void AxesOptions::apply_sections(RotaryEmbedding& embedding) const {
  embedding.axes = named_after("--sections", [&] {
    return section_axes(sections->pairs, embedding.pairs(), sections->order);
  });
}

RotaryEmbedding AxesOptions::embedding(std::size_t head_dim, double base, PairLayout layout) const {
  return named_after("--axes", [&] {
    return axial_embedding(head_dim, base, dims->dims, layout, dims->series, dims->own_block);
  });
}

}  // namespace rope::app
