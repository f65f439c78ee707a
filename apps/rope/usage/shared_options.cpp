#include "usage/shared_options.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "rope/parameters/suggest.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kTopics = {
    {{"rotary", "Rotary embedding"}, {"output", "Output"}, {"general", "General"}}};

struct Declaration {
  std::string_view command;
  Option option;
};

bool same_text(const Option& a, const Option& b) {
  return a.help == b.help && a.standard == b.standard;
}

/// What most of them say; of equally many, the first.
const Option& most_common(const std::vector<Declaration>& declarations) {
  const auto agreeing = [&](const Declaration& one) {
    return std::ranges::count_if(declarations, [&](const Declaration& other) {
      return same_text(one.option, other.option);
    });
  };
  return std::ranges::max_element(declarations, {}, agreeing)->option;
}

SharedOption shared(const std::vector<Declaration>& declarations) {
  SharedOption result{most_common(declarations), {}, {}, {}};
  result.option.fill = nullptr;
  for (const Declaration& declaration : declarations) {
    const bool many = declaration.option.times == Times::many;
    (many ? result.often : result.once).push_back(declaration.command);
    if (!same_text(result.option, declaration.option)) result.own.push_back(declaration.command);
  }
  return result;
}

/// The declarations of every option under the heading, in the order in which they are met.
std::vector<std::vector<Declaration>> declarations_under(std::string_view heading,
                                                         std::span<const Command* const> commands) {
  std::vector<std::vector<Declaration>> found;
  for (const Command* command : commands) {
    const std::unique_ptr<Invocation> invocation = command->invocation();
    const OptionSet options = options_of(*invocation);
    for (const Option& option : options.options()) {
      if (option.group != heading) continue;
      const auto known = std::ranges::find_if(
          found, [&](const auto& others) { return others.front().option.name == option.name; });
      if (known == found.end())
        found.push_back({{command->name, option}});
      else
        known->push_back({command->name, option});
    }
  }
  return found;
}

}  // namespace

std::string SharedOption::whole_help() const {
  Option told = option;
  told.times = often.empty() ? Times::once : Times::many;
  std::string text = told.whole_help();
  if (!once.empty() && !often.empty())
    text.insert(text.size() - 1,
                " in " + listed({often.begin(), often.end()}));  // before the last parenthesis
  if (own.empty()) return text;
  return text + "; " + listed({own.begin(), own.end()}) +
         (own.size() == 1 ? " differs" : " differ") + ": see COMMAND --help";
}

const SharedOption* Topic::shared(const Option& declared) const {
  const auto found = std::ranges::find_if(options, [&](const SharedOption& shared) {
    return declared.group == heading && declared.name == shared.option.name &&
           same_text(declared, shared.option);
  });
  return found == options.end() ? nullptr : &*found;
}

bool has_topic(std::string_view heading) {
  return std::ranges::any_of(kTopics, [&](const auto& topic) { return topic.second == heading; });
}

std::vector<Topic> shared_options(std::span<const Command* const> commands) {
  std::vector<Topic> topics;
  topics.reserve(kTopics.size());
  for (const auto& [word, heading] : kTopics) {
    Topic& topic = topics.emplace_back(Topic{word, heading, {}});
    for (const auto& declarations : declarations_under(heading, commands))
      topic.options.push_back(shared(declarations));
  }
  return topics;
}

std::vector<OptionParameter> parameters_of(std::span<const Command* const> commands) {
  std::vector<OptionParameter> all;
  for (const Command* command : commands) {
    const std::unique_ptr<Invocation> invocation = command->invocation();
    const OptionSet options = options_of(*invocation);
    for (const OptionParameter& parameter : options.parameters())
      if (std::ranges::find(all, parameter.form, &OptionParameter::form) == all.end())
        all.push_back(parameter);
  }
  return all;
}

}  // namespace rope::app
