#include "rope/lesson/step.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "rope/claims/fields.hpp"
#include "rope/io/data_file.hpp"
#include "rope/io/json.hpp"

namespace rope::lesson {

io::DataFiles step_files();  // made by cmake/DataFiles.cmake

namespace {

using claims::Fields;

constexpr std::array<std::pair<std::string_view, Kind>, 4> kKinds = {{{"exact", Kind::exact},
                                                                      {"rounding", Kind::rounding},
                                                                      {"seeded", Kind::seeded},
                                                                      {"habit", Kind::habit}}};

constexpr std::array<std::string_view, 3> kJudgements = {"true", "false", "depends"};

/// The object under that name, read by `read`, with nothing left over.
template <typename Read>
auto object_in(Fields& fields, const char* field, Read read) {
  Fields inside = fields.inside(field, fields.need(field));
  auto value = read(inside);
  inside.all_taken();
  return value;
}

/// The objects of a list likewise.
template <typename Read>
auto objects_in(Fields& fields, const char* field, Read read) {
  const io::Json& list = fields.need(field);
  if (!list.is_array()) fields.refuse(std::string("'") + field + "': expected a list");
  std::vector<decltype(read(fields))> values;
  for (const io::Json& element : list) {
    Fields inside = fields.inside(field, element);
    values.push_back(read(inside));
    inside.all_taken();
  }
  return values;
}

Number read_number(Fields& fields, std::string name) {
  Number number{std::move(name), claims::read_measurement(fields), fields.words("is")};
  claims::read_written(number.is);
  return number;
}

std::vector<Number> read_numbers(Fields& fields) {
  std::vector<Number> numbers;
  const io::Json& object = fields.need("numbers");
  const Fields inside = fields.inside("numbers", object);
  for (const auto& [name, value] : object.items()) {
    Fields one = inside.inside(name, value);
    numbers.push_back(read_number(one, name));
    one.all_taken();
  }
  return numbers;
}

Choice read_choice(Fields& fields) {
  Choice choice{fields.text("text"), false, fields.text_if("thinks")};
  if (const io::Json* right = fields.find("right")) choice.right = *right == true;
  if (choice.right != choice.thinks.en.empty())
    fields.refuse("a choice must either be right or explain under 'thinks' why it is wrong");
  return choice;
}

Bet read_bet(Fields& fields) {
  Bet bet{fields.text("question"), objects_in(fields, "choices", read_choice)};
  if (bet.choices.size() < 2 || std::ranges::count(bet.choices, true, &Choice::right) != 1)
    fields.refuse("expected two choices or more, one of them right");
  return bet;
}

Misunderstanding read_misunderstanding(Fields& fields) {
  Misunderstanding one{static_cast<int>(fields.whole("number")), fields.text("people_say"),
                       fields.words("verdict"), fields.text("decides"), fields.list_if("threads")};
  if (std::ranges::count(kJudgements, one.verdict) == 0)
    fields.refuse("'verdict' must be true, false or depends");
  return one;
}

Break read_break(Fields& fields) {
  return {fields.text("text"), fields.words("command"), fields.words("look"),
          claims::read_clause(fields.inside("check", fields.need("check")))};
}

Mistake read_mistake(Fields& fields) {
  const Number number = read_number(fields, "");
  return {number.measured, number.is, fields.text("says")};
}

RotationTask read_rotation(Fields& fields) {
  return {fields.whole("dim"), static_cast<double>(fields.whole("base")), fields.words("layout"),
          fields.whole("positions"), fields.whole("seed")};
}

Exercise read_exercise(Fields& fields) {
  Exercise exercise;
  exercise.ask = fields.text("ask");
  if (fields.find("file") != nullptr) {
    exercise.rotation = object_in(fields, "file", read_rotation);
  } else {
    exercise.right =
        object_in(fields, "right", [](Fields& inside) { return read_number(inside, ""); });
    exercise.mistakes = objects_in(fields, "mistakes", read_mistake);
    if (exercise.mistakes.empty()) fields.refuse("'mistakes' is empty");
    exercise.hint = fields.text("hint");
  }
  exercise.solution = fields.text("solution");
  exercise.command = fields.words("command");
  exercise.look = fields.words_if("look");
  return exercise;
}

Kind read_kind(Fields& fields) {
  const std::string word = fields.words("kind");
  for (const auto& [listed, kind] : kKinds)
    if (listed == word) return kind;
  fields.refuse("'kind' must be exact, rounding, seeded or habit");
}

}  // namespace

std::string_view name(Kind kind) {
  for (const auto& [word, listed] : kKinds)
    if (listed == kind) return word;
  return {};
}

Step read_step(std::string_view json, const std::string& file) {
  const io::Json document = io::parse_json(json, file + ".json", io::RepeatedKeys::refused);
  Fields fields(document, file + ".json");
  Step step;
  const auto [end, error] =
      std::from_chars(file.data(), file.data() + file.size(), step.number);  // NOLINT
  if (error != std::errc() || step.number == 0 || *end != '-')
    fields.refuse("the name of a step must begin with its number: 05-clocks");
  step.id = file.substr(static_cast<std::size_t>(end - file.data()) + 1);
  step.title = fields.text("title");
  step.minutes = fields.whole("minutes");
  if (fields.find("demonstration") != nullptr)
    step.demonstration = static_cast<int>(fields.whole("demonstration"));
  if (fields.find("misunderstanding") != nullptr)
    step.misunderstanding = object_in(fields, "misunderstanding", read_misunderstanding);
  step.numbers = read_numbers(fields);
  step.bet = object_in(fields, "bet", read_bet);
  step.say = fields.text("say");
  step.formula = fields.words("formula");
  step.command = fields.words("command");
  step.look = fields.words("look");
  step.picture = fields.words("picture");
  std::tie(step.convinces, step.kind) = object_in(fields, "number", [](Fields& inside) {
    return std::pair{inside.text("text"), read_kind(inside)};
  });
  step.broken = object_in(fields, "break", read_break);
  step.answer = fields.text("answer");
  step.claims = fields.list_if("claims");
  step.presenter = fields.text("presenter");
  step.exercise = object_in(fields, "exercise", read_exercise);
  fields.all_taken();
  return step;
}

const std::vector<Step>& steps() {
  static const std::vector<Step> all = [] {
    std::vector<Step> read;
    for (const io::DataFile& file : step_files())
      read.push_back(read_step(file.text, std::string(file.name)));
    return read;
  }();
  return all;
}

}  // namespace rope::lesson
