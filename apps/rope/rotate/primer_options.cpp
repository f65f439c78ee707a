#include "rotate/primer_options.hpp"

#include <string_view>

#include "rope/io/quote.hpp"
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
                                .remedy = "Angles are radians; 90deg are degrees."};
  if (!text.ends_with(kDegrees)) return primer::from_radians(real_option(option, text, kRange));
  const std::string number = text.substr(0, text.size() - kDegrees.size());
  return primer::from_degrees(real_option(option, number, kRange));
}

primer::Complex read_complex(const std::string& option, const std::string& text) {
  const std::vector<double> parts = real_list_option(option, text);
  if (parts.size() != 2)
    refuse(option, "two numbers A,B for A + Bi", io::in_quotes(text), "For example 3,4.");
  return {parts[0], parts[1]};
}

void PrimerOptions::declare(OptionSet& options) {
  std::string names;
  for (const PrimerTopicEntry& entry : primer_topics())
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  options.group("The mathematics before");
  Option& primer = options.bound("--primer TOPIC", names, topic, read_topic, "none");
  primer.words = names_in(primer_topics());
  primer.only_words = true;
  options.bound("--angle A[,B]", "radians, or degrees as 90deg; a second one for addition, space",
                angles, read_angles, "the topic's own");
  options.bound("--z A,B", "A + Bi, of argument, conjugate (q), quarter-turn, product", z,
                read_complex, "the topic's own");
  options.bound("--w A,B", "A + Bi, of conjugate (k), product", w, read_complex, "the topic's own");
  options.integer("--terms N", "degree for taylor, fewest steps for euler, rows for orthogonal",
                  terms, {.low = 0, .high = static_cast<std::int64_t>(primer::kMostTerms)},
                  "8, 4, 6");
}

std::optional<PrimerRequest> PrimerOptions::request() const {
  if (topic == nullptr) {
    const std::string_view given = !angles.empty() ? "--angle"
                                   : z             ? "--z"
                                   : w             ? "--w"
                                   : terms         ? "--terms"
                                                   : "";
    if (!given.empty())
      refuse(given, "--primer beside it", "none", "For example --primer product --z 2,1.");
    return std::nullopt;
  }
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
