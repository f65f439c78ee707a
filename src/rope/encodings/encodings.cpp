#include "rope/encodings/encodings.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "rope/encodings/untrained.hpp"
#include "rope/error.hpp"
#include "rope/parameters/suggest.hpp"

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
  // The name that tables and pictures have for it: NoPE is none.
  for (const EncodingEntry& entry : encodings())
    if (plain_word(entry.title) == plain_word(name)) return entry;
  std::vector<std::string_view> names;
  for (const EncodingEntry& entry : encodings()) names.push_back(entry.name);
  refuse_unknown_word(
      "encoding", names, name,
      "rope compare --help lists their parameters; rope glossary t5 explains one of them.");
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

std::string values_in_use(const EncodingSpec& spec, const ParameterValues& values, bool all) {
  std::string text;
  for (const Parameter& parameter : spec.entry->parameters) {
    const double value = values.number(parameter.name);
    const bool depends = !parameter.otherwise.empty() && !spec.given.has(parameter.name);
    if (!all && !depends) continue;
    const bool real = parameter.domain == ParameterDomain::at_least_one;
    text += (text.empty() ? "" : ", ") + std::string(parameter.name) + "=" +
            (real ? rounded_text(value, 6) : parameter_text(parameter, value));
  }
  return text;
}

std::vector<std::pair<std::string, EncodingSpec>> without_each(const EncodingSpec& spec,
                                                               const EncodingContext& context) {
  std::vector<std::pair<std::string, EncodingSpec>> all;
  const ParameterValues values = encoding_values(spec, context);
  for (const auto& [name, value] : spec.given.numbers) {
    EncodingSpec without = spec;
    without.given.numbers.erase(name);
    if (encoding_values(without, context) != values) all.emplace_back(name, std::move(without));
  }
  return all;
}

std::vector<std::string> idle_parameters(const EncodingSpec& spec, const EncodingContext& context,
                                         const std::vector<std::int64_t>& queries,
                                         const std::vector<std::int64_t>& keys) {
  constexpr std::uint64_t kQuery = 2000, kKey = 2001;  // streams that nothing else draws from
  const std::size_t d = context.rotary.head_dim;
  const auto at = [&](std::uint64_t stream, const std::vector<std::int64_t>& positions) {
    const RowMatrix one = random_matrix(1, d, 1, context.seed, stream);
    return Tokens{one.replicate(static_cast<Eigen::Index>(positions.size()), 1), positions};
  };
  const Tokens asking = at(kQuery, queries), asked = at(kKey, keys);
  const auto scores = [&](const EncodingSpec& one) {
    return make_encoding(one, context)->scores(asking, asked);
  };
  std::vector<std::string> idle;
  for (const auto& [name, without] : without_each(spec, context))
    if (scores(without) == scores(spec)) idle.push_back(name);
  return idle;
}

std::string idle_text(const EncodingSpec& spec, std::string_view parameter, std::string_view what) {
  return encoding_text(spec) + ": " + std::string(parameter) + " changes " + std::string(what);
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
