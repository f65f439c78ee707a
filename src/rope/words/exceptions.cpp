// What `rope diagnose` says of numbers that no rotation made: never written, not rotated, or passed
// through wrongly.

#include <fmt/format.h>

#include "rope/words/diagnosed.hpp"
#include "rope/words/sentence.hpp"

namespace rope::words {
namespace {

/// The rows of a batch if the tokens are all of theirs; else nothing.
std::vector<std::size_t> whole_rows(const std::vector<std::size_t>& tokens, std::size_t each) {
  std::vector<std::size_t> rows;
  if (each == 0 || tokens.size() % each != 0) return rows;
  for (std::size_t i = 0; i < tokens.size(); i += each) {
    if (tokens[i] % each != 0 || tokens[i + each - 1] != tokens[i] + each - 1) return {};
    rows.push_back(tokens[i] / each);
  }
  return rows;
}

std::string tokens_text(const Diagnosed& one, const std::vector<std::size_t>& tokens) {
  // The first of four axes counts the rows of a batch, whatever its vectors are read as.
  if (one.diagnosis.token_axis == 0 && one.shape.size() >= 4) return several("row", tokens);
  const std::vector<std::size_t> rows = whole_rows(tokens, one.row_tokens);
  return rows.empty() ? several("token", tokens) : several("row", rows);
}

std::string zero_text(const std::string& which) {
  return fmt::format(
      "in {}, y is zero where x is not, as if x were multiplied by 0: nothing was written there",
      which);
}

std::string tail_text(const ForeignTail& tail) {
  using Holds = ForeignTail::Holds;
  const char* holds = "but y does not equal x there";
  if (tail.holds == Holds::zero) holds = "but y is zero there";
  if (tail.holds == Holds::another_lane)
    holds = tail.lanes > 0 ? "but y holds the next head of x there"
                           : "but y holds the previous head of x there";
  return tail.first == tail.last
             ? fmt::format("dimension {} should pass through, {}", tail.first, holds)
             : fmt::format("dimensions {} to {} should pass through, {}", tail.first, tail.last,
                           holds);
}

}  // namespace

std::vector<Advice> exceptions(const Diagnosed& one) {
  const Unwritten& unwritten = one.diagnosis.unwritten;
  std::vector<Advice> all;
  const Remedy write("unwritten",
                     "rotate and write these too: look for a loop or a grid of threads that ends "
                     "before them");
  if (const auto& lanes = unwritten.zero_lanes; !lanes.empty())
    all.push_back({zero_text(lanes_text(one, lanes)), write});
  if (const auto& tokens = unwritten.zero_tokens; !tokens.empty())
    all.push_back({zero_text(tokens_text(one, tokens)), write});
  if (const auto& lanes = unwritten.same_lanes; !lanes.empty()) {
    const std::string which = lanes_text(one, lanes);
    const bool may_stand = !one.positions_given && which.starts_with("row");
    all.push_back(
        {may_stand ? fmt::format("in {}, y equals x: nothing was rotated there, or every token is "
                                 "at position 0, as padding is",
                                 which)
                   : fmt::format("{} {} not rotated: y equals x there", which,
                                 is_one(which) ? "is" : "are"),
         {"unrotated", is_one(which) && !may_stand
                           ? "rotate it too, unless the model means it to pass through"
                           : "rotate them too, unless the model means them to pass through"}});
  }
  if (const auto& tail = one.diagnosis.tail)
    all.push_back(
        {tail_text(*tail),
         {"foreign-tail", fmt::format("copy dimensions {} to {} from x to y, vector by vector",
                                      tail->first, tail->last)}});
  return all;
}

io::JsonValue exceptions_json(const Diagnosed& one) {
  const Unwritten& unwritten = one.diagnosis.unwritten;
  const std::optional<ForeignTail>& tail = one.diagnosis.tail;
  io::JsonValue json = {{"zero_vectors", unwritten.zero_lanes},
                        {"zero_tokens", unwritten.zero_tokens},
                        {"unrotated_vectors", unwritten.same_lanes}};
  json.add("foreign_tail", tail ? io::JsonValue{{"first", tail->first},
                                                {"last", tail->last},
                                                {"holds", name(tail->holds)}}
                                : io::JsonValue(nullptr));
  json.add("said", io::json_list(exceptions(one), [](const Advice& advice) {
             return io::JsonValue{{"finding", advice.finding},
                                  {"remedy", advice.remedy.text},
                                  {"remedy_id", advice.remedy.name.text()}};
           }));
  return json;
}

}  // namespace rope::words
