#include "rope/claims/ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>

#include "rope/error.hpp"
#include "rope/io/file.hpp"
#include "rope/io/quote.hpp"

namespace rope::claims {
namespace {

using ArticleLines = std::vector<std::string>;

constexpr std::size_t kLargestArticle = std::size_t{1} << 24;  // bytes

ArticleLines lines_of(const std::string& text) {
  ArticleLines lines;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// The file of the folder whose name begins with the article's number.
std::string file_of(const std::string& folder, const std::string& number) {
  std::error_code error;
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().filename().string().starts_with(number))
      found.push_back(entry.path().string());
  if (error) throw SystemError("cannot read the folder " + io::in_quotes(folder), error.message());
  if (found.empty())
    throw Error(ErrorKind::invalid_input,
                "no file in " + io::in_quotes(folder) + " begins with " + number,
                "--seeds expects the folder with the articles 000 to 004.");
  return std::ranges::min(found);
}

bool stands_there(const ArticleLines& article, const Claim& claim) {
  const ArticleLines quoted = lines_of(claim.quote);
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    const std::size_t line = claim.line - 1 + i;
    if (line >= article.size() || article[line].find(quoted[i]) == std::string::npos) return false;
  }
  return true;
}

}  // namespace

PlantedResult check_planted(std::span<const Article> articles) {
  PlantedResult result;
  for (const PlantedRow& row : planted_rows(articles)) {
    ++result.planted;
    if (check_claim(row.claim).follows())
      result.accepted.push_back(row.claim.id + ": " + row.mistake);
  }
  return result;
}

std::vector<const CheckedClaim*> Ledger::refused() const {
  std::vector<const CheckedClaim*> all;
  for (const CheckedClaim& one : checked)
    if (!one.result.follows()) all.push_back(&one);
  return all;
}

QuoteCheck check_quotes(const std::string& folder, std::span<const CheckedClaim> checked) {
  QuoteCheck check{folder, {}};
  std::map<std::string, ArticleLines> articles;
  for (const CheckedClaim& one : checked) {
    const std::string& number = one.article->number;
    if (!articles.contains(number))
      articles[number] = lines_of(io::read_file(file_of(folder, number), kLargestArticle));
    if (!stands_there(articles[number], *one.claim))
      check.wrong.push_back(fmt::format("{}: line {} does not contain «{}»", one.claim->id,
                                        one.claim->line, one.claim->quote));
  }
  return check;
}

}  // namespace rope::claims
