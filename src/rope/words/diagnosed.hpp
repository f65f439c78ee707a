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

/// The texts of a diagnosis, for people.
namespace rope::words {

/// What was examined (a pair of tensors, a pair of tables, or frequencies), and what was found.
struct Diagnosed : ArrayReading {
  std::optional<TableColumns> columns;  ///< of tables
  bool exchanged = false;               ///< for tables: cos and sin are swapped
  bool axis_open = false;               ///< what was read as tokens may be the heads of one token
  bool axis_chosen = false;             ///< rope chose the token axis among several
  bool frequencies = false;             ///< inv_freq only
  Diagnosis diagnosis;

  /// The index that an examined token has in the array.
  std::size_t file_token(std::size_t token) const { return kept.empty() ? token : kept[token]; }
};

/// The answer, as a sentence without a full stop, stated no more firmly than the findings support.
///
/// `subject`: "these tensors", the subject of the sentence.
std::string answer(const Diagnosed& one, const std::optional<Assumption>& assumed,
                   const std::string& subject);

/// Whether the assumption explains everything that is neither unwritten nor a foreign tail; nothing
/// if there is no assumption.
std::optional<bool> stated_fits_rest(const Diagnosed& one,
                                     const std::optional<Assumption>& assumed);
/// The same for all numbers.
std::optional<bool> stated_fits(const Diagnosed& one, const std::optional<Assumption>& assumed);

/// Whether a remark says that y fits only a pipeline that loses more precision than any pipeline
/// should.
bool fits_only(const Advice& remark);

/// What is unusual in an explanation, whether the best or another one, and how it differs from the
/// assumption.
std::vector<Advice> case_remarks(const Diagnosed& one, const Explanation& explanation);
std::vector<Advice> case_differences(const Diagnosed& one, const Explanation& explanation,
                                     const Assumption& assumption);

/// What is unusual in the explanations of a case.
std::vector<Advice> unusual(const Diagnosed& one);

/// The advice on the best explanation that applies to all the others as well: if several
/// conventions explain a case, advice that applies to only some of them is dropped.
std::vector<Advice> on_which_all_agree(
    const Diagnosed& one, const std::function<std::vector<Advice>(const Explanation&)>& of);

/// The pair of y to which a dimension belongs; nothing if the dimension passes through unrotated.
std::optional<std::size_t> pair_of(const Arrangement& arrangement, std::size_t dimension);

/// "interleaved", "half", "either" for one pair, "interleaved-to-half" …; nothing for tables.
std::string layout_text(const Diagnosed& one, const Explanation& explanation);

/// "head 3", "heads 1 … 7".
std::string several(std::string_view noun, const std::vector<std::size_t>& numbers);

/// Names these lanes (vectors of every token) by their indices along an axis: "heads 8 … 31" or
/// "rows 0, 2". Uses vector numbers if they are not whole heads or rows.
std::string lanes_text(const Diagnosed& one, const std::vector<std::size_t>& lanes);

/// Whether the text from lanes_text() is singular: "head 3", "row 0", "vector 5 of every token".
bool is_one(std::string_view lanes);

/// The vectors and dimensions that no rotation produced, and what to do about them; the explanation
/// covers the rest.
std::vector<Advice> exceptions(const Diagnosed& one);
io::JsonValue exceptions_json(const Diagnosed& one);

/// The answer, without a full stop, if something comes near y but not within rounding; otherwise
/// empty.
std::string best_fit_text(const Diagnosed& one, const std::optional<Assumption>& assumed);
io::JsonValue best_fit_json(const Diagnosed& one, const std::optional<Assumption>& assumed);

/// If one convention comes near y, how it differs from the assumed one.
std::vector<Advice> best_fit_differences(const Diagnosed& one,
                                         const std::optional<Assumption>& assumed);

/// Where the best explanations of two cases differ, each difference as "layout: half and
/// interleaved".
std::vector<std::string> disagreements(const Diagnosed& first, const Diagnosed& second);

}  // namespace rope::words
