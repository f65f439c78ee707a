#pragma once

#include <optional>
#include <string>
#include <vector>

#include "named/token_options.hpp"
#include "rope/verify/certify.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// What of an implementation is judged, and what came of it.
struct OutputStudy {
  RotaryEmbedding embedding;
  Policy policy;  ///< with the cast to the type of the files
  Hypotheses hypotheses;
  std::string input;  ///< what the tensors are, for people; empty where there are none
  std::string result;
  std::string tables;
  std::string positions;
  bool narrowed = false;  ///< the cast to the type of the files is narrower than the policy's
  std::optional<Certification> vectors;
  std::optional<Certification> rows;
  std::optional<PairLayout> passing_layout;  ///< vectors that fail would pass with this one
  std::optional<std::int64_t> passing_axis;  ///< with tokens along this axis, where none was named
  std::string diagnose_line;  ///< the command that tells which convention they follow
  std::vector<std::string> warnings;

  /// That of its worse part.
  Verdict verdict() const;

  /// With which --libm-ulp all would pass, if that is why anything fails.
  std::optional<double> sufficient_libm_ulp() const;
};

/// What the user says of the outputs that an implementation made.
struct OutputQuestion {
  std::optional<std::string> input;  ///< the files, as options name them
  std::vector<std::string> results;
  std::optional<std::string> cos;
  std::optional<std::string> sin;
  TokenOptions tokens;
  RotaryOptions rotary;
  Policy policy;
  Hypotheses hypotheses;

  /// Whether there is anything to judge.
  bool asked() const { return input || !results.empty() || cos || sin; }

  /// Refuses one file where two belong together. Throws rope::Error (invalid input).
  void check() const;
};

/// `rope verify --input X --result Y` and `rope verify --cos C --sin S`.
///
/// Throws    rope::Error (invalid input), rope::SystemError.
OutputStudy judge(const OutputQuestion& question, const Console& console);

// output_report.cpp

/// `details`: with all that was judged, and more of the worst pairs.
void print_output_report(const OutputStudy& study, bool details, const Console& console);

/// The document of `--json`; docs/commands.md lists its fields.
std::string output_json(const OutputStudy& study);

/// The worst error of each pair, one a row.
std::string output_csv(const OutputStudy& study);

}  // namespace rope::app
