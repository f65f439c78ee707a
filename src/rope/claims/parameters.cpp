#include "rope/claims/parameters.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "rope/error.hpp"
#include "rope/io/json.hpp"
#include "rope/model/model_rope.hpp"
#include "rope/model/presets.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/frequencies.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope::claims {
namespace {

constexpr std::uint64_t kSeed = 42;

std::string in_quotes(std::string_view name) { return "'" + std::string(name) + "'"; }

[[noreturn]] void refuse(std::string_view name, const std::string& problem) {
  throw DomainError("parameter " + in_quotes(name) + ": " + problem);
}

template <typename Value>
std::vector<Value> list_of(std::string_view name, const io::Json& value,
                           Value (*one)(std::string_view, const io::Json&)) {
  if (!value.is_array()) return {one(name, value)};
  std::vector<Value> all;
  all.reserve(value.size());
  for (const io::Json& element : value) all.push_back(one(name, element));
  if (all.empty()) refuse(name, "the list is empty");
  return all;
}

double number_of(std::string_view name, const io::Json& value) {
  if (!value.is_number()) refuse(name, "expected a number, found " + value.dump());
  return value.get<double>();
}

std::int64_t integer_of(std::string_view name, const io::Json& value) {
  if (!value.is_number_integer()) refuse(name, "expected an integer, found " + value.dump());
  return value.get<std::int64_t>();
}

std::size_t count_of(std::string_view name, std::int64_t value) {
  if (value < 1) refuse(name, "expected at least 1, found " + std::to_string(value));
  return static_cast<std::size_t>(value);
}

PairLayout layout_called(const std::string& word) {
  const std::optional<PairLayout> layout = pair_layout(word);
  if (!layout) refuse("layout", "there is no " + in_quotes(word));
  return *layout;
}

RotaryEmbedding embedding_of_model(const std::string& name, std::optional<std::int64_t> seq_len) {
  if (!find_preset(name)) refuse("model", "there is no preset " + in_quotes(name));
  ReadOptions options;
  options.seq_len = seq_len;
  return embedding_of(preset_model(*find_preset(name), options).layers.front());
}

}  // namespace

struct Parameters::Document {
  io::Json object;
};

Parameters::Parameters(std::string_view json)
    : document_(std::make_unique<Document>(
          Document{io::parse_json(json, "parameters", io::RepeatedKeys::refused)})) {
  if (!document_->object.is_object())
    throw DomainError("expected parameters as a JSON object, found " + document_->object.dump());
}

Parameters::~Parameters() = default;

bool Parameters::has(std::string_view name) const { return document_->object.contains(name); }

const io::Json& Parameters::value(std::string_view name) {
  if (!has(name)) throw DomainError("parameter " + in_quotes(name) + " is missing");
  taken_.emplace(name);
  return document_->object[std::string(name)];
}

double Parameters::number(std::string_view name) { return number_of(name, value(name)); }

double Parameters::number(std::string_view name, double otherwise) {
  return has(name) ? number(name) : otherwise;
}

std::int64_t Parameters::integer(std::string_view name) { return integer_of(name, value(name)); }

std::int64_t Parameters::integer(std::string_view name, std::int64_t otherwise) {
  return has(name) ? integer(name) : otherwise;
}

std::size_t Parameters::count(std::string_view name) { return count_of(name, integer(name)); }

std::size_t Parameters::count(std::string_view name, std::size_t otherwise) {
  return has(name) ? count(name) : otherwise;
}

bool Parameters::flag(std::string_view name) {
  if (!has(name)) return false;
  if (!value(name).is_boolean()) refuse(name, "expected true or false");
  return value(name).get<bool>();
}

std::string Parameters::word(std::string_view name) {
  if (!value(name).is_string()) refuse(name, "expected a word, found " + value(name).dump());
  return value(name).get<std::string>();
}

std::string Parameters::word(std::string_view name, std::string_view otherwise) {
  return has(name) ? word(name) : std::string(otherwise);
}

std::vector<double> Parameters::numbers(std::string_view name) {
  return list_of(name, value(name), number_of);
}

std::vector<std::int64_t> Parameters::integers(std::string_view name) {
  return list_of(name, value(name), integer_of);
}

std::vector<double> Parameters::vector(std::string_view name, std::size_t size) {
  const io::Json& given = value(name);
  std::vector<double> x;
  if (given.is_array()) {
    x = numbers(name);
  } else {
    Parameters made(given.dump());
    x.assign(size, 1);
    if (!made.flag("ones")) {
      const std::int64_t stream = made.integer("normal");
      const auto seed = static_cast<std::int64_t>(kSeed);
      RandomStream random(static_cast<std::uint64_t>(made.integer("seed", seed)),
                          static_cast<std::uint64_t>(stream));
      random.fill_normal(x);
    }
    made.all_taken();
  }
  if (x.size() != size)
    refuse(name,
           "expected " + std::to_string(size) + " numbers, found " + std::to_string(x.size()));
  return x;
}

RotaryEmbedding Parameters::embedding() {
  RotaryEmbedding embedding = frequencies_named();
  if (has("layout")) embedding.layout = layout_called(word("layout"));
  return embedding;
}

RotaryEmbedding Parameters::frequencies_named() {
  std::optional<std::int64_t> seq_len;
  if (has("seq_len")) seq_len = integer("seq_len");
  if (has("model")) return embedding_of_model(word("model"), seq_len);
  if (has("frequencies")) {
    RotaryEmbedding embedding;
    embedding.frequencies = given_frequencies(numbers("frequencies"));
    embedding.head_dim = embedding.rotary_dim();
    return embedding;
  }
  ScalingContext context;
  context.head_dim = context.rotary_dim = count("dim", 128);
  context.base = number("base", 10000);
  context.seq_len = seq_len;
  if (has("max_positions")) context.max_positions = integer("max_positions");
  return scaled_embedding(parse_scaling(word("scaling", "default")), context);
}

void Parameters::all_taken() const {
  for (const auto& [name, ignored] : document_->object.items())
    if (!taken_.contains(name))
      throw DomainError("parameter " + in_quotes(name) + " is not used here");
}

}  // namespace rope::claims
