#include "rope/lesson/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/arrays.hpp"
#include "rope/diagnose/disagreements.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/error.hpp"
#include "rope/precision/policy.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/rotation.hpp"
#include "rope/verify/certify.hpp"

namespace rope::lesson {
namespace {

using claims::Written;

/// The number as our own files write one.
std::string plain(std::string typed) {
  constexpr std::string_view kMinus = "−";
  for (std::size_t at = typed.find(kMinus); at != std::string::npos; at = typed.find(kMinus))
    typed.replace(at, kMinus.size(), "-");
  if (typed.starts_with('+')) typed.erase(0, 1);
  return typed;
}

/// The digits that count: 0.0018 has two, 0.00 three.
std::size_t significant_digits(const std::string& number) {
  std::size_t digits = 0, zeros = 0;
  for (const char c : number.substr(0, number.find_first_of("eE"))) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) continue;
    ++(digits > 0 || c != '0' ? digits : zeros);
  }
  return digits > 0 ? digits : zeros;
}

bool is_whole(const std::string& number) {
  return number.find_first_of(".eE") == std::string::npos;
}

/// Whether a number is the one that is written, as far as it was typed, give or take one in its
/// last digit; a whole number is itself alone.
bool meets(const std::string& typed, const std::string& answer) {
  const Written number = claims::read_written(plain(typed));
  const Written other = claims::read_written(plain(answer));
  if (is_whole(plain(answer))) return number.value == other.value;
  return std::fabs(number.value - other.value) <=
         2 * std::max(number.half, other.half) * (1 + 1e-9);  // 1e-9: sums of decimals are rounded
}

/// What each part of a convention is called, in an answer.
struct PartWords {
  ConventionPart part;
  std::string_view zh, en;
};
constexpr std::array<PartWords, 7> kParts = {{
    {ConventionPart::layout, "配对布局", "the layout of the pairs"},
    {ConventionPart::rotary_dim, "参与旋转的维数", "the rotated dimensions"},
    {ConventionPart::frequencies, "频率", "the frequencies"},
    {ConventionPart::direction, "旋转方向", "the direction of the turn"},
    {ConventionPart::pair_order, "各对的先后次序", "the order of the pairs"},
    {ConventionPart::attention_factor, "向量的长度", "the length of the vectors"},
    {ConventionPart::position_offset, "起始位置", "the first position"},
}};

/// What a convention has at one of its parts: "interleaved", "base 500000", "1".
std::string value_of(ConventionPart part, const Explanation& convention) {
  const Spectrum& spectrum = convention.spectrum();
  switch (part) {
    case ConventionPart::layout:
      return name(convention.arrangement);
    case ConventionPart::rotary_dim:
      return std::to_string(convention.arrangement.rotary_dim);
    case ConventionPart::frequencies:
      return spectrum.recognised && spectrum.embedding.base &&
                     spectrum.embedding.scaling.rule == "default"
                 ? "base " + plain_number(*spectrum.embedding.base)
                 : frequencies_text(spectrum);
    case ConventionPart::direction:
      return spectrum.clockwise ? "−mθ" : "+mθ";
    case ConventionPart::pair_order:
      return spectrum.reversed ? "r/2 − 1 … 0" : "0 … r/2 − 1";
    case ConventionPart::attention_factor:
      return fmt::format("{:.6g}", spectrum.embedding.attention_factor);
    case ConventionPart::position_offset:
      break;
  }
  return convention.position_offset ? std::to_string(*convention.position_offset) : "?";
}

/// Names the parts in which an answer differs, with what it has and what it should have.
Judgement other_convention(const std::vector<ConventionPart>& parts, const Explanation& found,
                           const Explanation& asked) {
  Judgement judgement{
      false, {"这是另一种约定，不同之处：", "That follows another convention. What differs: "}};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto* const words = std::ranges::find(kParts, parts[i], &PartWords::part);
    const std::string has = value_of(parts[i], found), should = value_of(parts[i], asked);
    judgement.says.zh +=
        fmt::format("{}{}（你的是 {}，应为 {}）", i == 0 ? "" : "、", words->zh, has, should);
    judgement.says.en +=
        fmt::format("{}{} (you have {}, not {})", i == 0 ? "" : ", ", words->en, has, should);
  }
  judgement.says.zh += "。";
  judgement.says.en += ".";
  return judgement;
}

/// What the task asks for.
std::vector<float> rotated(const RotationExample& example) {
  const std::size_t dim = example.embedding.head_dim;
  std::vector<float> y;
  std::vector<double> vector(dim);
  for (std::size_t m = 0; m < example.positions.size(); ++m) {
    const auto x = std::span(example.x).subspan(m * dim, dim);
    vector.assign(x.begin(), x.end());
    rotate_elementwise(example.embedding, rotation_row(example.embedding, example.positions[m]),
                       vector, vector);
    for (const double value : vector) y.push_back(static_cast<float>(value));
  }
  return y;
}

/// Whether y is what float32 may make of the task, kept in that type.
Certification certified(const RotationExample& example, std::span<const float> y, Format result) {
  CertifyOptions options;
  options.result = result;
  return certify(example.embedding, *find_policy("float32"), example.x, y, example.positions,
                 options);
}

/// Of the right rotation in numbers that are too narrow.
Judgement too_narrow(std::string_view type) {
  return {
      false,
      {fmt::format("旋转没有错，但数只有 {} 的精度，请写成 float32。", type),
       fmt::format(
           "The rotation is right, but its numbers have only the precision of {}: write float32.",
           type)}};
}

/// Of numbers that no convention explains: the first that is wrong.
Judgement no_rotation(const OutputError& first) {
  return {false,
          {fmt::format("不对，也不是另一种旋转。第一处：位置 {} 的第 {} 对是 ({:.9g}, {:.9g})，"
                       "应为 ({:.9g}, {:.9g})。",
                       first.position, first.pair, first.found.cos, first.found.sin,
                       first.expected.cos, first.expected.sin),
           fmt::format(
               "Wrong, and it is not a rotation by another convention either. First difference: "
               "pair {} at position {} is ({:.9g}, {:.9g}) and should be ({:.9g}, {:.9g}).",
               first.pair, first.position, first.found.cos, first.found.sin, first.expected.cos,
               first.expected.sin)}};
}

}  // namespace

Judgement judge_bet(const Bet& bet, std::string_view letter) {
  const std::size_t choice =
      letter.size() == 1
          ? static_cast<std::size_t>(std::tolower(static_cast<unsigned char>(letter[0])) - 'a')
          : bet.choices.size();
  if (choice >= bet.choices.size())
    throw DomainError(fmt::format("expected a letter from a to {}, found '{}'",
                                  static_cast<char>('a' + bet.choices.size() - 1), letter),
                      "Without --answer, the step shows its choices.");
  const Choice& chosen = bet.choices[choice];
  return {chosen.right, chosen.thinks};
}

Judgement judge_number(const Exercise& exercise, const std::string& typed) {
  const std::string& answer = exercise.right->is;
  const std::size_t digits = std::min<std::size_t>(3, significant_digits(plain(answer)));
  const Written number = claims::read_written(plain(typed));
  const bool few = significant_digits(plain(typed)) < digits;
  if (meets(typed, answer)) {
    if (!few) return {true, {}};
    return {false,
            {fmt::format("位数太少，还不能判断：请给出 {} 位有效数字。", digits),
             fmt::format("Too few digits to decide: give {} significant digits.", digits)},
            true};
  }
  const Mistake* nearest = nullptr;
  const auto off = [&](const Mistake& mistake) {
    return std::fabs(number.value - claims::read_written(plain(mistake.is)).value);
  };
  for (const Mistake& mistake : exercise.mistakes) {
    const bool told = !few || off(mistake) == 0 || is_whole(plain(mistake.is));
    if (told && meets(typed, mistake.is) && (nearest == nullptr || off(mistake) < off(*nearest)))
      nearest = &mistake;
  }
  if (nearest != nullptr) return {false, nearest->says};
  const Written right = claims::read_written(plain(answer));
  if (!few && number.value == -right.value)
    return {false, {"大小对，正负号错了。", "The magnitude is right, but the sign is wrong."}};
  return {false,
          {"也不是常见的那几种错误。提示：" + exercise.hint.zh,
           "It is not one of the usual mistakes either. Hint: " + exercise.hint.en}};
}

RotationExample example_of(const RotationTask& task) {
  RotationExample example{
      default_embedding(task.dim, task.base,
                        task.layout == "half" ? PairLayout::half : PairLayout::interleaved),
      std::vector<float>(task.dim * task.positions),
      {}};
  std::vector<double> vector(task.dim);
  for (std::size_t m = 0; m < task.positions; ++m) {
    RandomStream(task.seed, m).fill_normal(vector);
    std::ranges::transform(vector, example.x.begin() + static_cast<std::ptrdiff_t>(m * task.dim),
                           [](double value) { return static_cast<float>(value); });
    example.positions.push_back(static_cast<std::int64_t>(m));
  }
  return example;
}

Judgement judge_rotation(const RotationTask& task, std::span<const float> y) {
  const RotationExample example = example_of(task);
  if (y.size() != example.x.size())
    throw ShapeError(fmt::format("expected {} numbers, {} vectors of {}, found {}",
                                 example.x.size(), task.positions, task.dim, y.size()));
  const Certification certification = certified(example, y, Format::float32);
  if (certification.verdict == Verdict::pass) return {true, {}};
  if (std::ranges::any_of(y, [](float number) { return !std::isfinite(number); }))
    return {false, {"文件里有 NaN 或无穷大。", "The file contains a NaN or an infinity."}};
  if (certified(example, y, Format::float16).verdict == Verdict::pass) return too_narrow("float16");
  if (certified(example, y, Format::bfloat16).verdict == Verdict::pass)
    return too_narrow("bfloat16");
  if (std::ranges::equal(y, example.x))
    return {false, {"这些向量还没有旋转。", "These vectors have not been rotated."}};
  const std::array shape = {task.positions, task.dim};
  const Diagnosis found = diagnose(shape, example.x, y);
  const Diagnosis asked = diagnose(shape, example.x, rotated(example));
  const std::vector<ConventionPart> parts = disagreements(asked, found, true);
  if (parts.empty()) return no_rotation(*certification.report.first);
  return other_convention(parts, found.explanations.front(), asked.explanations.front());
}

}  // namespace rope::lesson
