#pragma once

#include <optional>
#include <string>
#include <vector>

#include "named/token_options.hpp"
#include "rope/studies/outputs.hpp"
#include "shown/console.hpp"

namespace rope::app {

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

/// The `rope diagnose` that asks which convention these files follow.
std::string diagnose_line(const OutputQuestion& question);

// output_report.cpp

/// `details`: with all that was judged, and more of the worst pairs. `diagnose`: the command that
/// tells which convention they follow.
void print_output_report(const OutputStudy& study, const std::string& diagnose, bool details,
                         const Console& console);

}  // namespace rope::app
