#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/claims/clause.hpp"

namespace rope::claims {

/// The verdict on a statement. It follows from the readings of the statement: see Role.
enum class Verdict {
  holds,        ///< the statement is true
  condition,    ///< true inside its condition, false outside
  wrong,        ///< the statement is false, and the corrected one true
  misleading,   ///< true if read narrowly, false as it is usually read
  ambiguous,    ///< two readings have different numbers
  documentary,  ///< no number can settle it; it has a reason and a source
  tested,       ///< a statement of what the program does, which tests check
  defined,      ///< a convention, question or instruction, with a reason why it cannot be false
};

/// "holds", "condition", "wrong", "misleading", "ambiguous", "documentary", "tested", "defined".
std::string_view name(Verdict verdict);
std::optional<Verdict> verdict_called(std::string_view word);

/// The part that a reading plays in the verdict on its statement.
enum class Role { statement, corrected, inside, outside, narrow, plain, one, other };

std::string_view name(Role role);
std::optional<Role> role_called(std::string_view word);

/// One reading of a statement: true if all of its clauses are.
struct Reading {
  Role role = Role::statement;
  std::vector<Clause> clauses;
};

/// Where one of our own statements occurs.
struct Place {
  std::string file;                 ///< "docs/theory.md"
  std::vector<std::string> quotes;  ///< word for word; " … " marks an omission
};

/// One statement of an article, or of our own pages.
struct Claim {
  std::string id;  ///< "S0-35"
  std::size_t line = 0;
  std::string quote;          ///< word for word, with the line breaks of the article
  std::vector<Place> stands;  ///< for our own statements, instead of `line` and `quote`
  Text says;
  std::string about;  ///< the subject in one word: "frequencies"
  Verdict verdict = Verdict::holds;
  std::vector<Reading> readings;
  Text reason;  ///< for a statement that no number or test can settle
  /// Tests of the statement, in addition to its readings: "Suite.Name".
  std::vector<std::string> tests;
  Text right;  ///< what is right instead; empty if the statement holds
  std::string source;
  std::string show;                        ///< a command whose output shows it
  std::string look;                        ///< what to look for in that output
  std::string picture;                     ///< a command that draws it, without -o; may be empty
  std::vector<std::string> same, against;  ///< ids of statements that say the same, or the opposite
  int demonstration = 0;                   ///< the number of a classroom demonstration; 0 for none
};

/// One of the articles that the statements come from.
struct Article {
  std::string number;  ///< "000"
  std::string title;
  std::string author;  ///< empty where unknown
  std::string language;
  Text about;  ///< one sentence
  std::string sha256;
  std::vector<Claim> claims;
};

/// Every article with its statements, as compiled into the program.
const std::vector<Article>& articles();

/// The statements of our own pages, lesson and glossary: one file of data/claims/own per subject;
/// `number` is the name of the file. None of these statements has the verdict wrong, misleading or
/// ambiguous.
const std::vector<Article>& own_subjects();

/// The article statement with that id.
///
/// Throws    DomainError if there is none.
const Claim& statement(const std::string& id);

/// Reads one article, or one subject of our own.
///
/// Throws    rope::Error that names the file, the row and the field, for anything that is not such
///           a document.
Article read_article(std::string_view json, const std::string& file);
Article read_own_subject(std::string_view json, const std::string& file);

/// Throws    DomainError if a claim lists an id under `same` or `against` that does not exist.
void check_names(const std::vector<Article>& articles);

}  // namespace rope::claims
