#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

#include "rope/error.hpp"
#include "rope/plot/gnuplot.hpp"
#include "rope/plot/layout.hpp"
#include "rope/plot/png_mark.hpp"
#include "rope/plot/process.hpp"
#include "rope/plot/script.hpp"
#include "support/outcome.hpp"

namespace rope::plot {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Figure curve(std::vector<double> x, std::vector<double> y) {
  Series series;
  series.x = std::move(x);
  series.y = std::move(y);
  series.label = Text::plain("the curve");
  Panel panel;
  panel.series = {series};
  panel.x.label = Text::plain("distance");
  panel.y.label = Text::markup("λ_i");
  Figure figure;
  figure.title = Text::plain("A title");
  figure.panels = {panel};
  return figure;
}

/// Sets an environment variable until the end of a scope.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    const char* const old = std::getenv(name);
    if (old != nullptr) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (old_) {
      setenv(name_, old_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

/// A folder with a program of our own named gnuplot.
class FakeGnuplot {
 public:
  explicit FakeGnuplot(const std::string& script) {
    std::string name = std::filesystem::temp_directory_path() / "rope-plot-XXXXXX";
    folder_ = mkdtemp(name.data());
    if (script.empty()) return;
    std::ofstream(folder_ / "gnuplot") << "#!/bin/sh\n" << script << "\n";
    chmod((folder_ / "gnuplot").c_str(), 0755);
  }
  ~FakeGnuplot() { std::filesystem::remove_all(folder_); }
  FakeGnuplot(const FakeGnuplot&) = delete;
  FakeGnuplot& operator=(const FakeGnuplot&) = delete;

  std::string path() const { return folder_.string(); }

 private:
  std::filesystem::path folder_;
};

std::optional<std::string> failure_with(const std::string& script, std::string* remedy = nullptr) {
  const FakeGnuplot fake(script);
  const Environment path("PATH", script.empty() ? fake.path() : fake.path() + ":/usr/bin:/bin");
  try {
    render(curve({0, 1}, {0, 1}), PictureFormat::png);
  } catch (const SystemError& error) {
    if (remedy != nullptr) *remedy = error.remedy();
    return error.what();
  }
  return std::nullopt;
}

struct Point {
  double x, y;
};

/// The corners of the path drawn for the nth element of the plot command.
std::vector<std::vector<Point>> paths_of(const std::string& svg, int element) {
  std::vector<std::vector<Point>> paths;
  std::size_t at = svg.find("id=\"gnuplot_plot_" + std::to_string(element) + "\"");
  EXPECT_NE(at, std::string::npos);
  const std::size_t end = std::min(svg.find("\n\t</g>\n", at), svg.size());
  while ((at = svg.find(" d='M", at)) < end) {
    at += 4;
    while (svg[at] == 'M' || svg[at] == 'L' || svg[at] == ' ' || svg[at] == '\n') {
      if (svg[at] == 'M') paths.emplace_back();
      if (svg[at] == ' ' || svg[at] == '\n') {
        ++at;
        continue;
      }
      Point p = {};
      int used = 0;
      if (std::sscanf(svg.c_str() + at + 1, "%lf,%lf%n", &p.x, &p.y, &used) != 2) break;
      paths.back().push_back(p);
      at += 1 + static_cast<std::size_t>(used);
    }
  }
  return paths;
}

/// The pixels that the cells of a heat map, or its picture if it has many, fill inside the frame of
/// a panel.
double cell_area(const std::string& svg, const Box& box) {
  double area = 0;
  if (const std::size_t image = svg.find(" x='", svg.find("<image")); image != std::string::npos) {
    Box filled;
    EXPECT_EQ(std::sscanf(svg.c_str() + image, " x='%lf' y='%lf' width='%lf' height='%lf'",
                          &filled.left, &filled.top, &filled.width, &filled.height),
              4);
    EXPECT_NEAR(filled.left, box.left, 1);
    EXPECT_NEAR(filled.top, box.top, 1);
    area += filled.width * filled.height;
  }
  for (std::size_t at = svg.find("<polygon"); at != std::string::npos;
       at = svg.find("<polygon", at + 1)) {
    const char* text = svg.c_str() + svg.find("points = '", at) + std::strlen("points = '");
    std::vector<Point> corners;
    Point p = {};
    for (int used = 0; std::sscanf(text, " %lf,%lf%n", &p.x, &p.y, &used) == 2; text += used)
      corners.push_back(p);
    double twice = 0;
    bool inside = true;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Point& a = corners[i];
      const Point& b = corners[(i + 1) % corners.size()];
      twice += a.x * b.y - b.x * a.y;
      inside = inside && a.x > box.left - 2 && a.x < box.left + box.width + 2;
    }
    if (inside) area += std::abs(twice) / 2;
  }
  return area;
}

TEST(Picture, PutsEveryPointOfACurveAtItsPixel) {
  Figure figure = curve({0, 1, 2, 5, 10}, {-3, 4, 0.5, 2, -1});
  figure.panels[0].x.min = 0;
  figure.panels[0].x.max = 10;
  figure.panels[0].y.min = -5;
  figure.panels[0].y.max = 5;
  const Box box = lay_out(figure).panels[0].box;
  const auto paths = paths_of(render(figure, PictureFormat::svg).bytes, 1);
  ASSERT_EQ(paths.size(), 1U);
  const Series& series = figure.panels[0].series[0];
  ASSERT_EQ(paths[0].size(), series.x.size());
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    EXPECT_NEAR(paths[0][i].x, box.left + series.x[i] / 10 * box.width, 1) << i;
    EXPECT_NEAR(paths[0][i].y, box.bottom() - (series.y[i] + 5) / 10 * box.height, 1) << i;
  }
}

TEST(Picture, PutsPointsOfALogarithmicCurveAtTheirPixels) {
  Figure figure = curve({1, 10, 100, 1000}, {1, 1e3, 1e-2, 5});
  figure.panels[0].x.scale = figure.panels[0].y.scale = Scale::log10;
  figure.panels[0].y.min = 1e-3;
  figure.panels[0].y.max = 1e4;
  const Box box = lay_out(figure).panels[0].box;
  const auto paths = paths_of(render(figure, PictureFormat::svg).bytes, 1);
  ASSERT_EQ(paths.size(), 1U);
  ASSERT_EQ(paths[0].size(), 4U);
  const Series& series = figure.panels[0].series[0];
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(paths[0][i].x, box.left + static_cast<double>(i) / 3 * box.width, 1);
    EXPECT_NEAR(paths[0][i].y, box.bottom() - (std::log10(series.y[i]) + 3) / 7 * box.height, 1);
  }
}

TEST(Picture, DrawsABandAtOnePointAsANarrowBar) {
  for (const Scale scale : {Scale::linear, Scale::log10}) {
    Figure figure = curve({5}, {0.5});
    figure.panels[0].x.scale = scale;
    Series& band = figure.panels[0].series[0];
    band.kind = SeriesKind::band;
    band.upper = {1.5};
    const std::string script = make_script(figure, Device::svg);
    std::size_t at = script.find("$panel1_1 << EOD\n");
    ASSERT_NE(at, std::string::npos);
    at = script.find('\n', at) + 1;
    double left = 0, right = 0, low = 0, high = 0;
    ASSERT_EQ(std::sscanf(script.c_str() + at, "%lf %lf %lf %lf", &left, &low, &high, &right), 4);
    EXPECT_LT(left, 5);
    EXPECT_GT(right, 5);
    EXPECT_EQ(low, 0.5);
    EXPECT_EQ(high, 1.5);
    const Grid grid = lay_out(figure).panels[0].grid;
    EXPECT_NEAR(grid.x.position(right) - grid.x.position(left), 16 / grid.width, 1e-9);
  }
}

TEST(Picture, BreaksTheLineAtAGap) {
  EXPECT_EQ(
      paths_of(render(curve({0, 1, 2, 3, 4}, {0, 1, kNan, 1, 0}), PictureFormat::svg).bytes, 1)
          .size(),
      2U);
}

TEST(Picture, BreaksABinaryLineAtAGap) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 30000; ++i) {
    x.push_back(i);
    y.push_back(i >= 15000 && i < 15500 ? kNan : std::sin(i));
  }
  Figure figure = curve(x, y);
  figure.panels[0].series.assign(3, figure.panels[0].series[0]);
  ASSERT_NE(make_script(figure, Device::svg).find("binary"), std::string::npos)
      << "the data no longer goes in binary";
  const Box box = lay_out(figure).panels[0].box;
  const auto paths = paths_of(render(figure, PictureFormat::svg).bytes, 1);
  ASSERT_GT(paths.size(), 1U);
  for (const auto& path : paths) {
    for (std::size_t i = 1; i < path.size(); ++i) {
      const double before = (path[i - 1].x - box.left) / box.width;
      const double after = (path[i].x - box.left) / box.width;
      EXPECT_FALSE(before < 0.508 && after > 0.508) << before << " to " << after;
    }
  }
}

TEST(Picture, ShowsEveryLabel) {
  Figure figure = curve({0, 1}, {-1, 1});
  figure.subtitle = Text::plain("A subtitle");
  figure.panels[0].title = Text::plain("A panel");
  figure.panels[0].lines = {{Direction::horizontal, 0.5, Text::plain("a line")}};
  figure.panels[0].regions = {{Direction::vertical, 0.2, 0.4, Text::plain("a region")}};
  const std::string svg = render(figure, PictureFormat::svg).bytes;
  for (const char* const text : {"A title", "A subtitle", "A panel", "a line", "a region",
                                 "distance", "the curve", ">−0.5<", ">λ<"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  }
  EXPECT_NE(svg.find("width=\"1600\" height=\"1000\""), std::string::npos);
}

TEST(Picture, NeverInterpretsAUsersText) {
  const std::filesystem::path witness =
      std::filesystem::temp_directory_path() / ("rope-witness-" + std::to_string(getpid()));
  const std::string text = "' \" `touch " + witness.string() + "` $(touch " + witness.string() +
                           ") \\ \\n a_b^c {x} @&~ %d # !x\n; system('touch " + witness.string() +
                           "')";
  Figure figure = curve({0, 1}, {0, 1});
  figure.width = 8000;
  figure.title = figure.panels[0].series[0].label = Text::plain(text);
  figure.panels[0].x.label = Text::plain("'");
  const std::string svg = render(figure, PictureFormat::svg).bytes;
  EXPECT_FALSE(std::filesystem::exists(witness));
  EXPECT_NE(svg.find("\\ \\n a_b^c {x} @&amp;~ %d # !x ; system('touch"), std::string::npos);
}

TEST(Picture, KeepsAUsersTextOutOfTheTagsOfAnSvg) {
  Figure figure = curve({0, 1}, {0, 1});
  figure.title = figure.panels[0].series[0].label = figure.panels[0].y.label =
      Text::plain("<script>&amp; ]]>");
  const std::string svg = render(figure, PictureFormat::svg).bytes;
  EXPECT_EQ(svg.find("<script>"), std::string::npos);
  EXPECT_NE(svg.find("&lt;script>&amp;amp; ]]&gt;"), std::string::npos);
}

TEST(Picture, HasItsTitleInAnSvg) {
  Figure figure = curve({0, 1}, {0, 1});
  figure.title = Text::plain("f < g & h");
  const std::string svg = render(figure, PictureFormat::svg).bytes;
  EXPECT_NE(svg.find("<title>f &lt; g &amp; h</title>"), std::string::npos);
  EXPECT_EQ(svg.find("<title>Gnuplot</title>"), std::string::npos);
}

TEST(Picture, DrawsClassesAndLeavesBlankPlaces) {
  Figure figure = curve({0, 1}, {0, 1});
  HeatMap map;
  map.rows = map.columns = 2;
  map.values = {0, 1, 1, 0};
  map.classes = {Text::plain("not <reached>"), Text::plain("new")};
  figure.panels.resize(2);
  figure.panels[0] = {};
  figure.panels[0].heat_map = map;
  figure.panels[1].blank = true;
  figure.legend_of = 0;
  const std::string svg = render(figure, PictureFormat::svg).bytes;
  EXPECT_NE(svg.find("not &lt;reached>"), std::string::npos);
  const std::vector<Rgb> colours = stops_of(map, Style::light);
  for (const Rgb colour : {colours[0], colours[1]}) {
    const std::string rgb =
        "rgb(" + std::to_string(colour.r) + ", " + std::to_string(colour.g) + ", ";
    const std::size_t first = svg.find(rgb);
    ASSERT_NE(first, std::string::npos) << rgb;
    EXPECT_NE(svg.find(rgb, first + 1), std::string::npos) << "in the legend and in the map";
  }
  const std::string script = make_script(figure, Device::png);
  EXPECT_EQ(script.find("panel2"), std::string::npos);
}

TEST(Picture, IsTheSameTwiceWhereverItIsMade) {
  Figure figure = curve({0, 1, 2}, {0, 1, -1});
  for (const PictureFormat format :
       {PictureFormat::png, PictureFormat::svg, PictureFormat::pdf, PictureFormat::gp}) {
    const std::string first = render(figure, format).bytes;
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path("/");
    const Environment home("HOME", "/nonexistent");
    const Environment language("LANG", "de_DE.UTF-8");
    const Environment numbers("LC_ALL", "tr_TR.UTF-8");
    const Environment zone("TZ", "Asia/Tokyo");
    const Environment terminal("GNUTERM", "dumb");
    std::string second = render(figure, format).bytes;
    std::filesystem::current_path(before);
    EXPECT_TRUE(first == second) << static_cast<int>(format);
  }
}

TEST(Picture, CarriesNoDateInAPdf) {
  const std::string pdf = render(curve({0, 1}, {0, 1}), PictureFormat::pdf).bytes;
  const std::size_t date = pdf.find("(D:");
  ASSERT_NE(date, std::string::npos) << "packed, where nobody can see what it says";
  EXPECT_EQ(pdf.substr(date, 17), "(D:20000101000000");
  EXPECT_EQ(pdf.find("(D:", date + 1), std::string::npos);
  EXPECT_EQ(pdf.find("/ObjStm"), std::string::npos);
}

TEST(Picture, IsDrawnByItsOwnScript) {
  const Figure figure = curve({0, 1, 2}, {0, 1, -1});
  const ProcessResult result =
      run_process({"gnuplot", "--default-settings"}, render(figure, PictureFormat::gp).bytes,
                  std::chrono::seconds(60));
  EXPECT_EQ(result.exit_code, 0) << result.messages;
  const std::string png = render(figure, PictureFormat::png).bytes;
  EXPECT_TRUE(with_mark(result.output) == png);
  EXPECT_TRUE(has_mark(png.substr(0, 128)));
  EXPECT_FALSE(has_mark(result.output));
  EXPECT_EQ(with_mark(png), png) << "once is enough";
  EXPECT_EQ(with_mark("no picture"), "no picture");
  EXPECT_EQ(with_comment("no picture", "it"), "no picture");
  EXPECT_EQ(with_comment(png, ""), png);
  EXPECT_TRUE(has_mark(with_comment(png, "it"))) << "the mark stays in front";
}

TEST(Picture, NamesCharactersThatNoFontHas) {
  Figure figure = curve({0, 1}, {0, 1});
  figure.title = Text::plain("a \U0003FFF0 b");  // no character has this number
  EXPECT_TRUE(render(figure, PictureFormat::svg).warnings.empty());
  const Picture png = render(figure, PictureFormat::png);
  ASSERT_EQ(png.warnings.size(), 1U);
  EXPECT_NE(png.warnings[0].find("title: no installed font has \U0003FFF0 (U+3FFF0); drawn as "),
            std::string::npos)
      << png.warnings[0];
  figure.title = Text::plain("a \uFFFD b");
  EXPECT_TRUE(png.bytes == render(figure, PictureFormat::png).bytes);
}

TEST(Picture, NeedsNoFontListForKnownCharacters) {
  const FakeGnuplot no_programs("");
  const Environment path("PATH", no_programs.path());
  Figure figure = curve({0, 1}, {0, 1});
  EXPECT_TRUE(render(figure, PictureFormat::gp).warnings.empty());
  figure.title = Text::plain("שלום");
  EXPECT_EQ(render(figure, PictureFormat::gp).warnings.size(), 1U);
}

TEST(Picture, DrawsHeatMapsOfEverySize) {
  for (const auto& [rows, columns] :
       {std::pair<std::size_t, std::size_t>{1, 1}, {1, 6}, {6, 1}, {2, 2}, {300, 200}, {2, 900}}) {
    HeatMap map;
    map.rows = rows;
    map.columns = columns;
    for (std::size_t i = 0; i < rows * columns; ++i) {
      map.values.push_back(std::sin(static_cast<double>(i)));
    }
    map.values[0] = kNan;
    Figure figure;
    figure.panels.resize(1);
    figure.panels[0].heat_map = map;
    const Box box = lay_out(figure).panels[0].box;
    const double cells = static_cast<double>(rows * columns);
    EXPECT_NEAR(cell_area(render(figure, PictureFormat::svg).bytes, box),
                box.width * box.height * (cells - 1) / cells, 0.02 * box.width * box.height)
        << rows << "x" << columns << ": all but the cell that is no number";
    const std::string png = render(figure, PictureFormat::png).bytes;
    EXPECT_EQ(png.substr(1, 3), "PNG") << rows << "x" << columns;
    EXPECT_EQ(png.substr(png.size() - 8, 4), "IEND") << rows << "x" << columns;
  }
}

TEST(Picture, DrawsWhatHasNothingToShow) {
  const auto paths = [](const std::vector<double>& x, const std::vector<double>& y) {
    return paths_of(render(curve(x, y), PictureFormat::svg).bytes, 1);
  };
  EXPECT_TRUE(paths({0, 1}, {kNan, kNan}).empty());
  EXPECT_TRUE(paths({}, {}).empty());
}

TEST(Picture, DrawsASinglePointAsADotInTheMiddle) {
  const Figure figure = curve({3}, {7});
  const Box box = lay_out(figure).panels[0].box;
  const std::string svg = render(figure, PictureFormat::svg).bytes;
  const std::size_t dot = svg.find("<use ", svg.find("id=\"gnuplot_plot_2\""));
  ASSERT_NE(dot, std::string::npos);
  Point at = {};
  ASSERT_EQ(
      std::sscanf(svg.c_str() + svg.find("translate(", dot), "translate(%lf,%lf)", &at.x, &at.y),
      2);
  EXPECT_NEAR(at.x, box.left + box.width / 2, 1);
  EXPECT_NEAR(at.y, box.bottom() - box.height / 2, 1);
}

TEST(Picture, DrawsACurveThatCrossesAllOfDouble) {
  const Figure figure = curve({0, 1}, {-1e308, 1e308});
  const Box box = lay_out(figure).panels[0].box;
  const auto paths = paths_of(render(figure, PictureFormat::svg).bytes, 1);
  ASSERT_EQ(paths.size(), 1U);
  ASSERT_EQ(paths[0].size(), 2U);
  EXPECT_GT(paths[0][0].y - paths[0][1].y, 0.6 * box.height);
  for (const Point& point : paths[0]) {
    EXPECT_GT(point.y, box.bottom() - box.height - 1);
    EXPECT_LT(point.y, box.bottom() + 1);
  }
}

TEST(Gnuplot, IsNamedWhenItIsMissing) {
  std::string remedy;
  EXPECT_EQ(failure_with("", &remedy), "cannot start gnuplot (No such file or directory)");
  EXPECT_EQ(remedy, "install the package gnuplot-nox; CSV output needs no gnuplot");
}

TEST(Gnuplot, FailsWithItsOwnMessage) {
  const auto message = failure_with("cat > /dev/null; echo 'line 7: no such thing' >&2; exit 1");
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(*message, "gnuplot failed with exit code 1: line 7: no such thing");
}

TEST(Gnuplot, TakesTheChineseFormsOfCharactersInChineseFigures) {
  const FakeGnuplot fake("cat > /dev/null; echo \"line $FC_LANG.\" >&2; exit 1");
  const Environment path("PATH", fake.path() + ":/usr/bin:/bin");
  const Environment given("FC_LANG", "ja");
  Figure figure = curve({0, 1}, {0, 1});
  for (const auto& [language, expected] :
       {std::pair(Language::en, "line ."), std::pair(Language::zh, "line zh-cn.")}) {
    figure.language = language;
    const std::string message = test::outcome([&] { render(figure, PictureFormat::png); }).what;
    EXPECT_NE(message.find(expected), std::string::npos) << message;
  }
}

TEST(Gnuplot, DrawsASixelPictureWhereTheCursorIs) {
  for (const std::string before : {"", "\\033[H"}) {
    const FakeGnuplot fake("cat > /dev/null; printf '" + before + "\\033Pq~-\\033\\134'");
    const Environment path("PATH", fake.path() + ":/usr/bin:/bin");
    EXPECT_EQ(render_sixel(curve({0, 1}, {0, 1})).bytes, "\x1BPq~-\x1B\\") << before;
  }
}

TEST(Gnuplot, MayNotBeKilled) {
  const auto message = failure_with("kill -9 $$");
  ASSERT_TRUE(message.has_value());
  EXPECT_NE(message->find("killed by signal 9"), std::string::npos) << *message;
}

TEST(Gnuplot, MayNotLeaveATruncatedOrEmptyPicture) {
  const auto empty = failure_with("exit 0");
  ASSERT_TRUE(empty.has_value());
  EXPECT_NE(empty->find("incomplete picture of 0 bytes"), std::string::npos) << *empty;
  EXPECT_TRUE(failure_with("printf '\\211PNG\\r\\n\\032\\nabc'").has_value());
  EXPECT_TRUE(failure_with("/usr/bin/gnuplot --default-settings | head -c 5000").has_value());
  EXPECT_FALSE(failure_with("/usr/bin/gnuplot --default-settings").has_value());
}

TEST(Process, StopsAChildThatDoesNotEnd) {
  const auto start = std::chrono::steady_clock::now();
  const ProcessResult result = run_process({"sleep", "30"}, "", std::chrono::milliseconds(100));
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, 9);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Process, PassesInputAndKeepsTheStreamsApart) {
  const std::string input(3000000, 'x');
  const ProcessResult result =
      run_process({"sh", "-c", "cat; echo oops >&2; exit 7"}, input, std::chrono::seconds(30));
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_TRUE(result.output == input);
  EXPECT_EQ(result.messages, "oops\n");
}

TEST(Process, StopsAChildThatWritesWithoutEnd) {
  const ProcessResult result =
      run_process({"dd", "if=/dev/zero", "bs=1M", "count=1200"}, "", std::chrono::seconds(60));
  EXPECT_TRUE(result.too_much);
  EXPECT_FALSE(result.timed_out);
}

TEST(Process, SaysThatThereIsNoSuchProgram) {
  EXPECT_EQ(test::outcome([] {
              run_process({"rope-no-such-program"}, "", std::chrono::seconds(1));
            }).what,
            "cannot start rope-no-such-program (No such file or directory)");
}

TEST(Process, AChildHasTheSignalsOfAFreshProgram) {
  const auto pipe = std::signal(SIGPIPE, SIG_IGN);
  const auto size = std::signal(SIGXFSZ, SIG_IGN);
  const auto stop = std::signal(SIGTERM, [](int) {});
  const auto quiet = std::signal(SIGUSR1, SIG_IGN);
  const ProcessResult result = run_process({"grep", "-E", "Sig(Blk|Ign|Cgt)", "/proc/self/status"},
                                           "", std::chrono::seconds(30));
  std::signal(SIGPIPE, pipe);
  std::signal(SIGXFSZ, size);
  std::signal(SIGTERM, stop);
  std::signal(SIGUSR1, quiet);
  EXPECT_NE(result.output.find("SigBlk:\t0000000000000000"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("SigIgn:\t0000000000000200"), std::string::npos)
      << "what our caller ignores stays ignored: " << result.output;
}

TEST(Process, HandsDownNoFilesButTheStreams) {
  const ProcessResult result = run_process(
      {"sh", "-c", "ls -l /proc/$$/fd | grep -c 'memfd\\|/rope-'"}, "", std::chrono::seconds(30));
  EXPECT_EQ(std::stoi(result.output), 3);
}

}  // namespace
}  // namespace rope::plot
