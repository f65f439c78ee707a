#include "usage/general_options.hpp"

#include <array>
#include <string>

#include "rope/io/quote.hpp"
#include "usage/numbers.hpp"

namespace rope::app {
namespace {

constexpr std::array<std::string_view, 3> kWhenToColour = {"auto", "always", "never"};
constexpr std::array<std::string_view, 4> kLevels = {"auto", "baseline", "v3", "v4"};

}  // namespace

void declare_general_options(OptionSet& options) {
  options.group("General");
  options.add_flag("--quiet", "no warnings and no progress bar; errors are still told");
  options.add("--color", "WHEN",
              "auto, always or never: colour on standard output (default: auto; NO_COLOR is "
              "honoured)");
  options.add("--cpu-level", "LEVEL",
              "auto, baseline, v3 or v4: the vector code that computes (default: auto; the answer "
              "is the same)");
  options.add_flag("--help", "this text");
  options.short_name("-h");
}

Console make_console(std::string_view command, const Arguments& arguments) {
  const std::string when = arguments.value("--color").value_or("auto");
  ColourChoice choice = ColourChoice::automatic;
  if (when == "always") {
    choice = ColourChoice::always;
  } else if (when == "never") {
    choice = ColourChoice::never;
  } else if (when != "auto") {
    refuse_choice("--color", kWhenToColour, when);
  }
  return {"rope " + std::string(command), choice, arguments.given("--quiet")};
}

CpuLevel cpu_level(const Arguments& arguments) {
  const std::string wanted = arguments.value("--cpu-level").value_or("auto");
  const CpuLevel best = best_cpu_level();
  if (wanted == "auto") return best;
  for (const CpuLevel level : {CpuLevel::baseline, CpuLevel::v3, CpuLevel::v4}) {
    if (wanted != name(level)) continue;
    if (level > best)
      refuse("--cpu-level", "a level of this machine, at most " + std::string(name(best)),
             io::in_quotes(wanted), "Leave the option out: the answer is the same at every level.");
    return level;
  }
  refuse_choice("--cpu-level", kLevels, wanted);
}

}  // namespace rope::app
