#include "rope/claims/claim.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "rope/claims/fields.hpp"
#include "rope/error.hpp"
#include "rope/io/data_file.hpp"
#include "rope/io/json.hpp"

namespace rope::claims {

io::DataFiles claim_files(), own_files();  // made by cmake/DataFiles.cmake

namespace {

template <typename Value>
using Named = std::pair<std::string_view, Value>;

constexpr std::array<Named<Verdict>, 8> kVerdicts = {{{"holds", Verdict::holds},
                                                      {"condition", Verdict::condition},
                                                      {"wrong", Verdict::wrong},
                                                      {"misleading", Verdict::misleading},
                                                      {"ambiguous", Verdict::ambiguous},
                                                      {"documentary", Verdict::documentary},
                                                      {"tested", Verdict::tested},
                                                      {"defined", Verdict::defined}}};

constexpr std::array<Named<Role>, 8> kRoles = {{{"statement", Role::statement},
                                                {"corrected", Role::corrected},
                                                {"inside", Role::inside},
                                                {"outside", Role::outside},
                                                {"narrow", Role::narrow},
                                                {"plain", Role::plain},
                                                {"one", Role::one},
                                                {"other", Role::other}}};

template <typename Table, typename Value>
std::string_view name_in(const Table& table, Value value) {
  for (const auto& [word, listed] : table)
    if (listed == value) return word;
  return {};
}

template <typename Value, typename Table>
std::optional<Value> called_in(const Table& table, std::string_view word) {
  for (const auto& [listed, value] : table)
    if (listed == word) return value;
  return std::nullopt;
}

std::vector<Reading> read_readings(const Fields& fields, const io::Json& object) {
  std::vector<Reading> readings;
  for (const auto& [word, value] : object.items()) {
    const std::optional<Role> role = role_called(word);
    if (!role) fields.refuse("no reading is called '" + word + "'");
    Reading reading{*role, {}};
    if (value.is_array())
      for (const io::Json& clause : value)
        reading.clauses.push_back(read_clause(fields.inside(word, clause)));
    else
      reading.clauses.push_back(read_clause(fields.inside(word, value)));
    if (reading.clauses.empty()) fields.refuse("'" + word + "' is empty");
    readings.push_back(std::move(reading));
  }
  return readings;
}

std::vector<Place> read_places(Fields& fields) {
  const io::Json& object = fields.need("stands");
  Fields files = fields.inside("stands", object);
  std::vector<Place> places;
  for (const auto& [file, quotes] : object.items())
    places.push_back({file, files.list_if(file.c_str())});
  return places;
}

Claim read_claim(const io::Json& row, const std::string& file, bool own) {
  Claim claim;
  claim.id = Fields(row, file + ".json").words("id");
  Fields fields(row, claim.id);
  fields.need("id");
  if (own) {
    claim.stands = read_places(fields);
    claim.tests = fields.list_if("tests");
  } else {
    claim.line = fields.whole("line");
    claim.quote = fields.words("quote");
  }
  claim.says = fields.text("says");
  claim.about = fields.words("about");
  const std::string verdict = fields.words("verdict");
  if (!verdict_called(verdict)) fields.refuse("no verdict is called '" + verdict + "'");
  claim.verdict = *verdict_called(verdict);
  if (const io::Json* checks = fields.find("checks"))
    claim.readings = read_readings(fields.inside("checks", *checks), *checks);
  claim.reason = fields.text_if("reason");
  claim.right = fields.text_if("right");
  claim.source = fields.words_if("source");
  claim.show = fields.words_if("show");
  claim.look = fields.words_if("look");
  claim.picture = fields.words_if("picture");
  claim.same = fields.list_if("same");
  claim.against = fields.list_if("against");
  if (fields.find("demonstration") != nullptr)
    claim.demonstration = static_cast<int>(fields.whole("demonstration"));
  fields.all_taken();
  return claim;
}

/// The rows of a document, the last that is asked for of it.
std::vector<Claim> read_claims(Fields& fields, const std::string& file, bool own) {
  const io::Json& rows = fields.need("claims");
  if (!rows.is_array()) fields.refuse("'claims': expected a list");
  std::vector<Claim> claims;
  std::set<std::string> ids;
  for (const io::Json& row : rows) {
    claims.push_back(read_claim(row, file, own));
    if (!ids.insert(claims.back().id).second) fields.refuse(claims.back().id + " appears twice");
  }
  fields.all_taken();
  return claims;
}

}  // namespace

std::string_view name(Verdict verdict) { return name_in(kVerdicts, verdict); }
std::string_view name(Role role) { return name_in(kRoles, role); }

std::optional<Verdict> verdict_called(std::string_view word) {
  return called_in<Verdict>(kVerdicts, word);
}

std::optional<Role> role_called(std::string_view word) { return called_in<Role>(kRoles, word); }

Article read_article(std::string_view json, const std::string& file) {
  const io::Json document = io::parse_json(json, file + ".json", io::RepeatedKeys::refused);
  Fields fields(document, file + ".json");
  Article article;
  article.number = file;
  article.title = fields.words("title");
  article.author = fields.words_if("author");
  article.language = fields.words("language");
  article.about = fields.text("about");
  article.sha256 = fields.words("sha256");
  article.claims = read_claims(fields, file, false);
  return article;
}

Article read_own_subject(std::string_view json, const std::string& file) {
  const io::Json document = io::parse_json(json, file + ".json", io::RepeatedKeys::refused);
  Fields fields(document, file + ".json");
  Article subject;
  subject.number = file;
  subject.about = fields.text("about");
  subject.claims = read_claims(fields, file, true);
  return subject;
}

void check_names(const std::vector<Article>& articles) {
  std::set<std::string_view> ids;
  for (const Article& article : articles)
    for (const Claim& claim : article.claims) ids.insert(claim.id);
  for (const Article& article : articles)
    for (const Claim& claim : article.claims)
      for (const std::vector<std::string>* named : {&claim.same, &claim.against})
        for (const std::string& id : *named)
          if (!ids.contains(id))
            throw DomainError(claim.id + ": '" + id + "' is not a statement",
                              "Correct 'same' or 'against' in that row of data/claims.");
}

namespace {

std::vector<Article> read_all(io::DataFiles files,
                              Article (*read)(std::string_view, const std::string&)) {
  std::vector<Article> all;
  all.reserve(files.size());
  for (const io::DataFile& file : files) all.push_back(read(file.text, std::string(file.name)));
  check_names(all);
  return all;
}

}  // namespace

const std::vector<Article>& articles() {
  static const std::vector<Article> all = read_all(claim_files(), read_article);
  return all;
}

const std::vector<Article>& own_subjects() {
  static const std::vector<Article> all = read_all(own_files(), read_own_subject);
  return all;
}

const Claim& statement(const std::string& id) {
  for (const Article& article : articles()) {
    const auto found = std::ranges::find(article.claims, id, &Claim::id);
    if (found != article.claims.end()) return *found;
  }
  throw DomainError("no statement is called '" + id + "'");
}

}  // namespace rope::claims
