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

/// What a diagnosis says to people.
namespace rope::words {

/// What was examined, and what was found: a pair of tensors, a pair of tables, or frequencies.
struct Diagnosed : ArrayReading {
  std::optional<TableColumns> columns;  ///< of tables
  bool exchanged = false;               ///< tables: the two are swapped
  bool axis_open = false;               ///< what was read as tokens may be the heads of one token
  bool frequencies = false;             ///< inv_freq only
  Diagnosis diagnosis;

  /// The index in the array of a token that counts.
  std::size_t file_token(std::size_t token) const { return kept.empty() ? token : kept[token]; }
};

/// The answer, in a sentence without its full stop, stated only as firmly as it is known.
///
/// `subject`: "these tensors", the subject of the sentence.
std::string answer(const Diagnosed& one, const std::optional<Assumption>& assumed,
                   const std::string& subject);

/// Whether the assumption explains all that is neither unwritten nor a foreign tail; nothing if
/// nothing is assumed.
std::optional<bool> stated_fits_rest(const Diagnosed& one,
                                     const std::optional<Assumption>& assumed);
/// The same for all of it.
std::optional<bool> stated_fits(const Diagnosed& one, const std::optional<Assumption>& assumed);

/// Whether a remark says that y fits only a pipeline which loses more than any should.
bool fits_only(const Advice& remark);

/// What is unusual in the best explanation, or any other one; and what differs from the assumption.
std::vector<Advice> case_remarks(const Diagnosed& one, const Explanation& explanation);
std::vector<Advice> case_differences(const Diagnosed& one, const Explanation& explanation,
                                     const Assumption& assumption);

/// What is unusual in what explains a case.
std::vector<Advice> unusual(const Diagnosed& one);

/// The advice on the best explanation that holds for every other one too: where several conventions
/// explain a case, what only some of them say counts as not found.
std::vector<Advice> on_which_all_agree(
    const Diagnosed& one, const std::function<std::vector<Advice>(const Explanation&)>& of);

/// The pair of y to which a dimension belongs; nothing if it passes through.
std::optional<std::size_t> pair_of(const Arrangement& arrangement, std::size_t dimension);

/// "interleaved", "half", "either" for one pair, "interleaved-to-half" …; nothing for tables.
std::string layout_text(const Diagnosed& one, const Explanation& explanation);

/// "head 3", "heads 1 … 7".
std::string several(std::string_view noun, const std::vector<std::size_t>& numbers);

/// Which vectors of every token these lanes are, by their index along an axis: "heads 8 … 31" or
/// "rows 0, 2"; by number where they are not whole heads or rows.
std::string lanes_text(const Diagnosed& one, const std::vector<std::size_t>& lanes);

/// Whether lanes_text() names just one: "head 3", "row 0", "vector 5 of every token".
bool is_one(std::string_view lanes);

/// The vectors and dimensions that no rotation made, and what to do about them; the explanation
/// covers the rest.
std::vector<Advice> exceptions(const Diagnosed& one);
io::JsonValue exceptions_json(const Diagnosed& one);

/// Without its full stop: the answer where something comes near y but not within rounding; else
/// empty.
std::string best_fit_text(const Diagnosed& one, const std::optional<Assumption>& assumed);
io::JsonValue best_fit_json(const Diagnosed& one, const std::optional<Assumption>& assumed);

/// Where one convention comes near y: how it differs from the assumed one.
std::vector<Advice> best_fit_differences(const Diagnosed& one,
                                         const std::optional<Assumption>& assumed);

/// Where the best explanations of two cases differ, each as "layout: half and interleaved".
std::vector<std::string> disagreements(const Diagnosed& first, const Diagnosed& second);

}  // namespace rope::words
