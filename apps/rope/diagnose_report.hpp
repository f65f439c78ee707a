#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "console.hpp"
#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/io/json.hpp"
#include "rope/plot/figure.hpp"

namespace rope::app {

/// What was looked at: one pair of tensors, one pair of tables, or frequencies.
struct DiagnosedCase {
  std::string title;       ///< "x.npy → y.npy: float32 (7, 2, 128)"
  RotatedTensors tensors;  ///< as they were judged; empty for tables and frequencies
  bool positions_given = false;
  std::size_t dropped = 0;              ///< tokens that held a NaN or an infinity
  std::string container;                ///< the element type of the file
  std::optional<TableColumns> columns;  ///< of tables
  bool frequencies = false;             ///< inv_freq alone
  Diagnosis diagnosis;
};

struct DiagnoseStudy {
  std::vector<DiagnosedCase> cases;
  std::optional<Assumption> assumed;  ///< what the rotary options say
  DiagnosisHypotheses hypotheses;

  /// The worst of the cases.
  DiagnosisVerdict verdict() const;
};

/// "interleaved", "half", "either" for one pair, "interleaved-to-half" …; nothing for tables.
std::string layout_text(const DiagnosedCase& one, const Explanation& explanation);

std::string diagnose_report(const DiagnoseStudy& study, const Console& console);
std::string diagnose_json(const DiagnoseStudy& study);

/// |y − R x| of each pair and token of the first case, under its first explanation or what comes
/// nearest. Throws rope::Error if there is neither.
std::string diagnose_csv(const DiagnoseStudy& study);
plot::Figure diagnose_figure(const DiagnoseStudy& study);

/// What two explanations have otherwise: q and k must agree.
std::vector<std::string> disagreements(const Explanation& a, const Explanation& b);

}  // namespace rope::app
