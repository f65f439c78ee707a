#include "rope/encodings/encodings.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "rope/error.hpp"

// One line an encoding, the oldest idea first: NAME_encoding stands in a source file of this
// folder. A macro, so that an encoding is both declared and listed by its one line.
#define ROPE_ENCODINGS(entry)                                                              \
  entry(none) entry(sinusoidal) entry(learned) entry(shaw) entry(transformer_xl) entry(t5) \
      entry(alibi) entry(rope) entry(partial_rope) entry(p_rope) entry(xpos) entry(rerope) \
          entry(leaky_rerope)

namespace rope {

#define ROPE_DECLARE(name) extern const EncodingEntry name##_encoding;
ROPE_ENCODINGS(ROPE_DECLARE)
#undef ROPE_DECLARE

namespace {

std::string subject_of(const EncodingEntry& entry) { return "encoding " + std::string(entry.name); }

const EncodingEntry& known_encoding(std::string_view name) {
  if (const EncodingEntry* const entry = find_encoding(name)) return *entry;
  std::vector<std::string_view> names;
  for (const EncodingEntry& entry : encodings()) names.push_back(entry.name);
  refuse_unknown_word("encoding", names, name,
                      "rope compare --help lists their parameters, rope glossary t5 explains one.");
}

/// Says whose parameter it is, where a message begins with one.
[[noreturn]] void refuse_as_parameter(const EncodingEntry& entry, const DomainError& error) {
  if (std::ranges::find(entry.parameters, error.subject(), &Parameter::name) !=
      entry.parameters.end())
    throw DomainError(Subject{subject_of(entry)}, error.what(), error.remedy());
  throw error;
}

}  // namespace

std::span<const EncodingEntry> encodings() {
#define ROPE_LIST(name) name##_encoding,
  static const std::array all = {ROPE_ENCODINGS(ROPE_LIST)};
#undef ROPE_LIST
  return all;
}

const EncodingEntry* find_encoding(std::string_view name) {
  const std::span<const EncodingEntry> all = encodings();
  const auto found = std::ranges::find(all, name, &EncodingEntry::name);
  return found == all.end() ? nullptr : &*found;
}

EncodingSpec parse_encoding(std::string_view text) {
  constexpr ParameterGrammar kGrammar = {
      "encoding", "an encoding",
      "Write NAME or NAME:key=value,…, for example t5:buckets=32,max_distance=128."};
  NamedValues named = parse_named_values(
      text, kGrammar, [](std::string_view name) { return known_encoding(name).parameters; });
  const EncodingEntry& entry = known_encoding(named.name);
  check_parameters(subject_of(entry), entry.parameters, named.values);
  return {&entry, std::move(named.values)};
}

std::string encoding_text(const EncodingSpec& spec) {
  return named_values_text({std::string(spec.entry->name), spec.given}, spec.entry->parameters);
}

EncodingLabel label_among(std::span<const EncodingSpec> all, const EncodingSpec& spec) {
  const std::string text = encoding_text(spec);
  const bool alone = std::ranges::count(all, spec.entry, &EncodingSpec::entry) == 1;
  EncodingLabel result{alone ? std::string(spec.entry->name) : text,
                       std::string(spec.entry->title)};
  if (const std::size_t given = text.find(':'); !alone && given != std::string::npos)
    result.title += " " + text.substr(given + 1);
  return result;
}

ParameterValues encoding_values(const EncodingSpec& spec, const EncodingContext& context) {
  ParameterValues values = spec.given;
  add_standard_values(spec.entry->parameters, values);
  if (spec.entry->complete != nullptr) spec.entry->complete(values, context);
  return values;
}

std::unique_ptr<PositionEncoding> make_encoding(const EncodingSpec& spec,
                                                const EncodingContext& context) {
  try {
    return spec.entry->make(encoding_values(spec, context), context);
  } catch (const DomainError& error) {
    refuse_as_parameter(*spec.entry, error);
  }
}

std::unique_ptr<PositionEncoding> make_encoding(std::string_view text,
                                                const EncodingContext& context) {
  return make_encoding(parse_encoding(text), context);
}

}  // namespace rope
