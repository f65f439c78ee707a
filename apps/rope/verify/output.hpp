#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rope/verify/certify.hpp"
#include "usage/command.hpp"

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
