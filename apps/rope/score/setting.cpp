#include "score/setting.hpp"

#include <fmt/format.h>

#include "rope/documents/embedding.hpp"
#include "rope/language/said.hpp"

namespace rope::app {
namespace {

/// The vectors, and what they are turned by.
template <class Name>
std::string described(const ScoreSetting& setting, Name name, Language language) {
  std::string text = name(setting.query, "q");
  if (setting.keys.size() == 1)
    text += std::string(word({", ", "，"}, language)) + name(setting.keys.front(), "k");
  text = said(language, "{}; {}", text, rope::describe(setting.variant, language));
  if (const double factor = setting.variant.embedding.attention_factor; factor != 1)
    text += said(language, "; scores include A² = {:.6g}", factor * factor);
  return text;
}

/// How long the vectors are and what they are made of, and the numbers.
io::JsonValue vector_json(const NamedVector& vector, std::string_view symbol, std::uint64_t seed,
                          const std::vector<double>& numbers) {
  return {{"named", text_of(vector, symbol, seed)}, {"values", numbers}};
}

}  // namespace

std::string describe(const ScoreSetting& setting, Language language) {
  return described(
      setting,
      [&](const NamedVector& vector, std::string_view symbol) {
        return text_of(vector, symbol, setting.seed, language);
      },
      language);
}

plot::Text drawn_name(const NamedVector& vector, std::string_view symbol, std::uint64_t seed) {
  if (vector.kind == NamedVector::Kind::turned)
    return plot::Text::markup(fmt::format(
        "{} = R_{{{}}} q", symbol, plot::with_minus_signs(std::to_string(vector.turned_by))));
  const std::string text = text_of(vector, symbol, seed);
  return plot::Text::plain(vector.file.empty() ? plot::with_minus_signs(text) : text);
}

std::string describe_drawn(const ScoreSetting& setting) {
  return described(
      setting,
      [&](const NamedVector& vector, std::string_view symbol) {
        return drawn_name(vector, symbol, setting.seed).readable();
      },
      Language::en);
}

io::JsonValue document_of(const ScoreSetting& setting, std::string_view view) {
  return {{"schema", "rope.score/1"},
          {"view", view},
          {"rotary", rotary_json(setting.variant.embedding)},
          {"seed", setting.seed},
          {"query", vector_json(setting.query, "q", setting.seed, setting.q)}};
}

io::JsonValue key_json(const ScoreSetting& setting, std::size_t key) {
  return vector_json(setting.keys[key], "k", setting.seed, setting.k[key]);
}

}  // namespace rope::app
