#include "rope/studies/primer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "rope/error.hpp"
#include "rope/studies/primer_topics.hpp"

namespace rope {
namespace {

constexpr std::array<PrimerTopicEntry, 12> kTopics = {{
    {.topic = PrimerTopic::argument,
     .name = "argument",
     .question = "Which way does the arrow of a + bi point, and why is that not arctan(b/a)?",
     .takes_z = true},
    {.topic = PrimerTopic::conjugate,
     .name = "conjugate",
     .question = "What is the product of a complex number and the mirror image of another?",
     .takes_z = true,
     .takes_w = true},
    {.topic = PrimerTopic::quarter_turn,
     .name = "quarter-turn",
     .question = "What does multiplication by i do to an arrow?",
     .takes_z = true},
    {.topic = PrimerTopic::product,
     .name = "product",
     .question = "What does multiplication by any complex number do to an arrow?",
     .takes_z = true,
     .takes_w = true},
    {.topic = PrimerTopic::euler,
     .name = "euler",
     .question = "Why does e^{iθ} go around the unit circle?",
     .takes_angle = true,
     .takes_terms = true},
    {.topic = PrimerTopic::taylor,
     .name = "taylor",
     .question = "How does the series for e^{iθ} reach the circle, and when does it fail?",
     .takes_angle = true,
     .takes_terms = true},
    {.topic = PrimerTopic::exponentials,
     .name = "exponentials",
     .question = "How do cos θ and sin θ come from e^{iθ} and e^{−iθ}?",
     .takes_angle = true},
    {.topic = PrimerTopic::half_turn,
     .name = "half-turn",
     .question = "Is e^{iπ} + 1 = 0, and what does a computer get?"},
    {.topic = PrimerTopic::addition,
     .name = "addition",
     .question = "What do two rotations of the plane amount to?",
     .takes_angle = true,
     .takes_second_angle = true},
    {.topic = PrimerTopic::space,
     .name = "space",
     .question = "Why do rotations of space not add?",
     .takes_angle = true,
     .takes_second_angle = true},
    {.topic = PrimerTopic::reflection,
     .name = "reflection",
     .question = "What distinguishes a mirror image from a rotation?",
     .takes_angle = true},
    {.topic = PrimerTopic::orthogonal,
     .name = "orthogonal",
     .question = "Which matrices keep all lengths and angles?",
     .takes_terms = true},
}};

void refuse_what_is_not_used(const PrimerRequest& request, const PrimerTopicEntry& entry) {
  const auto check = [&](bool given, bool taken, const char* subject) {
    if (given && !taken)
      throw DomainError(Subject{subject}, "expected no value for the topic " +
                                              std::string(entry.name) + ", which does not use it");
  };
  check(request.angle.has_value(), entry.takes_angle, "angle");
  check(request.second_angle.has_value(), entry.takes_second_angle, "angle");
  check(request.z.has_value(), entry.takes_z, "z");
  check(request.w.has_value(), entry.takes_w, "w");
  check(request.terms.has_value(), entry.takes_terms, "terms");
}

void check_number(const std::optional<primer::Complex>& given, const char* subject) {
  if (!given) return;
  for (const double part : {given->re, given->im}) {
    const double size = std::abs(part);
    if (!(size == 0 || (size >= kSmallestPrimerNumber && size <= kLargestPrimerNumber)))
      throw DomainError(
          Subject{subject},
          "expected parts that are 0 or from 1e-100 to 1e100 in size, got " + number_text(part));
  }
  if (*given == primer::Complex{})
    throw DomainError(Subject{subject}, "expected a number other than 0, which has no direction");
}

PrimerAnswer answer_to(const PrimerRequest& request, PrimerStudy& study) {
  switch (request.topic) {
    case PrimerTopic::argument:
      return topics::argument(request, study);
    case PrimerTopic::conjugate:
      return topics::conjugate(request, study);
    case PrimerTopic::quarter_turn:
      return topics::quarter_turn(request, study);
    case PrimerTopic::product:
      return topics::product(request, study);
    case PrimerTopic::euler:
      return topics::euler(request, study);
    case PrimerTopic::taylor:
      return topics::taylor(request, study);
    case PrimerTopic::exponentials:
      return topics::exponentials(request, study);
    case PrimerTopic::half_turn:
      return topics::half_turn(study);
    case PrimerTopic::addition:
      return topics::addition(request, study);
    case PrimerTopic::space:
      return topics::space(request, study);
    case PrimerTopic::reflection:
      return topics::reflection(request, study);
    case PrimerTopic::orthogonal:
      break;
  }
  return topics::orthogonal(request, study);
}

}  // namespace

std::span<const PrimerTopicEntry> primer_topics() { return kTopics; }

const PrimerTopicEntry* find_primer_topic(std::string_view name) {
  const auto* const found = std::ranges::find_if(
      kTopics, [&](const PrimerTopicEntry& entry) { return entry.name == name; });
  return found == kTopics.end() ? nullptr : found;
}

bool PrimerNumber::holds() const { return std::abs(value - expected) <= bound; }

bool PrimerStudy::held() const {
  return std::ranges::all_of(
      numbers, [](const PrimerNumber& number) { return number.mistaken || number.holds(); });
}

PrimerStudy primer_study(const PrimerRequest& request) {
  refuse_what_is_not_used(request, kTopics[static_cast<std::size_t>(request.topic)]);
  check_number(request.z, "z");
  check_number(request.w, "w");
  PrimerStudy study;
  study.topic = request.topic;
  study.answer = answer_to(request, study);
  return study;
}

}  // namespace rope
