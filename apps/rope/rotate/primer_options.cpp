#include "rotate/primer_options.hpp"

#include <array>
#include <string_view>

#include "rope/io/quote.hpp"
#include "rope/parameters/number_text.hpp"
#include "rope/parameters/suggest.hpp"
#include "rope/primer/taylor.hpp"
#include "usage/numbers.hpp"

namespace rope::app {
namespace {

constexpr std::string_view kDegrees = "deg";

const PrimerTopicEntry* read_topic(const std::string& option, const std::string& text) {
  if (const PrimerTopicEntry* entry = find_primer_topic(text)) return entry;
  std::vector<std::string_view> names;
  for (const PrimerTopicEntry& entry : primer_topics()) names.push_back(entry.name);
  refuse_choice(option, names, text);
}

/// "3+4i" as "3,4"; empty where it is no such number.
std::string with_comma(std::string_view text) {
  std::string plain(trimmed(text));
  std::erase(plain, ' ');
  if (!plain.ends_with('i') && !plain.ends_with('j')) return {};
  plain.pop_back();
  const std::size_t sign = plain.find_last_of("+-");
  if (sign == std::string::npos || sign == 0) return {};
  std::string imaginary = plain.substr(plain[sign] == '+' ? sign + 1 : sign);
  if (imaginary.empty() || imaginary == "-") imaginary += "1";
  const std::string real = plain.substr(0, sign);
  const bool numbers = (real + imaginary).find_first_not_of("0123456789.-") == std::string::npos;
  return numbers ? real + "," + imaginary : std::string();
}

std::vector<primer::Angle> read_angles(const std::string& option, const std::string& text) {
  std::vector<primer::Angle> angles;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    angles.push_back(read_angle(option, text.substr(begin, end - begin)));
    begin = end + 1;
  }
  if (angles.size() > 2)
    refuse(option, "one angle or two", io::in_quotes(text), "For example --angle 40deg,75deg.");
  return angles;
}

}  // namespace

primer::Angle read_angle(const std::string& option, const std::string& text) {
  constexpr RealRange kRange = {.least = -primer::kLargestAngle,
                                .most = primer::kLargestAngle,
                                .remedy = "Angles are in radians; write degrees as 90deg."};
  if (!text.ends_with(kDegrees)) return primer::from_radians(real_option(option, text, kRange));
  const std::string number = text.substr(0, text.size() - kDegrees.size());
  return primer::from_degrees(real_option(option, number, kRange));
}

primer::Complex read_complex(const std::string& option, const std::string& text) {
  if (const std::string written = with_comma(text); !written.empty())
    refuse(option, "two numbers A,B for A + Bi", io::in_quotes(text),
           "Write " + option + " " + written + ".");
  const std::vector<double> parts = real_list_option(option, text);
  if (parts.size() != 2)
    refuse(option, "two numbers A,B for A + Bi", io::in_quotes(text), "For example 3,4.");
  return {parts[0], parts[1]};
}

void PrimerOptions::declare(OptionSet& options) {
  std::string names;
  for (const PrimerTopicEntry& entry : primer_topics())
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  options.group("The underlying mathematics");
  Option& primer = options.bound("--primer TOPIC", names, topic, read_topic, "none");
  primer.words = names_in(primer_topics());
  primer.only_words = true;
  options.bound(
      "--angle A[,B]",
      "angle in radians, or in degrees as in 90deg; addition and space use a second angle", angles,
      read_angles, "the topic's own");
  options.bound("--z A,B",
                "the number A + Bi, for argument, conjugate (as q), quarter-turn and product", z,
                read_complex, "the topic's own");
  options.bound("--w A,B", "the number A + Bi, for conjugate (as k) and product", w, read_complex,
                "the topic's own");
  options.integer("--terms N", "degree for taylor, fewest steps for euler, or rows for orthogonal",
                  terms, {.low = 0, .high = static_cast<std::int64_t>(primer::kMostTerms)},
                  "8, 4 and 6");
}

void PrimerOptions::check_taken() const {
  struct Number {
    std::string_view option;
    bool given, taken;
  };
  const std::array<Number, 4> numbers = {{{"--angle", !angles.empty(), topic->takes_angle},
                                          {"--z", z.has_value(), topic->takes_z},
                                          {"--w", w.has_value(), topic->takes_w},
                                          {"--terms", terms.has_value(), topic->takes_terms}}};
  std::vector<std::string_view> taken;
  for (const Number& number : numbers)
    if (number.taken) taken.push_back(number.option);
  const std::string topic_text = "--primer " + std::string(topic->name);
  for (const Number& number : numbers)
    if (number.given && !number.taken)
      refuse(number.option,
             (taken.empty() ? "no number" : alternatives(taken)) + " with " + topic_text,
             std::string(number.option), "This topic does not use it.");
}

std::optional<PrimerRequest> PrimerOptions::request() const {
  if (topic == nullptr) {
    const std::string_view given = !angles.empty() ? "--angle"
                                   : z             ? "--z"
                                   : w             ? "--w"
                                   : terms         ? "--terms"
                                                   : "";
    if (!given.empty())
      refuse(given, "--primer with it", "none", "For example --primer product --z 2,1.");
    return std::nullopt;
  }
  check_taken();
  PrimerRequest request;
  request.topic = topic->topic;
  if (!angles.empty()) request.angle = angles.front();
  if (angles.size() > 1) request.second_angle = angles.back();
  request.z = z;
  request.w = w;
  request.terms = terms;
  return request;
}

}  // namespace rope::app
