#pragma once

#include <array>
#include <string>
#include <string_view>

#include "rope/language/language.hpp"

namespace rope::lesson {

// Phrases that every form of the handout contains.

/// What a class needs to know before the first step, one point per paragraph, followed by the
/// formula of a rotation.
inline constexpr std::array<Phrase, 4> kOpening = {{
    {"Why turn at all? Attention without positions does not see the order of words. We want a "
     "score that depends on the distance n − m, wherever the two tokens are; subtracting angles "
     "gives just that.",
     "为什么要旋转？没有位置的注意力看不出词序。我们想要的得分只看距离 n − m，"
     "不管两个词元在哪里；角度相减，得到的正是这个。"},
    {"A head has d numbers, taken two at a time: d/2 pairs, each a point in a plane. R_m turns "
     "pair i counter-clockwise by mθ_i, where m is the position of the token and θ_i the pair's "
     "own speed.",
     "一个注意力头有 d 个数，两两成对，共 d/2 对，每一对是平面上的一个点。"
     "R_m 把第 i 对逆时针转 mθ_i：m 是词元的位置，θ_i 是这一对自己的速度。"},
    {"The query q of a token at m becomes R_m q, and the key k of a token at n becomes R_n k. The "
     "score is "
     "their dot product ⟨R_m q, R_n k⟩, a sum over the pairs. The index i, as in θ_i, "
     "numbers the pairs; k is the key. Pairs, dimensions and positions count from 0.",
     "位置 m 的词元，查询 q 变成 R_m q；位置 n 的词元，键 k 变成 R_n k；"
     "得分是两者的点积 ⟨R_m q, R_n k⟩，即各对之和。"
     "下标 i（如 θ_i）是对的编号，k 是键。对、维度和位置都从 0 数。"},
    {"Steps keep their numbers from the full lesson; exercises are for after class.",
     "每一步沿用完整课程里的编号；练习留作课后。"},
}};

inline constexpr std::string_view kPairFormula =
    "(x, y) → (x cos mθ_i − y sin mθ_i,  x sin mθ_i + y cos mθ_i)";

/// Explains the references to GitHub threads at the end of a card.
inline constexpr Phrase kThreads = {
    "Below each card are GitHub threads on the subject, each with the project name and the number "
    "of the issue or pull request. The threads were not reread when this page was generated.",
    "每张卡片下面是 GitHub "
    "上谈到这个问题的讨论，写作项目名和编号。生成本页时没有重读这些讨论。"};

/// The line above the statements that a step settles.
inline constexpr Phrase kSettled = {
    "Statements from articles that this step settles; rope claims ID shows how:",
    "这一步判定的文章说法（rope claims 编号 显示依据）："};

/// The line above the verdicts on these statements.
inline constexpr Phrase kVerdictsOnThem = {"The statements that this step settles:",
                                           "这一步判定的说法："};

/// The heading above the bets of all steps, for a class that writes down its bets first.
inline constexpr Phrase kBets = {"The bets", "先猜"};

inline constexpr Phrase kBetFirst = {
    "Choose one answer to each question before the steps are shown; wherever you change your mind "
    "later, you have learned something.",
    "看后面各步之前，每题先选一个；后来改了主意的地方，就是学到的东西。"};

/// The text in the kind of brackets that the language uses.
std::string in_brackets(std::string_view text, Language language);

}  // namespace rope::lesson
