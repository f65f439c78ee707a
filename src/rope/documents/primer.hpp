#pragma once

#include <string>

#include "rope/documents/columns.hpp"
#include "rope/studies/primer.hpp"

namespace rope {

/// "ok" or "FAIL"; for a wrong formula found in texts, "holds" or "wrong".
std::string verdict_text(const PrimerNumber& number);

/// The columns that a topic has in addition to its numbers; empty if there are none.
Columns primer_details(const PrimerStudy& study, Language language = Language::en);

/// The numbers, one per row.
std::string primer_csv(const PrimerStudy& study);

/// Schema rope.rotate/1, with the field `topic`. `answer`: the study in one sentence.
std::string primer_json(const PrimerStudy& study, const std::string& answer);

}  // namespace rope
