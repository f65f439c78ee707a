#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rope/verify/output_check.hpp"
#include "usage/command.hpp"

namespace rope::app {

/// The largest error that vectorised cos and sin are documented with, in ulp: glibc's libmvec and
/// NumPy's have up to 4, SLEEF's up to 3.5, CUDA's up to 2.
inline constexpr double kVectorLibmUlp = 4;

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
  std::optional<OutputReport> vectors;
  std::optional<OutputReport> rows;
  /// Of a part that fails: the least error of cos and sin, in whole ulp, with which it would pass;
  /// nothing if none up to kVectorLibmUlp does.
  std::optional<double> vectors_libm_ulp, rows_libm_ulp;
  std::vector<std::string> warnings;

  /// That of its worse part.
  Verdict verdict() const;

  /// With which --libm-ulp all would pass, if that is why anything fails.
  std::optional<double> sufficient_libm_ulp() const;
};

/// Whether the options ask for the outputs of an implementation to be judged.
bool judges_outputs(const Arguments& arguments);

/// `rope verify --input X --result Y` and `rope verify --cos C --sin S`.
ExitCode run_outputs(const Arguments& arguments, const Console& console);

// verify_output_report.cpp

void print_output_report(const OutputStudy& study, const Console& console);

/// The document of `--json`; docs/commands.md lists its fields.
std::string output_json(const OutputStudy& study);

/// The worst error of each pair, one a row.
std::string output_csv(const OutputStudy& study);

}  // namespace rope::app
