#include "rope/verify/formula.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "rope/language/said.hpp"
#include "rope/verify/case_check.hpp"

namespace rope {
namespace {

/// Whether a rotor differs from the right one in more than the position it rotates by.
bool other_rotation(const RotorSpec& planted, const RotaryEmbedding& right) {
  const RotaryEmbedding& own = planted.embedding;
  return planted.distortion != Distortion::none || planted.factor != 1 || planted.uneven ||
         own.layout != right.layout || own.frequencies.theta != right.frequencies.theta;
}

bool planted_in(const RotorSpec& rotor, const RotaryEmbedding& right) {
  return rotor.reversed || rotor.offset != 0 || other_rotation(rotor, right);
}

/// "R_m", "R_{m−n}", "R'_n"
std::string rotation_text(const RotorSpec& rotor, const RotaryEmbedding& right,
                          std::string_view position, std::string_view reversed) {
  std::string index(rotor.reversed ? reversed : position);
  if (rotor.offset > 0) index += "+";
  if (rotor.offset != 0) index += std::to_string(rotor.offset);
  if (index.size() > 1) index = "{" + index + "}";
  return (other_rotation(rotor, right) ? "R'_" : "R_") + index;
}

}  // namespace

SidesText sides_text(const VerifyOptions& options, Language language) {
  const RotaryEmbedding& right = options.embedding;
  const SchemeSpec spec = options.control ? options.control->plant(right) : right_scheme(right);
  const auto marked = [&](const std::string& text, bool planted) {
    return planted ? said(language, "{} (planted)", text) : text;
  };
  return {marked("⟨" + rotation_text(spec.query, right, "m", "−m") + " q, " +
                     rotation_text(spec.key, right, "n", "−n") + " k⟩",
                 planted_in(spec.query, right) || planted_in(spec.key, right)),
          marked("qᵀ" + rotation_text(spec.relative, right, "n−m", "m−n") + "k",
                 planted_in(spec.relative, right))};
}

double wrong_sign_score(const VerifyOptions& options, const NotableCase& in) {
  RotaryEmbedding embedding = options.embedding;
  embedding.layout = in.layout;
  return wrong_sign_score(Pipeline(options.policy, embedding), *options.given);
}

bool tells_sign(const VerifyOptions& options, const VerifyReport& report) {
  if (!options.given || options.control) return true;
  return std::ranges::any_of(report.given, [&](const NotableCase& one) {
    const Measured apart{std::abs(wrong_sign_score(options, one) - one.left), one.bound};
    return apart.violated() || apart.unbounded();
  });
}

}  // namespace rope
