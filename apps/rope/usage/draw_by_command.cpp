#include "usage/draw_by_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "usage/find_command.hpp"
#include "usage/origin.hpp"
#include "usage/parse.hpp"

namespace rope::app {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin < line.size()) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    if (end > begin) words.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace

PictureFiles take_pictures(OutputPlan& plan) {
  PictureFiles pictures;
  pictures.told = plan.report();
  plan.taken = !pictures.told;
  const auto drawn =
      std::stable_partition(plan.files.begin(), plan.files.end(),
                            [](const OutputFile& file) { return !is_picture(file.format); });
  pictures.files.assign(drawn, plan.files.end());
  plan.files.erase(drawn, plan.files.end());
  const PictureOptions& looks = plan.picture;
  if (looks.size)
    pictures.looks = {"--size", fmt::format("{}x{}{}", looks.size->width, looks.size->height,
                                            looks.size->inches ? "in" : "")};
  if (looks.style == plot::Style::dark)
    pictures.looks.insert(pictures.looks.end(), {"--style", "dark"});
  if (looks.language == plot::Language::zh)
    pictures.looks.insert(pictures.looks.end(), {"--lang", "zh"});
  // In one word with its option, a value may look like another option.
  if (looks.title && !looks.title->empty()) pictures.looks.push_back("--title=" + *looks.title);
  pictures.shown = std::exchange(plan.show, false);
  return pictures;
}

void draw_by_command(const std::string& line, const PictureFiles& files, const Drawer& drawer,
                     const Console& console) {
  if (files.empty()) return;
  std::vector<std::string> words = words_of(line);  // rope COMMAND …
  words.erase(words.begin());
  const Command& command = find_command(words.front(), drawer.commands);
  words.erase(words.begin());
  for (const OutputFile& file : files.files) {
    words.push_back("--output=" + file.path);
    if (!file.named_by_ending)
      words.insert(words.end(), {"--format", std::string(name_of(file.format))});
  }
  words.insert(words.end(), files.looks.begin(), files.looks.end());
  if (files.shown) words.emplace_back("--show");
  const std::unique_ptr<Invocation> invocation = command.invocation();
  invocation->commands = drawer.commands;
  OptionSet options = options_of(*invocation);
  parse(options, words);
  const std::string name = "rope " + std::string(command.name);
  Console silent = console.without_report(name, origin_of(name, options), files.told);
  invocation->run(silent);
}

}  // namespace rope::app
