#pragma once

#include <string>

#include "rope/documents/columns.hpp"
#include "rope/studies/primer.hpp"

namespace rope {

/// "ok" or "FAIL"; "holds" or "wrong" of a mistake that is shown.
std::string verdict_text(const PrimerNumber& number);

/// What of a topic is more than its numbers; empty where they are all.
Columns primer_details(const PrimerStudy& study, Language language = Language::en);

/// The numbers, a row each.
std::string primer_csv(const PrimerStudy& study);

/// Schema rope.rotate/1, with the field `topic`. `answer`: the study in a sentence.
std::string primer_json(const PrimerStudy& study, const std::string& answer);

}  // namespace rope
