// Remedies of positions and of the direction.

#include <cmath>

#include "diagnose/remedies/law.hpp"
#include "rope/precision/rounding.hpp"

namespace rope::test {
namespace {

const Options kStated = {"--layout", "half", "--base", "10000", "--start", "0"};
const Port kRight;

Given made(const Port& port, Options options, std::uint64_t seed = 1) {
  Given given;
  given.x = random_numbers(kTokens * kRow, seed);
  given.y = port(given.x);
  given.options = std::move(options);
  return given;
}

Given with_options(Given given, Options options) {
  given.options = std::move(options);
  return given;
}

Port at(std::vector<double> positions) {
  Port port;
  port.positions = std::move(positions);
  return port;
}

Options at_positions(const std::vector<double>& positions) {
  return {"--layout", "half", "--base", "10000", "--positions", join(positions)};
}

void direction(Law& law) {
  Port wrong;
  wrong.sine = -1;
  for (const Options& options : {kStated, Options{"--start", "0"}}) {
    const Given given = made(wrong, options);
    const Sides sides = law.sides(given);
    says(sides.own, "flip the sign of its sines");
    law.right_with(given, kRight(given.x));
    says(sides.reference, "flip the sign of yours, which is the same as using positions −m");
    law.right(with_options(given, at_positions(count(0, kTokens, -1))), "positions −m");
    says(sides.reference, "if the two files were exchanged, give them in the other order");
    Given exchanged = given;
    std::swap(exchanged.x, exchanged.y);
    law.right(exchanged, "the other order");
    // ⟨R_−m q, R_−n k⟩ is the score of a query at n and a key at m, far from the one meant.
    says(sides.reference, "scores are those of the opposite distance, even if q and k agree");
    const Numbers q = random_numbers(kDim, 2), k = random_numbers(kDim, 3);
    const auto score = [&](double sine, double m, double n) {
      Port of_q = at({m}), of_k = at({n});
      of_q.sine = of_k.sine = sine;
      return dot(of_q(q, kDim), of_k(k, kDim));
    };
    EXPECT_NEAR(score(-1, 3, 17), score(1, 17, 3), 1e-12);
    EXPECT_GT(std::abs(score(-1, 3, 17) - score(1, 3, 17)), 0.1);
  }
}

void direction_of_tables(Law& law) {
  Given given;
  given.shape = {kTokens, kDim / 2};
  given.as = {"--cos", "--sin"};
  given.options = {"--base", "10000", "--start", "0"};
  for (std::size_t t = 0; t < kTokens; ++t)
    for (std::size_t k = 0; k < kDim / 2; ++k) {
      given.x.push_back(std::cos(kRight.frequency(k) * static_cast<double>(t)));
      given.y.push_back(-std::sin(kRight.frequency(k) * static_cast<double>(t)));
    }
  const Sides sides = law.sides(given);
  EXPECT_EQ(sides.reference.find("files"), std::string::npos) << sides.reference;
  Numbers flipped = given.y;
  for (double& each : flipped) each = -each;
  law.right_with(given, flipped);
  law.right(with_options(given, {"--base", "10000", "--positions", join(count(0, kTokens, -1))}),
            "positions −m");
}

void pair_order(Law& law) {
  Port wrong;
  wrong.theta = [](std::size_t k) { return kRight.frequency(kDim / 2 - 1 - k); };
  const Given given = made(wrong, kStated);
  const Sides sides = law.sides(given);
  says(sides.own, "reverse the order of its frequencies");
  law.right_with(given, kRight(given.x));
  says(sides.reference, "reverse the order of yours");
  std::vector<double> reversed;
  for (std::size_t k = 0; k < kDim / 2; ++k) reversed.push_back(wrong.theta(k));
  law.right(
      with_options(given, {"--layout", "half", "--frequencies", join(reversed), "--start", "0"}),
      "yours reversed");
}

void rounded_positions(Law& law) {
  const std::vector<double> given_ones = count(2001);
  std::vector<double> coarse;
  for (const double m : given_ones) coarse.push_back(round_to(Format::bfloat16, m));
  const Given given = made(at(coarse), at_positions(given_ones));
  const Sides sides = law.sides(given);
  says(sides.own, "keep positions in int64 or float32 until they are multiplied");
  law.right_with(given, at(given_ones)(given.x));
  says(sides.reference, "round yours to bfloat16 as well");
  law.right(with_options(given, at_positions(coarse)), "positions that are rounded too");
}

/// Positions at even steps that are not those given.
void run(Law& law, const std::vector<double>& instead, const std::string& to_follow) {
  const bool striped = instead[1] - instead[0] > 1;
  std::vector<double> given_ones = count(0);  // of three packed sequences, but for stripes
  for (std::size_t t = striped ? kTokens : 8; t < kTokens; ++t) given_ones[t] += t < 16 ? 12 : 24;
  const Given given = made(at(instead), at_positions(given_ones), 2);
  const Sides sides = law.sides(given);
  says(sides.own, "rotate every token by its given position");
  law.right_with(given, at(given_ones)(given.x));
  says(sides.reference, to_follow);
  if (to_follow.find("--") != std::string::npos)
    law.right_following(given, sides.reference);
  else
    law.right(with_options(given, at_positions(instead)), to_follow);
}

void runs(Law& law) {
  std::vector<double> packed = count(5, 10);
  for (const double m : count(90, kTokens - 10)) packed.push_back(m);
  const Given given = made(at(packed), kStated);
  const Sides sides = law.sides(given);
  says(sides.own, "rotate every token by its given position");
  law.right_with(given, kRight(given.x));
  says(sides.reference, "give every token its position from the listed runs");
  const Json said = law.diagnosed(given);
  std::vector<double> listed;
  for (const Json& each : said.at("explanations").at(0).at("runs"))
    for (std::size_t t = each["first_token"]; t <= each["last_token"]; ++t)
      listed.push_back(each["position"].get<double>() +
                       each["step"].get<double>() *
                           static_cast<double>(t - each["first_token"].get<std::size_t>()));
  EXPECT_EQ(listed, packed);
  law.right(with_options(given, at_positions(listed)), "the positions of the runs");
}

/// A table that ends before the last positions.
void unrotated_tokens(Law& law) {
  std::vector<double> instead = count(20);
  for (std::size_t t = kTokens / 2; t < kTokens; ++t) instead[t] = 0;
  const Given given = made(at(instead), at_positions(count(20)));
  const Sides sides = law.sides(given);
  says(sides.own, "rotate these tokens too");
  law.right_with(given, at(count(20))(given.x));
  says(sides.reference, "leave these tokens unrotated");
  law.right(with_options(given, at_positions(instead)), "position 0 for these tokens");
}

void offset(Law& law) {
  struct Shift {
    double by;
    const char *own, *reference;
  };
  for (const auto& [by, own, reference] :
       {Shift{1, "subtract 1 from its positions: its tables may begin with position 1",
              "add 1 to yours"},
        Shift{-1, "add 1 to its positions: its tables may hold row 0 twice",
              "subtract 1 from yours"},
        Shift{7, "subtract 7 from its positions: its cache may start elsewhere", "add 7 to yours"},
        Shift{-7, "add 7 to its positions", "subtract 7 from yours"}}) {
    const std::vector<double> stated = count(10), shifted = count(10 + by);
    const Given given = made(at(shifted), at_positions(stated));
    const Sides sides = law.sides(given);
    says(sides.own, own);
    const double mend = sides.own.starts_with("add") ? number_after(sides.own, "add ")
                                                     : -number_after(sides.own, "subtract ");
    law.right_with(given, at(count(10 + by + mend))(given.x));
    says(sides.reference, reference);
    const double follow = sides.reference.starts_with("add")
                              ? number_after(sides.reference, "add ")
                              : -number_after(sides.reference, "subtract ");
    law.right(with_options(given, at_positions(count(10 + follow))), reference);
  }
}

void start(Law& law) {
  for (const Options& options : {Options{}, Options{"--layout", "half", "--base", "10000"}}) {
    const Given given = made(at(count(5)), options);
    const Sides sides = law.sides(given);
    says(sides.own, "start at 0, unless a cache or padding precedes these tokens");
    law.right_with(given, kRight(given.x));
    law.right_following(given, sides.reference);
  }
}

}  // namespace

std::vector<RemedyCase> cases_of_positions() {
  const auto of = [](std::vector<double> instead, std::string words) {
    return [=](Law& law) { run(law, instead, words); };
  };
  return {{"direction", direction},
          {"direction", direction_of_tables},
          {"pair-order", pair_order},
          {"rounded-positions", rounded_positions},
          {"one-position", of(count(9, kTokens, 0), "give every token position 9")},
          {"counted-positions", of(count(7), "count yours from there: --start 7")},
          {"backward-positions", of(count(30, kTokens, -1), "--positions 30:7:-1")},
          {"striped-positions", of(count(1, kTokens, 4), "--positions 1:93:4")},
          {"position-runs", runs},
          {"unrotated-tokens", unrotated_tokens},
          {"position-offset", offset},
          {"start", start}};
}

}  // namespace rope::test
