#pragma once

#include <optional>
#include <string>
#include <vector>

#include "named/token_options.hpp"
#include "rope/studies/outputs.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// What the options say about the outputs of an implementation.
struct OutputQuestion {
  std::optional<std::string> input;  ///< the files, as named by the options
  std::vector<std::string> results;
  std::optional<std::string> cos;
  std::optional<std::string> sin;
  std::optional<std::string> positions;  ///< of the tokens: a tensor in the one file given
  TokenOptions tokens;
  RotaryOptions rotary;
  std::optional<Policy> policy;  ///< if empty, one that fits the numbers
  Hypotheses hypotheses;

  /// Whether there is anything to judge.
  bool asked() const { return input || !results.empty() || cos || sin; }

  /// Refuses a single file where two are needed. Throws rope::Error (invalid input).
  void check() const;
};

/// `rope verify --input X --result Y` and `rope verify --cos C --sin S`.
///
/// Throws    rope::Error (invalid input), rope::SystemError.
OutputStudy judge(const OutputQuestion& question, const Console& console);

/// The `rope diagnose` command that finds which convention these files follow. `stated`: the
/// options that the user gave; the command keeps those about the tokens and the embedding.
std::string diagnose_line(const OutputQuestion& question, const std::vector<Option>& stated);

// output_places.cpp

/// Prints where the violations are, in one sentence per axis, and which vectors were never rotated.
void say_places(const OutputStudy& study, const Console& console);

// output_report.cpp

/// The result, and the worst error with its place.
std::string verdict_text(const OutputStudy& study, Language language = Language::en);

/// `details`: also everything that was judged, and more of the worst pairs. `diagnose`: the command
/// that finds which convention the files follow.
void print_output_report(const OutputStudy& study, const std::string& diagnose, bool details,
                         const Console& console);

}  // namespace rope::app
