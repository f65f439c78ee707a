#include "named/vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/io/tensor.hpp"
#include "rope/language/said.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/rotation.hpp"
#include "usage/numbers.hpp"

namespace rope::app {
namespace {

using Kind = NamedVector::Kind;

constexpr std::string_view kTurned = "turned:";
constexpr std::array<std::string_view, 1> kOnesElsewhere = {"flat"};
constexpr std::array<Choice<Kind>, 4> kWords = {{{"ones", Kind::ones, kOnesElsewhere},
                                                 {"random", Kind::random},
                                                 {"same", Kind::same},
                                                 {"opposite", Kind::opposite}}};

/// Whether a text that might also be the name of a file is to be read as numbers.
bool reads_like_numbers(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("0123456789+-.,eEkKmM_^ \t") == std::string_view::npos &&
         text.find_first_of("0123456789") != std::string_view::npos;
}

bool names_file(const std::string& text) {
  constexpr std::array<std::string_view, 2> kEndings = {".csv", ".txt"};
  std::error_code ignored;
  return std::ranges::any_of(kEndings, [&](auto ending) { return text.ends_with(ending); }) ||
         io::names_tensors(text) || std::filesystem::exists(text, ignored);
}

/// The one vector of a file, along whichever of its axes.
std::vector<double> file_numbers(std::string_view option, const std::string& path) {
  const io::Tensor tensor = io::open_tensor(path);
  const bool one_vector =
      !tensor.shape().empty() && std::ranges::max(tensor.shape()) == tensor.count();
  if (!io::is_floating(tensor.type()) || !one_vector || tensor.count() > kMaxRotaryDim)
    refuse(option,
           fmt::format("one vector of at most {} floating-point numbers in {}", kMaxRotaryDim,
                       io::in_quotes(path)),
           fmt::format("{} of shape {}", io::name(tensor.type()), io::shape_text(tensor.shape())),
           "In NumPy: numpy.save(FILE, q[token, head]).");
  std::vector<double> numbers = tensor.doubles();
  const auto wrong =
      std::ranges::find_if(numbers, [](double value) { return !std::isfinite(value); });
  if (wrong != numbers.end())
    refuse(option, fmt::format("finite numbers in {}", io::in_quotes(path)),
           fmt::format("{} at index {}", *wrong, wrong - numbers.begin()));
  return numbers;
}

[[noreturn]] void refuse_vector(std::string_view option, const std::string& text) {
  std::vector<std::string> words = {"turned:N"};
  for (const Choice<Kind>& choice : kWords) words.emplace_back(choice.word);
  const std::string likely = likely_word(text.substr(0, text.find(':')), words);
  refuse(option, "numbers 1,2,..., an existing file, ones, random, same, opposite or turned:N",
         io::in_quotes(text),
         likely.empty() ? "For example --query 1,2 --key 3,-1." : "Did you mean " + likely + "?");
}

/// How a vector of that many numbers comes to fit the embedding, which it does not.
std::string remedy_for_size(const VectorSetting& setting, std::size_t size) {
  const RotaryOptions& rotary = setting.rotary;
  const bool fixed = rotary.names_model() || ((!rotary.frequencies.empty() || rotary.rotary_dim) &&
                                              size < setting.embedding.rotary_dim());
  if (fixed || size % 2 != 0)
    return fmt::format("Give {} numbers, one for each dimension of the head.",
                       setting.embedding.head_dim);
  return fmt::format("Give --dim {} if that is the size of your vectors.", size);
}

/// The numbers of what is made of no other vector.
std::vector<double> own_numbers(const NamedVector& vector, std::uint64_t stream,
                                const VectorSetting& setting) {
  if (vector.kind == Kind::numbers) return vector.numbers;
  std::vector<double> numbers(setting.embedding.head_dim, 1);
  if (vector.kind == Kind::random) RandomStream(setting.seed, stream).fill_normal(numbers);
  return numbers;
}

void check_size(const NamedVector& vector, const VectorSetting& setting, std::string remedy) {
  const std::size_t d = setting.embedding.head_dim;
  if (vector.kind == Kind::numbers && vector.numbers.size() != d)
    refuse(vector.option, fmt::format("{} numbers, one per dimension", d),
           std::to_string(vector.numbers.size()), std::move(remedy));
}

}  // namespace

NamedVector read_vector(std::string_view option, const std::string& text) {
  NamedVector vector{.option = std::string(option), .kind = Kind::numbers};
  for (const Choice<Kind>& choice : kWords)
    if (plain_word(text) == choice.word || std::ranges::count(choice.also, plain_word(text)) > 0) {
      vector.kind = choice.value;
      return vector;
    }
  if (text.starts_with(kTurned)) {
    vector.kind = Kind::turned;
    vector.turned_by = integer_option(option, text.substr(kTurned.size()),
                                      {.expected = "an integer N in turned:N", .tokens = true});
  } else if (!reads_like_numbers(text) && names_file(text)) {
    vector.file = text;
    vector.numbers = file_numbers(option, text);
  } else if (reads_like_numbers(text) || text.find(',') != std::string::npos) {
    vector.numbers = real_list_option(option, text);
    if (vector.numbers.size() > kMaxRotaryDim)
      refuse(option, fmt::format("at most {} numbers", kMaxRotaryDim),
             std::to_string(vector.numbers.size()));
  } else {
    refuse_vector(option, text);
  }
  return vector;
}

NamedVector read_query(std::string_view option, const std::string& text) {
  NamedVector vector = read_vector(option, text);
  if (vector.of_query())
    refuse(option, "numbers, a file, ones or random", io::in_quotes(text),
           "same, opposite and turned:N make a key from the query: give them as --key.");
  return vector;
}

void take_size(std::span<const NamedVector> vectors, RotaryOptions& rotary) {
  if (rotary.names_model() || !rotary.dims.empty() || !rotary.frequencies.empty()) return;
  const auto given = std::ranges::find(vectors, Kind::numbers, &NamedVector::kind);
  if (given == vectors.end()) return;
  const std::size_t size = given->numbers.size();
  if (size % 2 != 0)
    refuse(given->option, "an even number of numbers", std::to_string(size),
           "Dimensions are rotated in pairs: give one more number, or one fewer.");
  rotary.dims = {size};
}

std::vector<double> query_numbers(const NamedVector& query, const VectorSetting& setting) {
  check_size(query, setting, remedy_for_size(setting, query.numbers.size()));
  return own_numbers(query, 0, setting);
}

std::vector<double> key_numbers(const NamedVector& key, const NamedVector& query,
                                const std::vector<double>& q, const VectorSetting& setting) {
  check_size(key, setting,
             query.kind == Kind::numbers
                 ? "q and k must have the same length: give --key as many numbers as --query."
                 : remedy_for_size(setting, key.numbers.size()));
  if (!key.of_query()) return own_numbers(key, 1, setting);
  std::vector<double> k = q;
  if (key.kind == Kind::opposite)
    for (double& number : k) number = -number;
  if (key.kind == Kind::turned) {
    RotaryEmbedding turning = setting.embedding;
    turning.attention_factor = 1;
    rotate_elementwise(turning, rotation_row(turning, key.turned_by), q, k);
  }
  return k;
}

std::string text_of(const NamedVector& vector, std::string_view symbol, std::uint64_t seed,
                    Language language) {
  constexpr std::size_t kMostShown = 4;
  switch (vector.kind) {
    case Kind::ones:
      return said(language, "{} of ones", symbol);
    case Kind::random:
      return said(language, "{} random (seed {})", symbol, seed);
    case Kind::same:
      return fmt::format("{} = q", symbol);
    case Kind::opposite:
      return fmt::format("{} = −q", symbol);
    case Kind::turned:
      return vector.turned_by < 0 ? fmt::format("{} = R_{{{}}} q", symbol, vector.turned_by)
                                  : fmt::format("{} = R_{} q", symbol, vector.turned_by);
    case Kind::numbers:
      break;
  }
  if (!vector.file.empty())
    return said(language, "{} from {}", symbol, io::printable(vector.file, 200));
  if (vector.numbers.size() > kMostShown)
    return said(language, "{} of {} numbers", symbol, vector.numbers.size());
  return fmt::format("{} = ({:.6g})", symbol, fmt::join(vector.numbers, ", "));
}

}  // namespace rope::app
