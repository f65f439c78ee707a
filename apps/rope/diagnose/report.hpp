#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rope/diagnose/tensors.hpp"
#include "rope/plot/figure.hpp"
#include "rope/words/diagnosed.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Whether vectors of two programs, a reference and a port, were compared, and how.
enum class Trace {
  none,         ///< no comparison: x and y are vectors before and after rotation
  turned_back,  ///< x is from the reference, rotated back
  not_rotated   ///< the port did not rotate: x is the port's vectors, and y the reference's, which
                ///< are x rotated
};

/// A pair of tensors, a pair of tables, or frequencies, read from files.
struct DiagnosedCase : words::Diagnosed {
  Trace trace = Trace::none;
  std::string title;       ///< "x.npy → y.npy: float32 (7, 2, 128)"
  RotatedTensors tensors;  ///< the tensors as they were judged; empty for tables and frequencies
  std::string container;   ///< the element type of the file
  /// The number of heads into which the last axis of the file was split.
  std::size_t split_heads = 0;
};

struct DiagnoseStudy {
  std::vector<DiagnosedCase> cases;
  std::optional<Assumption> assumed;  ///< what the rotary options state, if anything
  DiagnosisHypotheses hypotheses;

  /// Whether a port is compared with a reference.
  bool traces() const { return !cases.empty() && cases.front().trace != Trace::none; }
  /// The worst verdict among the cases.
  DiagnosisVerdict verdict() const;
  /// Whether the best explanations of all cases agree on one convention.
  bool agree() const;
};

/// Prints the report. `details`: prints longer lists.
void print_diagnosis(const DiagnoseStudy& study, bool details, const Console& console);
std::string diagnose_json(const DiagnoseStudy& study);

/// |y − R x| for each pair and token of the first case, under its first explanation or, if it has
/// no explanation, its best fit. Throws rope::Error if it has neither.
std::string diagnose_csv(const DiagnoseStudy& study);
plot::Figure diagnose_figure(const DiagnoseStudy& study);

}  // namespace rope::app
