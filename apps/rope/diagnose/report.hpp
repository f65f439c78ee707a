#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/tensors.hpp"
#include "rope/io/json_value.hpp"
#include "rope/plot/figure.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// What was looked at: one pair of tensors, one pair of tables, or frequencies.
struct DiagnosedCase {
  std::string title;       ///< "x.npy → y.npy: float32 (7, 2, 128)"
  RotatedTensors tensors;  ///< as they were judged; empty for tables and frequencies
  bool positions_given = false;
  std::vector<std::size_t> kept;        ///< tokens that count, where some hold no finite number
  std::size_t dropped = 0;              ///< tokens that held a NaN or an infinity
  std::string container;                ///< the element type of the file
  std::optional<TableColumns> columns;  ///< of tables
  bool exchanged = false;               ///< tables: each of the two is the other
  bool other_axis = false;              ///< the tokens run along an axis that is not stated
  bool axis_open = false;               ///< what was read as tokens may be the heads of one
  bool frequencies = false;             ///< inv_freq alone
  std::vector<std::size_t> shape;       ///< of the vectors: axes, the last one the head
  std::size_t split_heads = 0;          ///< into how many heads the last axis of the file was split
  Diagnosis diagnosis;

  /// The number in the file of a token that counts.
  std::size_t file_token(std::size_t token) const { return kept.empty() ? token : kept[token]; }
  /// T, where each row of a batch has positions of its own: then file_token counts row by row.
  std::size_t row_tokens = 0;
};

struct DiagnoseStudy {
  std::vector<DiagnosedCase> cases;
  std::optional<Assumption> assumed;  ///< what the rotary options say
  DiagnosisHypotheses hypotheses;

  /// The worst of the cases.
  DiagnosisVerdict verdict() const;
  /// Whether what the rotary options say explains a case; nothing if they say nothing.
  std::optional<bool> stated_fits(const DiagnosedCase& one) const;
  /// The same of what is neither unwritten nor a foreign tail.
  std::optional<bool> stated_fits_rest(const DiagnosedCase& one) const;
  /// Whether the best explanations of all cases are one convention.
  bool agree() const;
};

/// What is unusual in the best explanation, or any other one; and what is not as assumed.
std::vector<Advice> case_remarks(const DiagnosedCase& one, const Explanation& explanation);
std::vector<Advice> case_differences(const DiagnosedCase& one, const Explanation& explanation,
                                     const Assumption& assumption);

/// Of such advice on the best explanation what holds of every other one too: where several
/// conventions explain a case, what only some of them say is not found.
std::vector<Advice> on_which_all_agree(
    const DiagnosedCase& one, const std::function<std::vector<Advice>(const Explanation&)>& of);

/// The pair of y to which a dimension belongs; nothing if it passes through.
std::optional<std::size_t> pair_of(const Arrangement& arrangement, std::size_t dimension);

/// "interleaved", "half", "either" for one pair, "interleaved-to-half" …; nothing for tables.
std::string layout_text(const DiagnosedCase& one, const Explanation& explanation);

/// "head 3", "heads 1 … 7".
std::string several(std::string_view noun, const std::vector<std::size_t>& numbers);

/// Which vectors of every token these lanes are, by their index along an axis: "heads 8 … 31" or
/// "rows 0, 2"; by number where they are not whole heads or rows.
std::string lanes_text(const DiagnosedCase& one, const std::vector<std::size_t>& lanes);

/// Whether lanes_text() tells of one: "head 3", "row 0", "vector 5 of every token".
bool is_one(std::string_view lanes);

/// The vectors and dimensions that no rotation made, and what to do about them; what is explained
/// is the rest.
std::vector<Advice> exceptions(const DiagnosedCase& one);
io::JsonValue exceptions_json(const DiagnosedCase& one);

/// The answer where nothing explains y within rounding but something comes near, without its full
/// stop; empty if nothing does.
std::string best_fit_text(const DiagnosedCase& one, const std::optional<Assumption>& assumed);
io::JsonValue best_fit_json(const DiagnosedCase& one, const std::optional<Assumption>& assumed);

/// Where one convention comes near y: how that is not as assumed.
std::vector<Advice> best_fit_differences(const DiagnosedCase& one,
                                         const std::optional<Assumption>& assumed);

/// `details`: more of what is long.
void print_diagnosis(const DiagnoseStudy& study, bool details, const Console& console);
std::string diagnose_json(const DiagnoseStudy& study);

/// |y − R x| of each pair and token of the first case, under its first explanation or what comes
/// nearest. Throws rope::Error if there is neither.
std::string diagnose_csv(const DiagnoseStudy& study);
plot::Figure diagnose_figure(const DiagnoseStudy& study);

/// What the best explanations of two cases have otherwise, each as "layout: half and interleaved".
std::vector<std::string> disagreements(const DiagnosedCase& first, const DiagnosedCase& second);

}  // namespace rope::app
