#include "rope/precision/policy.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "rope/error.hpp"
#include "rope/parameters/suggest.hpp"

namespace rope {
namespace {

constexpr Format f64 = Format::float64;
constexpr Format f32 = Format::float32;
constexpr Format tf32 = Format::tfloat32;
constexpr Format f16 = Format::float16;
constexpr Format bf16 = Format::bfloat16;
constexpr Format e4m3 = Format::float8;

/// The stages in the order of the pipeline.
struct Stages {
  Format frequency, position, angle, table, apply, store, accumulate;
};

Policy entry(const char* name, const char* summary, const Stages& s,
             AngleRule rule = AngleRule::product, SumOrder sum = SumOrder::sequential,
             bool reduced = false) {
  return {name,    summary, rule,    s.frequency, s.position,   s.angle,
          reduced, s.table, s.apply, s.store,     s.accumulate, sum};
}

const std::vector<Policy>& table() {
  using enum AngleRule;
  using enum SumOrder;
  static const std::vector<Policy> entries = {
      entry("exact", "this library: exact angles, everything after them in float64",
            {f64, f64, f64, f64, f64, f64, f64}, exact),
      entry("float64", "every stage in float64", {f64, f64, f64, f64, f64, f64, f64}),
      entry("float64-pairwise", "float64, the score summed pairwise",
            {f64, f64, f64, f64, f64, f64, f64}, product, pairwise),
      entry("float32", "every stage in float32", {f32, f32, f32, f32, f32, f32, f32}),
      entry("float32-pairwise", "float32, the score summed pairwise",
            {f32, f32, f32, f32, f32, f32, f32}, product, pairwise),
      entry("bfloat16-store", "rotated in float32, the result cast to bfloat16",
            {f32, f32, f32, f32, f32, bf16, f32}),
      entry("bfloat16-table", "float32 angles; cos, sin and rotation in bfloat16 (Hugging Face)",
            {f32, f32, f32, bf16, bf16, bf16, f32}),
      entry("float16-table", "float32 angles; cos, sin and rotation in float16",
            {f32, f32, f32, f16, f16, f16, f32}),
      entry("bfloat16-cache", "cos and sin kept in bfloat16, rotated in float32",
            {f32, f32, f32, bf16, f32, f32, f32}),
      entry("bfloat16-positions",
            "positions, frequencies and angles in bfloat16 (the historic bug)",
            {bf16, bf16, bf16, bf16, bf16, bf16, f32}),
      entry("float16-positions", "positions, frequencies and angles in float16",
            {f16, f16, f16, f16, f16, f16, f32}),
      entry("bfloat16-frequencies", "frequencies cast to bfloat16, everything else in float32",
            {bf16, f32, f32, f32, f32, f32, f32}),
      entry("tf32", "positions times frequencies as a TF32 matrix product, the rest in float32",
            {tf32, tf32, f32, f32, f32, f32, f32}),
      entry("ggml", "float32 angles by repeated multiplication (ggml on a CPU)",
            {f32, f32, f32, f32, f32, f32, f32}, recurrence),
      entry("ggml-cuda", "float32 frequencies as powers of a scale (ggml on CUDA)",
            {f32, f32, f32, f32, f32, f32, f32}, scale_power),
      entry("float64-angle", "float64 angles, cos and sin cast to float32, rotated in float32",
            {f64, f64, f64, f32, f32, f32, f32}),
      entry("float64-angle-bfloat16", "float64 angles; cos, sin and rotation in bfloat16",
            {f64, f64, f64, bf16, bf16, bf16, f32}),
      entry("float32-frequencies", "frequencies rounded to float32, then float64 angles",
            {f32, f64, f64, f32, f32, f32, f32}),
      entry("float64-reduced", "float64 angles reduced to one turn, float32 cos and sin",
            {f64, f64, f64, f32, f32, f32, f32}, product, sequential, true),
      entry("float8-store", "float32, the rotated vector scaled and stored in float8 (E4M3)",
            {f32, f32, f32, f32, f32, e4m3, f32}),
  };
  return entries;
}

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

/// The value of a key, out of those it may take.
template <class Value, std::size_t N>
Value choice(std::string_view key, std::string_view text,
             const std::array<std::pair<std::string_view, Value>, N>& choices) {
  std::string known;
  for (const auto& [name, value] : choices) {
    if (name == text) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw DomainError(Subject{"policy"},
                    std::string(key) + ": expected one of " + known + ", got " + in_quotes(text));
}

Format format_of(std::string_view key, std::string_view text) {
  if (const std::optional<Format> format = find_format(text)) return *format;
  throw DomainError(Subject{"policy"},
                    std::string(key) + ": expected one of f64, f32, tf32, f16, bf16, e4m3, got " +
                        in_quotes(text));
}

constexpr std::array<std::pair<std::string_view, Format Policy::*>, 7> kStages = {{
    {"frequency", &Policy::frequency},
    {"position", &Policy::position},
    {"angle", &Policy::angle},
    {"table", &Policy::table},
    {"apply", &Policy::apply},
    {"store", &Policy::store},
    {"accumulate", &Policy::accumulate},
}};

using Settings = std::map<std::string_view, std::string_view>;

/// Splits "name,key=value,…": the name is empty if the text starts with a setting.
std::string_view split(std::string_view text, Settings& settings) {
  std::string_view name;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min<std::size_t>(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, comma - begin);
    const std::size_t equals = part.find('=');
    if (equals != std::string_view::npos) {
      if (!settings.emplace(part.substr(0, equals), part.substr(equals + 1)).second)
        throw DomainError(Subject{"policy"}, in_quotes(part.substr(0, equals)) + " is given twice");
    } else if (begin == 0 && !part.empty()) {
      name = part;
    } else {
      throw DomainError(Subject{"policy"}, "expected key=format, got " + in_quotes(part),
                        "For example: angle=f32,table=bf16,apply=bf16,accumulate=f32.");
    }
    begin = comma + 1;
  }
  return name;
}

/// Stages that were not given follow the one before them.
void fill_defaults(Policy& policy, const Settings& settings) {
  const auto follow = [&](std::string_view key, Format& stage, Format before) {
    if (!settings.contains(key)) stage = before;
  };
  follow("angle", policy.angle, f32);
  follow("frequency", policy.frequency, policy.angle);
  follow("position", policy.position, policy.angle);
  follow("table", policy.table, policy.angle);
  follow("apply", policy.apply, policy.table);
  follow("store", policy.store, policy.apply);
  follow("accumulate", policy.accumulate, policy.apply == f64 ? f64 : f32);
}

void check(const Policy& policy) {
  if (policy.reduced && policy.angle != f64)
    throw DomainError(Subject{"policy"},
                      "reduced=yes needs angle=f64: whole turns are removed in float64");
  const bool by_scale =
      policy.angle_rule == AngleRule::recurrence || policy.angle_rule == AngleRule::scale_power;
  const bool one_format = policy.frequency == policy.angle && policy.position == policy.angle;
  if (by_scale && (!one_format || policy.angle == f64))
    throw DomainError(Subject{"policy"},
                      "rule=recurrence and rule=scale-power need frequency, position and angle in "
                      "the same format, f32 or narrower");
}

/// What others call the formats, and how names of policies begin.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kNarrow = {
    {{"bf16", "bfloat16"},
     {"bfloat16", "bfloat16"},
     {"fp16", "float16"},
     {"f16", "float16"},
     {"float16", "float16"},
     {"half", "float16"},
     {"fp8", "float8"}}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kWide = {
    {{"f32", "float32"},
     {"fp32", "float32"},
     {"single", "float32"},
     {"f64", "float64"},
     {"fp64", "float64"},
     {"double", "float64"}}};

/// bfloat16-table for bf16-table: the format at the beginning of a name as names of policies have
/// it.
std::string with_our_format(std::string_view name) {
  const std::string_view format = name.substr(0, name.find('-'));
  std::string spelt(name);
  const auto spell = [&](const auto& formats) {
    for (const auto& [theirs, ours] : formats)
      if (format == theirs) spelt = std::string(ours).append(name.substr(format.size()));
  };
  spell(kNarrow);
  spell(kWide);
  return spelt;
}

/// A format is no pipeline: `bf16` may mean several of them.
std::string remedy_for_policy(std::string_view name, const std::vector<std::string>& names) {
  const std::string spelt = with_our_format(name);
  const bool narrow =
      std::ranges::any_of(kNarrow, [&](const auto& format) { return format.first == name; });
  std::vector<std::string_view> meant;
  if (narrow)
    for (const std::string& one : names)
      if (one.starts_with(spelt)) meant.push_back(one);
  const std::string list = "rope precision --list describes each policy.";
  if (!meant.empty())
    return std::string(name) +
           " is a format, not a pipeline. Say which stages use it: " + alternatives(meant) + "; " +
           list;
  const std::string likely = likely_word(spelt, names);
  return likely.empty() ? list : "Did you mean " + likely + "?";
}

}  // namespace

std::span<const Policy> policies() { return table(); }

std::string_view name(AngleRule rule) {
  constexpr std::array<std::string_view, 4> kNames = {"exact", "product", "recurrence",
                                                      "scale-power"};
  return kNames.at(static_cast<std::size_t>(rule));
}

std::string_view name(SumOrder order) {
  return order == SumOrder::pairwise ? "pairwise" : "sequential";
}

std::optional<Policy> find_policy(std::string_view name) {
  for (const Policy& policy : table())
    if (policy.name == name) return policy;
  return std::nullopt;
}

Policy parse_policy(std::string_view given) {
  const std::string text = plain_word(given);
  Settings settings;
  const std::string_view name = split(text, settings);
  Policy policy;
  if (!name.empty()) {
    const std::optional<Policy> known = find_policy(name);
    if (!known) {
      std::string listed;
      std::vector<std::string> names;
      for (const Policy& each : table()) {
        listed += (listed.empty() ? "" : ", ") + each.name;
        names.push_back(each.name);
      }
      throw DomainError(Subject{"policy"},
                        "expected one of " + listed + ", or key=format,..., got " + in_quotes(name),
                        remedy_for_policy(name, names));
    }
    if (settings.empty()) return *known;
    if (known->angle_rule == AngleRule::exact)
      throw DomainError(Subject{"policy"}, "'exact' has no stages to change",
                        "Start from float64 instead.");
    policy = *known;
  }
  for (const auto& [key, value] : settings) {
    const auto* const stage = std::find_if(kStages.begin(), kStages.end(),
                                           [name = key](const auto& s) { return s.first == name; });
    if (stage != kStages.end()) {
      policy.*(stage->second) = format_of(key, value);
    } else if (key == "rule") {
      policy.angle_rule = choice<AngleRule, 3>(key, value,
                                               {{{"product", AngleRule::product},
                                                 {"recurrence", AngleRule::recurrence},
                                                 {"scale-power", AngleRule::scale_power}}});
    } else if (key == "sum") {
      policy.sum = choice<SumOrder, 2>(
          key, value, {{{"sequential", SumOrder::sequential}, {"pairwise", SumOrder::pairwise}}});
    } else if (key == "reduced") {
      policy.reduced = choice<bool, 2>(key, value, {{{"yes", true}, {"no", false}}});
    } else {
      throw DomainError(Subject{"policy"}, "unknown stage " + in_quotes(key),
                        "The stages are frequency, position, angle, table, apply, store and "
                        "accumulate; the other keys are rule, sum and reduced.");
    }
  }
  if (name.empty()) fill_defaults(policy, settings);
  check(policy);
  policy.name = std::string(text);
  policy.summary = "as stated";
  return policy;
}

}  // namespace rope
