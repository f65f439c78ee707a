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
  /// The positions of the tokens: a tensor in the one file that was given.
  std::optional<std::string> positions;
  TokenOptions tokens;
  RotaryOptions rotary;
  std::optional<Policy> policy;  ///< if empty, a policy that fits the numbers is used
  Hypotheses hypotheses;

  /// Whether the options name anything to judge.
  bool asked() const { return input || !results.empty() || cos || sin; }

  /// Throws rope::Error (invalid input) if only one file is given and two are needed.
  void check() const;
};

/// Judges the files of `rope verify --input X --result Y` or `rope verify --cos C --sin S`.
///
/// Throws    rope::Error (invalid input), rope::SystemError.
OutputStudy judge(const OutputQuestion& question, const Console& console);

/// The `rope diagnose` command that finds which convention these files follow. `stated`: the
/// options that the user gave; the `rope diagnose` command keeps those for the tokens and the
/// embedding.
std::string diagnose_line(const OutputQuestion& question, const std::vector<Option>& stated);

// output_places.cpp

/// Prints where the violations are, in one sentence per axis, and which vectors were not rotated at
/// all.
void say_places(const OutputStudy& study, const Console& console);

// output_report.cpp

/// The verdict and the worst error, with the place of the error.
std::string verdict_text(const OutputStudy& study, Language language = Language::en);

/// `details`: also prints everything that was judged, and more of the worst pairs. `diagnose`: the
/// command that finds which convention the files follow.
void print_output_report(const OutputStudy& study, const std::string& diagnose, bool details,
                         const Console& console);

}  // namespace rope::app
