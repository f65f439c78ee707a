#include "rope/documents/lesson.hpp"

#include <optional>

#include "rope/documents/text.hpp"

namespace rope {
namespace {

io::JsonValue exercise_json(const lesson::Exercise& exercise) {
  io::JsonValue json = {{"ask", text_json(exercise.ask)}};
  if (exercise.right) json.add("right", exercise.right->is);
  if (exercise.right)
    json.add({{"mistakes",
               io::json_list(
                   exercise.mistakes,
                   [](const lesson::Mistake& mistake) {
                     return io::JsonValue{{"is", mistake.is}, {"says", text_json(mistake.says)}};
                   })},
              {"hint", text_json(exercise.hint)}});
  if (const auto& task = exercise.rotation)
    json.add("rotation", {{"head_dim", task->dim},
                          {"base", task->base},
                          {"layout", task->layout},
                          {"positions", task->positions},
                          {"seed", task->seed}});
  json.add({{"solution", text_json(exercise.solution)},
            {"command", exercise.command},
            {"look", exercise.look}});
  return json;
}

io::JsonValue misunderstanding_json(const std::optional<lesson::Misunderstanding>& one) {
  if (!one) return {};
  return {{"number", one->number},
          {"people_say", text_json(one->people_say)},
          {"verdict", one->verdict},
          {"decides", text_json(one->decides)},
          {"threads", one->threads}};
}

io::JsonValue lesson_step_json(const lesson::ShownStep& shown) {
  const lesson::Step& step = shown.step;
  return {{"number", step.number},
          {"id", step.id},
          {"title", text_json(step.title)},
          {"minutes", step.minutes},
          {"demonstration", step.demonstration == 0 ? io::JsonValue() : step.demonstration},
          {"misunderstanding", misunderstanding_json(step.misunderstanding)},
          {"question", text_json(step.bet.question)},
          {"choices", io::json_list(step.bet.choices,
                                    [](const lesson::Choice& choice) {
                                      return io::JsonValue{{"text", text_json(choice.text)},
                                                           {"right", choice.right},
                                                           {"thinks", text_json(choice.thinks)}};
                                    })},
          {"say", text_json(step.say)},
          {"formula", step.formula},
          {"command", step.command},
          {"look", step.look},
          {"picture", step.picture},
          {"number_that_convinces", text_json(step.convinces)},
          {"kind", lesson::name(step.kind)},
          {"break",
           {{"text", text_json(step.broken.text)},
            {"command", step.broken.command},
            {"look", step.broken.look},
            {"off", shown.broken.off},
            {"allowed", shown.broken.allowed}}},
          {"answer", text_json(step.answer)},
          {"claims", step.claims},
          {"presenter", text_json(step.presenter)},
          {"exercise", exercise_json(step.exercise)},
          {"refused", shown.refused}};
}

}  // namespace

io::JsonValue lesson_json(std::span<const lesson::ShownStep> steps) {
  return {{"schema", "rope.lesson/1"}, {"steps", io::json_list(steps, lesson_step_json)}};
}

io::JsonValue judgement_json(const lesson::Step& step, const std::string& answer,
                             const lesson::Judgement& judgement) {
  return {{"schema", "rope.lesson.answer/1"},
          {"step", step.number},
          {"id", step.id},
          {"answer", answer},
          {"right", judgement.right},
          {"undecided", judgement.undecided},
          {"says", text_json(judgement.says)}};
}

}  // namespace rope
