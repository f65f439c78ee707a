// `rope lesson`: an order to teach RoPE in, each step with a bet, a number and a switch that breaks
// it.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "lesson/handout.hpp"
#include "lesson/report.hpp"
#include "rope/documents/lesson.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/io/tensor.hpp"
#include "rope/lesson/handout.hpp"
#include "rope/parameters/suggest.hpp"
#include "usage/command.hpp"
#include "usage/draw_by_command.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

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
  bool short_path = false, exercise = false, presenter = false, pause = false;
  OutputOptions output{kFormats};

  void declare(OptionSet& options) override {
    options.operands("[STEP...]", "steps to show: 5, clocks, or all; without one they are listed",
                     kMostSteps, wanted);
    options.group("Which steps");
    options.flag("--short", "the ten that settle the ten usual misunderstandings, for 45 minutes",
                 short_path);
    options.group("What is shown");
    options
        .text("--answer [VALUE]",
              "show the right answer and why; with VALUE (a letter, number or .npy file), check "
              "yours",
              answer)
        .or_bare();
    options.flag("--exercise", "the exercise of the step; with --answer, its solution", exercise);
    options.flag("--presenter",
                 "print only the teacher's notes: hands to expect, the usual wrong answer",
                 presenter);
    options.flag("--pause", "wait for Enter after each question and each step; q ends", pause);
    output.translated = "the lesson and the words in its pictures";
    output.folders = true;
    output.declare(options);
    options.exclude("--presenter", {"--answer", "--exercise", "--pause"},
                    "notes are for the teacher only");
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
                : report(steps, out, pause && &out == &console);
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
                  fmt::format("{} is of one step, found {}", what, steps.size()),
                  "Name one: rope lesson 5.");
    return steps.front();
  }

  /// Waits for Enter, where somebody looks at a screen; false if the class is over.
  static bool wait(bool waits) {
    if (!waits) return true;
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
      if (&shown != &steps.front()) console.print("\n");
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
      return wait(waits);
    }
    print_bet(step, lesson::steps().size(), language(), console);
    if (!wait(waits)) return false;
    if (!answer || pause) print_shown(shown, language(), console);
    if (pause && !wait(waits)) return false;
    if (answer || pause) {
      console.print("\n");
      print_answer(step, language(), console);
    }
    return wait(waits);
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
          fmt::format("A decimal point, no unit; rope lesson {} --exercise states the task.",
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
