#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/io/json_value.hpp"

/// Texts that explain a diagnosis to people.
namespace rope::words {

/// What was examined (a pair of tensors, a pair of tables, or frequencies), and what was found.
struct Diagnosed : ArrayReading {
  std::optional<TableColumns> columns;  ///< of tables
  bool exchanged = false;               ///< for tables: cos and sin are swapped
  bool axis_open = false;    ///< the axis that was read as tokens may hold the heads of one token
  bool axis_chosen = false;  ///< rope chose the token axis from several candidates
  bool frequencies = false;  ///< only frequencies (inv_freq) were examined
  Diagnosis diagnosis;

  /// The index in the array of the token that was examined as number `token`.
  std::size_t file_token(std::size_t token) const { return kept.empty() ? token : kept[token]; }
};

/// The answer as a sentence without a full stop, worded no more firmly than the findings allow.
///
/// `subject`: "these tensors", the subject of the sentence.
std::string answer(const Diagnosed& one, const std::optional<Assumption>& assumed,
                   const std::string& subject);

/// Whether the assumption explains all numbers except those that were never written or belong to a
/// foreign tail (see explain_all_but_tail); nothing if there is no assumption.
std::optional<bool> stated_fits_rest(const Diagnosed& one,
                                     const std::optional<Assumption>& assumed);
/// The same for all numbers without exception.
std::optional<bool> stated_fits(const Diagnosed& one, const std::optional<Assumption>& assumed);

/// Whether the remark is that y fits only a pipeline that loses more precision than any pipeline
/// should.
bool fits_only(const Advice& remark);

/// What is unusual in an explanation (not necessarily the best one), and how the explanation
/// differs from the assumption.
std::vector<Advice> case_remarks(const Diagnosed& one, const Explanation& explanation);
std::vector<Advice> case_differences(const Diagnosed& one, const Explanation& explanation,
                                     const Assumption& assumption);

/// What is unusual in all explanations of a case.
std::vector<Advice> unusual(const Diagnosed& one);

/// The advice on the best explanation that applies to all other explanations of the case as well.
std::vector<Advice> on_which_all_agree(
    const Diagnosed& one, const std::function<std::vector<Advice>(const Explanation&)>& of);

/// The pair to which a dimension of y belongs; nothing if the dimension passes through unrotated.
std::optional<std::size_t> pair_of(const Arrangement& arrangement, std::size_t dimension);

/// "interleaved", "half", "interleaved-to-half" …, or "either" if there is only one pair; empty for
/// tables.
std::string layout_text(const Diagnosed& one, const Explanation& explanation);

/// "head 3", "heads 1 … 7".
std::string several(std::string_view noun, const std::vector<std::size_t>& numbers);

/// Names these lanes (the vectors with the same index in every token) by their indices along an
/// axis: "heads 8 … 31" or "rows 0, 2". Uses vector numbers if the lanes are not whole heads or
/// rows.
std::string lanes_text(const Diagnosed& one, const std::vector<std::size_t>& lanes);

/// Whether the text from lanes_text() is singular: "head 3", "row 0", "vector 5 of every token".
bool is_one(std::string_view lanes);

/// The vectors and dimensions that are not the result of a rotation, and what to do about them. The
/// explanation covers all others.
std::vector<Advice> exceptions(const Diagnosed& one);
io::JsonValue exceptions_json(const Diagnosed& one);

/// The answer, without a full stop, if a convention comes near y but not within rounding; otherwise
/// empty.
std::string best_fit_text(const Diagnosed& one, const std::optional<Assumption>& assumed);
io::JsonValue best_fit_json(const Diagnosed& one, const std::optional<Assumption>& assumed);

/// If one convention comes near y, how it differs from the assumed one.
std::vector<Advice> best_fit_differences(const Diagnosed& one,
                                         const std::optional<Assumption>& assumed);

/// The differences between the best explanations of two cases, each in the form "layout: half and
/// interleaved".
std::vector<std::string> disagreements(const Diagnosed& first, const Diagnosed& second);

}  // namespace rope::words
