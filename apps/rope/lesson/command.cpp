// `rope lesson`: an order to teach RoPE in, each step with a bet, a number and a switch that breaks
// it.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lesson/report.hpp"
#include "rope/documents/lesson.hpp"
#include "rope/error.hpp"
#include "rope/io/file.hpp"
#include "rope/io/quote.hpp"
#include "rope/io/tensor.hpp"
#include "rope/lesson/handout.hpp"
#include "rope/parameters/suggest.hpp"
#include "usage/command.hpp"
#include "usage/draw_by_command.hpp"
#include "usage/numbers.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kLargestPicture = std::size_t{1} << 26;  // bytes

constexpr std::array<std::string_view, 6> kFiles = {"index.html",   "solutions.html", "lesson.md",
                                                    "solutions.md", "notes.md",       "wiring.npy"};

/// Refuses a folder that has some of a handout's files and not all: somebody else's would be lost.
/// A handout of before is replaced.
void check_handout_folder(const std::string& folder) {
  std::string there;
  std::size_t found = 0;
  std::error_code error;
  const auto always = std::span(kFiles).first(kFiles.size() - 1);
  for (const std::string_view name : always)
    if (std::filesystem::exists(std::filesystem::path(folder) / name, error)) {
      there = name;
      ++found;
    }
  const std::string_view sometimes = kFiles.back();  // other people's may be called so too
  if (found == 0 && std::filesystem::exists(std::filesystem::path(folder) / sometimes, error)) {
    there = sometimes;
    ++found;
  }
  if (found > 0 && found < always.size())
    refuse("-o", "another folder, where no file would be lost",
           io::in_quotes((std::filesystem::path(folder) / there).string()) +
               ", which is not part of a handout",
           "Name a folder that is empty or does not exist.");
}

/// Writes all of it into a folder, which is made if it is not there; what was written before
/// something fails stays.
void write_handout(const std::string& folder, const lesson::Handout& handout,
                   const PictureFiles& looks, const Drawer& drawer, const Console& console) {
  const std::filesystem::path place(folder);
  make_folder((place / "pictures").string());
  for (const std::string_view name : kFiles) io::check_writable((place / name).string());
  std::vector<std::string> pictures;
  {
    Progress progress(console, handout.steps.size(), "drawing");
    for (const lesson::ShownStep& shown : handout.steps) {
      const std::string path = (place / picture_name(shown.step)).string();
      draw_by_command(shown.step.picture, {{{path, Format::png}}, looks.looks, false, looks.told},
                      drawer, console);
      pictures.push_back(io::read_file(path, kLargestPicture));
      progress.advance(1);
    }
  }
  const auto write = [&](std::string_view name, const std::string& text) {
    const std::string path = (place / name).string();
    const std::string line = written_line(path, console.language());
    io::write_file(path, text);
    if (looks.told && !console.quiet()) console.tell_file(line);
  };
  write(kFiles[0], lesson_page(handout, pictures));
  write(kFiles[1], solutions_page(handout));
  write(kFiles[2], lesson_markdown(handout));
  write(kFiles[3], solutions_markdown(handout));
  write(kFiles[4], notes_markdown(handout));
  for (const lesson::ShownStep& shown : handout.steps)
    if (const auto& task = shown.step.exercise.rotation) write(kFiles[5], vectors_npy(*task));
}

using lesson::Step;

constexpr std::size_t kMostSteps = 100;

struct Lesson final : Invocation {
  static constexpr std::array kFormats = {Format::json, Format::npy, Format::png, Format::svg,
                                          Format::pdf};
  static constexpr std::array<std::string_view, 4> kExamples = {
      "rope lesson", "rope lesson 5", "rope lesson 5 --answer",
      "rope lesson 9 --exercise --lang zh"};
  static constexpr auto kTerms = std::to_array<std::string_view>({"score", "pair", "bound"});

  std::vector<std::string> wanted;
  std::optional<std::string> answer;
  bool short_path = false, exercise = false, presenter = false, pause = false, no_pause = false;
  OutputOptions output{kFormats};

  void declare(OptionSet& options) override {
    options.operands("[STEP...]",
                     "steps to show, such as 5, clocks or all (default: list all steps)",
                     kMostSteps, wanted);
    options.group("Which steps");
    options.flag("--short", "ten steps on the ten usual misunderstandings (45 minutes)",
                 short_path);
    options.group("What is shown");
    options
        .text("--answer [VALUE]",
              "show the right answer and explain it; with VALUE (a letter, a number or a .npy "
              "file), check your own answer",
              answer)
        .or_bare();
    options.flag("--exercise", "show the step's exercise; with --answer, show its solution",
                 exercise);
    options.flag(
        "--presenter",
        "print only the teacher's notes: the expected show of hands and the usual wrong answer",
        presenter);
    options.flag("--pause", "wait for Enter after each question and each step; q quits", pause);
    options.flag("--no-pause",
                 "print a step without pausing and without its answer, even on a terminal",
                 no_pause);
    output.translated = "the language of the lesson and its pictures";
    output.folders = true;
    output.declare(options);
    options.exclude("--presenter", {"--answer", "--exercise", "--pause"},
                    "notes are for the teacher only");
    options.exclude("--pause", {"--no-pause"}, "they contradict each other");
    options.operands_listed("rope lesson lists the steps.");
    options.operands_take([] {
      std::vector<std::string> known = {"all"};
      for (const Step& step : lesson::steps()) known.push_back(step.id);
      return known;
    });
    options.often_used({"--short", "--answer", "--exercise", "--lang"});
  }

  ExitCode run(Console& console) override {
    OutputPlan plan = plan_output(output);
    std::ranges::for_each(plan.folders, check_handout_folder);
    const bool waits =
        pause || (plan.files.empty() && plan.folders.empty() && !plan.show && a_class_bets());
    PictureFiles pictures = take_pictures(plan);
    const std::vector<lesson::ShownStep> steps = chosen();
    const std::optional<lesson::Judgement> judgement = judged(steps);
    const std::string picture = pictures.empty() ? "" : only(steps, "a picture").step.picture;
    if (std::ranges::find(plan.files, Format::npy, &OutputFile::format) != plan.files.end())
      check_vectors(only(steps, "an .npy file").step);
    Products products;
    products.text = plan.folders.empty();  // a folder was asked for, not the list of its steps
    products.report = [&](const Console& out) {
      judgement ? report(*judgement, steps.front().step, out)
                : report(steps, out, waits && &out == &console);
    };
    products.json = [&] {
      return judgement ? judgement_json(steps.front().step, *answer, *judgement).document()
                       : lesson_json(steps).document();
    };
    products.npy = [&] { return lesson::vectors_npy(*steps.front().step.exercise.rotation); };
    write_output(plan, products, console);
    if (!pictures.empty()) {
      if (!plan.picture.size) pictures.looks.insert(pictures.looks.end(), {"--size", "1920x1080"});
      draw_by_command(picture, pictures, {commands, general}, console);
    }
    const lesson::Handout handout{steps, language(), output.picture.style == plot::Style::dark};
    for (const std::string& folder : plan.folders)
      write_handout(folder, handout, pictures, {commands, general}, console);
    if (judgement) return judgement->right ? ExitCode::done : ExitCode::check_failed;
    return std::ranges::all_of(steps, &lesson::ShownStep::follows) ? ExitCode::done
                                                                   : ExitCode::self_test_failed;
  }

 private:
  Language language() const { return output.picture.language; }

  static bool is_called(const Step& step, const std::string& name) {
    return name == "all" || name == step.id || name == std::to_string(step.number) ||
           plain_word(name) == plain_word(step.title.en) || name == step.title.zh;
  }

  /// The steps that were asked for, all where none was; their numbers are computed.
  std::vector<lesson::ShownStep> chosen() const {
    for (const std::string& name : wanted)
      if (std::ranges::none_of(lesson::steps(),
                               [&](const Step& step) { return is_called(step, name); }))
        throw Error(ErrorKind::invalid_input,
                    fmt::format("expected a step from 1 to {}, found {}", lesson::steps().size(),
                                io::in_quotes(name)),
                    "rope lesson lists them.");
    std::vector<lesson::ShownStep> shown;
    for (const Step& step : lesson::steps()) {
      const bool named = std::ranges::any_of(
          wanted, [&](const std::string& name) { return is_called(step, name); });
      if ((wanted.empty() || named) && (!short_path || step.in_short()))
        shown.push_back(lesson::with_numbers(step));
    }
    return shown;
  }

  /// The one step that was asked for.
  static const lesson::ShownStep& only(const std::vector<lesson::ShownStep>& steps,
                                       std::string_view what) {
    if (steps.size() != 1)
      throw Error(ErrorKind::invalid_input,
                  fmt::format("{} belongs to one step, found {}", what, steps.size()),
                  "Name one: rope lesson 5.");
    return steps.front();
  }

  /// Whether somebody sits at the terminal: reads what is printed there, and can press Enter.
  static bool watched() { return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1; }

  /// Whether steps, and nothing else, are shown to people who bet before they see the number.
  bool a_class_bets() const {
    return watched() && !no_pause && !wanted.empty() && !answer && !exercise && !presenter;
  }

  /// Waits for Enter before `what` is shown; false if the class is over.
  bool wait(const Phrase& what, const Console& console) const {
    if (watched())
      console.print(fmt::format(
          fmt::runtime(word({"[Enter: {}; q quits] ", "[回车{}，q 结束] "}, language())),
          word(what, language())));
    std::cout << std::flush;
    std::string line;
    return std::getline(std::cin, line) && line != "q";
  }

  void report(const std::vector<lesson::ShownStep>& steps, const Console& console,
              bool waits) const {
    if (wanted.empty() && !pause && !presenter && !exercise && !answer) {
      print_steps(steps, language(), console);
      return;
    }
    for (const lesson::ShownStep& shown : steps) {
      if (&shown != &steps.front()) {
        if (waits && !wait({"the next step", "看下一步"}, console)) return;
        console.print("\n");
      }
      if (!present(shown, console, waits)) return;
    }
  }

  /// One step; false if the class is over.
  bool present(const lesson::ShownStep& shown, const Console& console, bool waits) const {
    const Step& step = shown.step;
    if (presenter) {
      print_notes(step, language(), console);
      return true;
    }
    if (exercise) {
      print_exercise(step, language(), console);
      if (answer) print_solution(step, language(), console);
      return true;
    }
    print_bet(step, lesson::steps().size(), language(), console);
    if (waits && !wait({"the number", "看数字"}, console)) return false;
    if (!answer || waits) print_shown(shown, language(), console);
    if (waits && !wait({"the answer", "看答案"}, console)) return false;
    if (answer || waits) {
      console.print("\n");
      print_answer(step, language(), console);
    }
    return true;
  }

  static bool is_letter(const std::string& text) {
    return text.size() == 1 && std::isalpha(static_cast<unsigned char>(text.front())) != 0;
  }

  /// Whether the answer is a number that may count the choices of the bet, and no known mistake.
  bool may_be_choice(const Step& step) const {
    for (std::size_t i = 1; i <= step.bet.choices.size(); ++i)
      if (*answer == std::to_string(i))
        return std::ranges::find(step.exercise.mistakes, *answer, &lesson::Mistake::is) ==
               step.exercise.mistakes.end();
    return false;
  }

  void report(const lesson::Judgement& judgement, const Step& step, const Console& console) const {
    print_judgement(judgement, language(), console);
    if (judgement.right && is_letter(*answer)) console.say(in(language(), step.answer));
    if (!judgement.right && !exercise && may_be_choice(step))
      print_what_was_answered(step, language(), console);
  }

  /// What becomes of an answer to one step; nothing where none was given.
  std::optional<lesson::Judgement> judged(const std::vector<lesson::ShownStep>& steps) const {
    if (!answer || answer->empty()) return std::nullopt;
    return judged(only(steps, "an answer").step);
  }

  lesson::Judgement judged(const Step& step) const {
    if (is_letter(*answer)) return lesson::judge_bet(step.bet, *answer);
    if (step.exercise.rotation) {
      const io::Tensor tensor = io::open_tensor(*answer);
      check_shape(tensor, *step.exercise.rotation);
      const std::vector<double> y = tensor.doubles();
      return lesson::judge_rotation(*step.exercise.rotation,
                                    std::vector<float>(y.begin(), y.end()));
    }
    try {
      return lesson::judge_number(step.exercise, *answer);
    } catch (const DomainError&) {
      throw DomainError(
          "--answer: expected a letter or a number, found " + io::in_quotes(*answer),
          fmt::format("Use a decimal point and no unit; rope lesson {} --exercise states the task.",
                      step.number));
    }
  }

  /// The vectors of the task, with axes of length 1 before them or not.
  static void check_shape(const io::Tensor& tensor, const lesson::RotationTask& task) {
    const io::Shape& shape = tensor.shape();
    if (shape.size() >= 2 && shape.back() == task.dim &&
        tensor.count() == task.positions * task.dim)
      return;
    throw ShapeError(fmt::format("--answer: expected the shape ({}, {}), found ({})",
                                 task.positions, task.dim, fmt::join(shape, ", ")),
                     "One vector per row, in the order of the positions.");
  }

  static void check_vectors(const Step& step) {
    if (!step.exercise.rotation)
      throw Error(ErrorKind::invalid_input,
                  fmt::format("the exercise of step {} has no vectors", step.number),
                  "It asks for a number: rope lesson N --answer NUMBER.");
  }
};

}  // namespace

extern constinit const Command lesson_command = command_of<Lesson>(
    "lesson", kLearn, "Teach RoPE in sixteen steps, each with a mistake to try.");

}  // namespace rope::app
