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

/// Whether the vectors of two programs were compared, and how.
enum class Trace {
  none,         ///< x and y are vectors before and after
  turned_back,  ///< x is from the reference, turned back
  not_rotated   ///< x is from the port, not rotated, and y from the reference: x rotated
};

/// One pair of tensors, one pair of tables, or frequencies, from files.
struct DiagnosedCase : words::Diagnosed {
  Trace trace = Trace::none;
  std::string title;       ///< "x.npy → y.npy: float32 (7, 2, 128)"
  RotatedTensors tensors;  ///< as they were judged; empty for tables and frequencies
  std::string container;   ///< the element type of the file
  std::size_t split_heads =
      0;  ///< the number of heads into which the last axis of the file was split
};

struct DiagnoseStudy {
  std::vector<DiagnosedCase> cases;
  std::optional<Assumption> assumed;  ///< what the rotary options state
  DiagnosisHypotheses hypotheses;

  /// Whether a port is compared with a reference.
  bool traces() const { return !cases.empty() && cases.front().trace != Trace::none; }
  /// The worst verdict among the cases.
  DiagnosisVerdict verdict() const;
  /// Whether the best explanations of all cases agree on one convention.
  bool agree() const;
};

/// `details`: longer lists.
void print_diagnosis(const DiagnoseStudy& study, bool details, const Console& console);
std::string diagnose_json(const DiagnoseStudy& study);

/// |y − R x| for each pair and token of the first case, under its first explanation or the nearest
/// one. Throws rope::Error if there is neither.
std::string diagnose_csv(const DiagnoseStudy& study);
plot::Figure diagnose_figure(const DiagnoseStudy& study);

}  // namespace rope::app
