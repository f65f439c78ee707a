#pragma once

#include <span>
#include <string_view>

namespace rope::app {

/// A term of the program's output.
struct Term {
  std::string_view name;         ///< as reports write it
  std::string_view aliases;      ///< what else it is called, with semicolons between
  std::string_view few_words;    ///< for a list
  std::string_view formula;      ///< may be empty
  std::string_view explanation;  ///< two sentences
  std::string_view related;      ///< names of other terms, likewise
  std::string_view command;      ///< to type, which shows it
};

/// All terms, those that belong together side by side.
std::span<const Term> terms();

}  // namespace rope::app
