#include "usage/general_options.hpp"

#include <array>
#include <string>

#include "rope/io/quote.hpp"

namespace rope::app {
namespace {

constexpr std::array<Choice<ColourChoice>, 3> kWhenToColour = {{{"auto", ColourChoice::automatic},
                                                                {"always", ColourChoice::always},
                                                                {"never", ColourChoice::never}}};
constexpr std::array<std::string_view, 4> kLevels = {"auto", "baseline", "v3", "v4"};

CpuLevel read_level(const std::string& wanted) {
  const CpuLevel best = best_cpu_level();
  if (wanted == "auto") return best;
  for (const CpuLevel level : {CpuLevel::baseline, CpuLevel::v3, CpuLevel::v4}) {
    if (wanted != name(level)) continue;
    if (level > best)
      refuse("--cpu-level",
             "a level that this machine supports, at most " + std::string(name(best)),
             io::in_quotes(wanted), "Leave the option out: the answer is the same at every level.");
    return level;
  }
  refuse_choice("--cpu-level", kLevels, wanted);
}

}  // namespace

void GeneralOptions::declare(OptionSet& options) {
  options.group("General");
  options.flag("-q, --quiet", "print only the answer; warnings and errors are still shown", quiet);
  options.choice("--color WHEN", "colour on standard output; NO_COLOR is honoured", colour,
                 kWhenToColour);
  options.bound("--cpu-level LEVEL",
                alternatives(kLevels) + ": the SIMD code to use; it does not change the answer",
                cpu_level, read_level, "auto");
  options.flag("-h, --help", "-h shows the common options; --help shows all", help);
}

}  // namespace rope::app
