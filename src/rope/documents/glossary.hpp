#pragma once

#include <span>
#include <string>

#include "rope/glossary/term.hpp"

namespace rope {

/// Schema rope.glossary/2; docs/commands.md lists its fields.
std::string term_json(std::span<const glossary::Term> terms);

}  // namespace rope
