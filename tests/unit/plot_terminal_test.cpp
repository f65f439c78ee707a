#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "rope/error.hpp"
#include "rope/plot/canvas.hpp"
#include "rope/plot/terminal.hpp"

namespace rope::plot {
namespace {

constexpr TerminalAbility kAscii = {};
constexpr TerminalAbility kUnicode = {false, true, ColourDepth::none};
constexpr TerminalAbility kColour = {false, true, ColourDepth::truecolor};

Figure rising() {
  Series series;
  series.x = {0, 10};
  series.y = {0, 10};
  series.label = Text::plain("rising");
  Panel panel;
  panel.series = {series};
  panel.x.label = Text::markup("θ_i");
  Figure figure;
  figure.title = Text::plain("Straight");
  figure.panels = {panel};
  figure.panels[0].y.min = 0;
  figure.panels[0].y.max = 10;
  return figure;
}

TEST(Terminal, DrawsALineInBraille) {
  EXPECT_EQ(draw_in_terminal(rising(), 24, 10, kUnicode),
            "Straight\n"
            "━━ rising\n"
            "10┤                 ⣀⠤⠒⠉\n"
            "  │            ⢀⡠⠔⠒⠉\n"
            " 5┤        ⢀⡠⠴⠊⠁\n"
            "  │    ⣀⠤⠔⠊⠁\n"
            " 0┤⣀⠤⠒⠉\n"
            "  └┴─────────┴─────────┴\n"
            "   0         5        10\n"
            "            θᵢ\n");
}

TEST(Terminal, DrawsALineInAscii) {
  const std::string screen = draw_in_terminal(rising(), 24, 10, kAscii);
  for (const char c : screen) EXPECT_LT(static_cast<unsigned char>(c), 0x80U);
  EXPECT_NE(screen.find("theta_i"), std::string::npos);
  EXPECT_NE(screen.find("*  rising"), std::string::npos);
}

TEST(Terminal, GivesEachCurveItsOwnMarkWithoutColour) {
  Figure figure = rising();
  figure.panels[0].series.push_back(figure.panels[0].series[0]);
  figure.panels[0].series[1].y = {10, 0};
  const std::string screen = draw_in_terminal(figure, 40, 12, kUnicode);
  EXPECT_NE(screen.find('*'), std::string::npos);
  EXPECT_NE(screen.find('+'), std::string::npos);
  EXPECT_EQ(screen.find('\x1B'), std::string::npos);
}

TEST(Terminal, ShowsReferenceLinesAndRegions) {
  Figure figure = rising();
  figure.panels[0].lines = {{Direction::horizontal, 5, Text::plain("half")}};
  figure.panels[0].regions = {{Direction::horizontal, 8, 10, Text::plain("above")}};
  const std::string screen = draw_in_terminal(figure, 60, 20, kUnicode);
  EXPECT_NE(screen.find("╌╌╌"), std::string::npos);
  EXPECT_NE(screen.find("half"), std::string::npos);
  EXPECT_NE(screen.find("above"), std::string::npos);
}

TEST(Terminal, ShadesAHeatMapInCharacters) {
  HeatMap map;
  map.rows = map.columns = 2;
  map.values = {1, -1, 0, 0.34};
  Figure figure;
  figure.panels.resize(1);
  figure.panels[0].heat_map = map;
  EXPECT_EQ(draw_in_terminal(figure, 20, 8, kAscii),
            "XXXXXXNNNNNN\nXXXXXXNNNNNN\nXXXXXXNNNNNN\n      ++++++\n      ++++++\n      ++++++\n"
            "-1 Nn- +xX 1\n");
}

TEST(Terminal, ColoursTheCellsOfAHeatMap) {
  HeatMap map;
  map.rows = 2;
  map.columns = 1;
  map.values = {1, -1};
  Figure figure;
  figure.panels.resize(1);
  figure.panels[0].heat_map = map;
  const std::string screen = draw_in_terminal(figure, 20, 8, kColour);
  EXPECT_NE(screen.find("38;2;103;0;31;48;2;5;48;97m▀"), std::string::npos) << screen;
  EXPECT_NE(screen.find("\x1B[0m\n"), std::string::npos) << "colours end with their line";
}

TEST(Terminal, KeepsTheHueOfARampIn256Colours) {
  HeatMap map;
  map.rows = 1;
  map.columns = 11;
  for (int i = -5; i <= 5; ++i) map.values.push_back(i);
  Figure figure;
  figure.panels.resize(1);
  figure.panels[0].heat_map = map;
  const std::string screen =
      draw_in_terminal(figure, 40, 8, {false, true, ColourDepth::indexed256});
  for (const char* const code : {"5;17", "5;25", "5;32", "5;74", "5;153", "5;255", "5;223", "5;216",
                                 "5;167", "5;124", "5;52"})
    EXPECT_NE(screen.find(code), std::string::npos) << code << "\n" << screen;
  EXPECT_EQ(screen.find("5;23m"), std::string::npos) << "dark green is no blue";
}

TEST(Terminal, WritesOneKeyForMapsThatShareTheirColours) {
  HeatMap map;
  map.rows = map.columns = 2;
  map.values = {1, -1, 0, 0.34};
  map.bar_label = Text::plain("added to the score of two tokens");
  Figure figure;
  figure.panels.resize(2);
  figure.columns = 2;
  for (Panel& panel : figure.panels) panel.heat_map = map;
  const std::string screen = draw_in_terminal(figure, 60, 10, kAscii);
  const std::size_t key = screen.find("-1 Nn- +xX 1  added to the score of two tokens\n");
  ASSERT_NE(key, std::string::npos) << screen;
  EXPECT_EQ(screen.find("-1 Nn-", key + 1), std::string::npos);
  for (Panel& panel : figure.panels) {
    panel.heat_map->values = {1, 0, 0, 1};
    panel.heat_map->classes = {Text::plain("seen"), Text::plain("new")};
  }
  const std::string classes = draw_in_terminal(figure, 60, 10, kAscii);
  EXPECT_NE(classes.find(".. seen  @@ new\n"), std::string::npos) << classes;
}

TEST(Terminal, HasABoldTitle) {
  const std::string screen = draw_in_terminal(rising(), 24, 10, kColour);
  EXPECT_TRUE(screen.starts_with("\x1B[0;1mStraight")) << screen;
  EXPECT_EQ(screen.find("1m", 10), std::string::npos) << "the title alone";
}

TEST(Terminal, KeepsAThinDiagonalOfALargeMatrix) {
  HeatMap map;
  map.rows = map.columns = 1024;
  map.values.assign(1024 * 1024, 0);
  for (std::size_t i = 0; i < 1024; ++i) map.values[i * 1024 + i] = 1;
  Figure figure;
  figure.panels.resize(1);
  figure.panels[0].heat_map = map;
  const std::string screen = draw_in_terminal(figure, 60, 24, kAscii);
  std::size_t start = 0;
  for (int row = 0; row < 23; ++row) {
    const std::size_t end = screen.find('\n', start);
    EXPECT_NE(screen.substr(start, end - start).find('X'), std::string::npos) << row;
    start = end + 1;
  }
}

TEST(Terminal, DrawsALineACurveAndATickOfOneValueInOneRow) {
  for (int rows = 8; rows < 40; ++rows) {
    for (const double value : {0.5, 1.0, 3.3, 5.0, 7.7, 9.0, 9.6}) {
      Figure figure = rising();
      Panel& panel = figure.panels[0];
      panel.series[0].y = {value, value};
      panel.series[0].label = {};
      const std::string curve = draw_in_terminal(figure, 40, rows, kUnicode);
      panel.lines = {{Direction::horizontal, value, {}}};
      panel.series[0].x = {};
      panel.series[0].y = {};
      const std::string line = draw_in_terminal(figure, 40, rows, kUnicode);
      const auto row_with = [](const std::string& screen, const char* sign) {
        return std::count(screen.begin(),
                          screen.begin() + static_cast<std::ptrdiff_t>(screen.find(sign)), '\n');
      };
      const std::string below_axis = curve.substr(0, curve.find("└"));
      std::ptrdiff_t dots = -1;  // the row that holds braille
      std::ptrdiff_t row = 0;
      for (std::size_t i = 0; i + 1 < below_axis.size(); ++i) {
        if (below_axis[i] == '\n') ++row;
        if (below_axis[i] == '\xE2' && (below_axis[i + 1] & 0xFC) == 0xA0) dots = row;
      }
      EXPECT_EQ(dots, row_with(line, "╌")) << value << " in " << rows << " rows\n" << curve;
    }
  }
}

TEST(Terminal, AsksForEnoughRowsToTellCurvesApart) {
  Figure figure = rising();
  figure.panels[0].y.min = -1.2;
  figure.panels[0].y.max = 1.2;
  figure.panels[0].series[0].y = {1.0 / 3, 1.0 / 3};
  figure.panels[0].series.push_back(figure.panels[0].series[0]);
  figure.panels[0].series[1].y = {0.48, 0.48};
  figure.panels[0].lines = {{Direction::horizontal, 0, {}}};
  figure.panels.push_back(figure.panels[0]);
  const int rows = readable_rows(figure, 80);
  EXPECT_GT(rows, 24);
  const std::string screen = draw_in_terminal(figure, 80, rows, kUnicode);
  std::size_t start = 0;
  int lines = 0;  // that hold the reference line alone, whole
  for (std::size_t end = screen.find('\n'); end != std::string::npos;
       start = end + 1, end = screen.find('\n', start)) {
    const std::string line = screen.substr(start, end - start);
    if (line.find("╌") == std::string::npos) continue;
    ++lines;
    EXPECT_EQ(line.find_first_of("*+"), std::string::npos) << screen;
  }
  EXPECT_EQ(lines, 2);
}

TEST(Terminal, BreaksALongHeadingAtItsBlanks) {
  Figure figure = rising();
  figure.title = Text::plain("a pair");
  figure.subtitle = Text::plain("that never turns has λ = ∞");
  const std::string unicode = draw_in_terminal(figure, 20, 16, kUnicode);
  EXPECT_TRUE(unicode.starts_with("a pair\nthat never turns has\nλ = ∞\n")) << unicode;
  const std::string ascii = draw_in_terminal(figure, 20, 16, kAscii);
  EXPECT_TRUE(ascii.starts_with("a pair\nthat never turns has\nlambda = inf\n")) << ascii;
  EXPECT_EQ(readable_rows(figure, 20), readable_rows(figure, 40) + 1);
}

TEST(Terminal, StaysWithinItsSize) {
  Figure figure = rising();
  figure.title = Text::plain(std::string(300, 'T'));
  figure.panels.assign(9, figure.panels[0]);
  for (const auto& [columns, rows] : {std::pair{20, 8}, {33, 17}, {200, 60}}) {
    const std::string screen = draw_in_terminal(figure, columns, rows, kAscii);
    int lines = 0;
    std::size_t start = 0;
    for (std::size_t end = screen.find('\n'); end != std::string::npos;
         start = end + 1, end = screen.find('\n', start)) {
      EXPECT_LE(end - start, static_cast<std::size_t>(columns));
      ++lines;
    }
    EXPECT_LE(lines, rows);
  }
}

TEST(Terminal, RefusesAScreenThatIsTooSmall) {
  EXPECT_THROW(draw_in_terminal(rising(), 19, 24, kAscii), ShapeError);
  EXPECT_THROW(draw_in_terminal(Figure{}, 80, 24, kAscii), ShapeError);
}

TEST(Terminal, DrawsASixelPicture) {
  TerminalAbility ability = kColour;
  ability.sixel = true;
  const std::string picture = draw_in_terminal(rising(), 40, 16, ability);
  EXPECT_EQ(picture.substr(0, 2), "\x1BP");
  EXPECT_EQ(picture.substr(picture.size() - 3), "\x1B\\\n");
}

TEST(Terminal, DrawsCharactersWhereGnuplotIsMissing) {
  TerminalAbility ability = kAscii;
  ability.sixel = true;
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  const std::string screen = draw_in_terminal(rising(), 24, 10, ability);
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(screen, draw_in_terminal(rising(), 24, 10, kAscii));
}

TEST(Canvas, SpellsMathematicsInAscii) {
  EXPECT_EQ(spelled_in_ascii("b⁻²ⁱᐟᵈ − λᵢ ≤ R₅ 漢"), "b^-2i/d - lambda_i <= R_5 ?");
  EXPECT_EQ(spelled_in_ascii("λ = ∞"), "lambda = inf");
}

/// A terminal that answers a question with a fixed text.
class AnsweringTerminal {
 public:
  explicit AnsweringTerminal(std::string answer) : master_(posix_openpt(O_RDWR | O_NOCTTY)) {
    grantpt(master_);
    unlockpt(master_);
    std::array<char, 128> name = {};
    ptsname_r(master_, name.data(), name.size());
    slave_ = open(name.data(), O_RDWR | O_NOCTTY);
    tcgetattr(slave_, &before_);
    thread_ = std::thread([this, answer = std::move(answer)] {
      std::array<char, 16> question = {};
      asked_ = read(master_, question.data(), question.size()) > 0;
      if (asked_ && !answer.empty()) {
        answered_ = write(master_, answer.data(), answer.size()) > 0;
      }
    });
  }
  ~AnsweringTerminal() { close(master_); }
  AnsweringTerminal(const AnsweringTerminal&) = delete;
  AnsweringTerminal& operator=(const AnsweringTerminal&) = delete;

  int descriptor() const { return slave_; }

  /// What somebody at the terminal types.
  void type(std::string_view line) const {
    EXPECT_EQ(write(master_, line.data(), line.size()), static_cast<ssize_t>(line.size()));
    pollfd arrived = {slave_, POLLIN, 0};
    EXPECT_EQ(poll(&arrived, 1, 10000), 1);
  }

  /// Ends the terminal; whether its settings are what they were.
  bool restored() {
    termios now = {};
    tcgetattr(slave_, &now);
    close(slave_);  // the thread's read ends
    thread_.join();
    return now.c_lflag == before_.c_lflag;
  }
  bool asked() const { return asked_; }

 private:
  int master_;
  int slave_ = -1;
  termios before_ = {};
  bool asked_ = false;
  bool answered_ = false;
  std::thread thread_;
};

void set_terminal(const char* term, const char* locale) {
  setenv("TERM", term, 1);
  setenv("LC_ALL", locale, 1);
  setenv("COLORTERM", "truecolor", 1);
  unsetenv("NO_COLOR");
}

TEST(TerminalAbility, IsNothingWhereThereIsNoTerminal) {
  set_terminal("xterm-256color", "C.UTF-8");
  const int file = open("/dev/null", O_RDWR);
  const TerminalAbility ability = detect_terminal(file);
  close(file);
  EXPECT_FALSE(ability.sixel);
  EXPECT_FALSE(ability.unicode);
  EXPECT_EQ(ability.colour, ColourDepth::none);
}

TEST(TerminalAbility, KnowsSixelFromTheAnswer) {
  set_terminal("xterm-256color", "C.UTF-8");
  AnsweringTerminal terminal("\x1B[?62;4;22c");
  const TerminalAbility ability = detect_terminal(terminal.descriptor());
  EXPECT_TRUE(terminal.restored());
  EXPECT_TRUE(terminal.asked());
  EXPECT_TRUE(ability.sixel);
  EXPECT_TRUE(ability.unicode);
  EXPECT_EQ(ability.colour, ColourDepth::truecolor);
}

TEST(TerminalAbility, TakesFourteenForNoSixel) {
  set_terminal("xterm-256color", "C");
  AnsweringTerminal terminal("\x1B[?62;14c");
  const TerminalAbility ability = detect_terminal(terminal.descriptor());
  EXPECT_TRUE(terminal.restored());
  EXPECT_FALSE(ability.sixel);
  EXPECT_FALSE(ability.unicode);
}

TEST(TerminalAbility, DoesNotWaitForATerminalThatIsSilent) {
  set_terminal("xterm-256color", "C.UTF-8");
  setenv("NO_COLOR", "1", 1);
  AnsweringTerminal terminal("");
  const auto start = std::chrono::steady_clock::now();
  const TerminalAbility ability = detect_terminal(terminal.descriptor());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  EXPECT_TRUE(terminal.restored());
  EXPECT_FALSE(ability.sixel);
  EXPECT_EQ(ability.colour, ColourDepth::none);
  unsetenv("NO_COLOR");
}

TEST(TerminalAbility, LeavesWhatWasTypedAheadToTheNextReader) {
  set_terminal("xterm-256color", "C.UTF-8");
  AnsweringTerminal terminal("");
  terminal.type("ls\n");
  EXPECT_FALSE(detect_terminal(terminal.descriptor()).sixel);
  std::array<char, 16> typed = {};
  pollfd still_there = {terminal.descriptor(), POLLIN, 0};
  EXPECT_EQ(poll(&still_there, 1, 0), 1);
  if (still_there.revents != 0) {
    EXPECT_EQ(read(terminal.descriptor(), typed.data(), typed.size()), 3);
  }
  EXPECT_EQ(std::string(typed.data()), "ls\n");
  EXPECT_TRUE(terminal.restored());
}

TEST(TerminalAbility, ASignalWaitsUntilTheTerminalIsAsItWas) {
  set_terminal("xterm-256color", "C.UTF-8");
  static int descriptor = -1;
  static tcflag_t modes_seen = 0;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP}) {
    AnsweringTerminal terminal("");
    descriptor = terminal.descriptor();
    termios before = {};
    tcgetattr(descriptor, &before);
    modes_seen = 0;
    const auto old = std::signal(signal, [](int) {
      termios now = {};
      tcgetattr(descriptor, &now);
      modes_seen = now.c_lflag;
    });
    const pthread_t asking = pthread_self();
    std::thread sender([asking, signal] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      pthread_kill(asking, signal);
    });
    detect_terminal(descriptor);
    sender.join();
    std::signal(signal, old);
    EXPECT_EQ(modes_seen, before.c_lflag) << signal;
    EXPECT_TRUE(terminal.restored());
  }
}

TEST(TerminalAbility, AsksADumbTerminalNothing) {
  set_terminal("dumb", "C.UTF-8");
  AnsweringTerminal terminal("\x1B[?62;4c");
  const TerminalAbility ability = detect_terminal(terminal.descriptor());
  EXPECT_TRUE(terminal.restored());
  EXPECT_FALSE(terminal.asked());
  EXPECT_FALSE(ability.sixel);
}

}  // namespace
}  // namespace rope::plot
