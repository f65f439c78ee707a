// Remedies of layouts, of the order of rows, of the rotated part, of axes and of tables.

#include <cmath>
#include <numeric>

#include "diagnose/remedies/law.hpp"

namespace rope::test {
namespace {

const Port kHalf;
Port interleaved() {
  Port port;
  port.half = false;
  return port;
}
Port port_of(const std::string& layout) { return layout == "half" ? kHalf : interleaved(); }

Options stated(const std::string& layout) {
  return {"--layout", layout, "--base", "10000", "--start", "0"};
}

Given given_of(Numbers x, Numbers y, Options options) {
  Given given;
  given.x = std::move(x);
  given.y = std::move(y);
  given.options = std::move(options);
  return given;
}

Given with_x(Given given, Numbers x) {
  given.x = std::move(x);
  return given;
}

Numbers random_x(std::uint64_t seed = 1) { return random_numbers(kTokens * kRow, seed); }

/// Rows reordered from interleaved to half, over so many heads; or back.
Numbers to_half(const Numbers& x, std::size_t heads = kHeads, bool back = false) {
  Numbers y(x.size());
  const std::size_t head = kRow / heads;
  for (std::size_t at = 0; at < x.size(); at += head)
    for (std::size_t k = 0; k < head / 2; ++k)
      for (std::size_t j = 0; j < 2; ++j) {
        const std::size_t apart = at + j * head / 2 + k, near = at + 2 * k + j;
        y[back ? near : apart] = x[back ? apart : near];
      }
  return y;
}
Numbers to_interleaved(const Numbers& x) { return to_half(x, kHeads, true); }

void layout(Law& law) {
  for (const auto& [meant, found] :
       {std::pair("half", "interleaved"), std::pair("interleaved", "half")}) {
    const Given given = given_of(random_x(), port_of(found)(random_x()), stated(meant));
    const Sides sides = law.sides(given);
    says(sides.own, std::string("rotate ") + meant + " pairs");
    law.right_with(given, port_of(meant)(given.x));
    says(sides.reference, std::string("rotate ") + found + " pairs, or reorder the weights");
    Given follows = given;
    follows.options[1] = found;
    law.right(follows, "the other pairs");
    // Reordered weights and the pairs that are stated give the same scores.
    const Numbers x = law.converted(given, sides.reference), y = port_of(meant)(x);
    law.right(given_of(x, y, given.options), "reordered weights");
    const Numbers k = random_x(9),
                  other = port_of(meant)(law.converted(with_x(given, k), sides.reference));
    EXPECT_NEAR(dot(y, other), dot(given.y, port_of(found)(k)), 1e-9);
  }
}

/// x in one layout and y in the other. `rotated`: what makes y.
void mixed(Law& law, const std::string& from, const std::string& to, const Numbers& x,
           const Numbers& y) {
  for (const std::string& meant : {std::string(), from, to}) {
    Given given = given_of(x, y, meant.empty() ? Options{} : stated(meant));
    const Sides sides = law.sides(given);
    const bool as_x = meant != to;
    says(sides.own, as_x ? "write each rotated pair back to the two dimensions of x"
                         : "rotate the " + to + " pairs of x, without reordering them");
    law.right_with(given, port_of(as_x ? from : to)(x));
    says(sides.reference, "rope convert");
    given.x = law.converted(given, sides.reference);
    if (meant == from)
      law.right_following(given, sides.reference.substr(sides.reference.find("and state")));
    else
      law.right(given, "the weights of x are reordered");
  }
}

void interleaved_to_half(Law& law) {
  const Numbers x = random_x();
  mixed(law, "interleaved", "half", x, kHalf(to_half(x)));
}
void half_to_interleaved(Law& law) {
  const Numbers x = random_x();
  mixed(law, "half", "interleaved", x, interleaved()(to_interleaved(x)));
}

/// Rows of weights that were reordered once too often: undone, y is in the layout `left`.
void reordered(Law& law, const Numbers& x, const Numbers& y, const std::string& words,
               const Numbers& right_x, const Numbers& right_y, const std::string& left) {
  const std::string other = left == "half" ? "interleaved" : "half";
  for (const std::string& meant : {std::string(), left, other}) {
    const Given given = given_of(x, y, meant.empty() ? Options{} : stated(meant));
    const std::string remedy = law.remedy(given);
    says(remedy, words);
    const Given after = given_of(right_x, right_y, given.options);
    if (meant == other)
      law.right_following(after, remedy.substr(remedy.find("and state")));
    else
      law.right(after, words);
  }
}

void reordered_again(Law& law) {
  const Numbers meta = random_x(), half = to_half(meta);
  reordered(law, to_half(half), kHalf(half), "leave out the second reordering of x's rows", half,
            kHalf(half), "half");
}
void reordered_back(Law& law) {
  const Numbers meta = random_x();
  reordered(law, to_interleaved(meta), interleaved()(meta), "leave out that reordering of x's rows",
            meta, interleaved()(meta), "interleaved");
}
void y_reordered_twice(Law& law) {
  const Numbers meta = random_x(), half = to_half(meta);
  reordered(law, meta, kHalf(to_half(half)),
            "reorder the rows of q_proj and k_proj once, in the same way for x and y", half,
            kHalf(half), "half");
}
void x_reordered_twice(Law& law) {
  const Numbers meta = random_x();
  reordered(law, to_half(to_half(meta)), interleaved()(meta),
            "leave out both reorderings of x's rows", meta, interleaved()(meta), "interleaved");
}
/// Every vector of 4 heads, `dim` numbers long.
Given of_size(std::size_t dim, const Port& port, Options options) {
  Given given = given_of(random_numbers(kTokens * kHeads * dim, 4), {}, std::move(options));
  given.shape = {kTokens, kHeads, dim};
  given.y = port(given.x, kHeads * dim);
  return given;
}
Port sized(std::size_t dim, std::size_t rotary_dim, std::size_t first = 0) {
  Port port;
  port.dim = dim;
  port.rotary_dim = rotary_dim;
  port.first = first;
  return port;
}

void heads_in_one_axis(Law& law) {
  // Of a size that no model is known to have: usual ones are found without being asked for.
  Port port;
  port.dim = 24;
  const std::size_t row = kHeads * port.dim;
  const Numbers x = random_numbers(kTokens * row, 1);
  for (const Options& options : {Options{"--start", "0"}, stated("half")}) {
    Given given = given_of(x, port(x, row), options);
    given.shape = {kTokens, row};
    law.right_following(given, law.remedy(given));
  }
}

void rotated_part(Law& law) {
  const Given given =
      of_size(48, sized(48, 16, 32),
              {"--layout", "half", "--base", "10000", "--rotary-dim", "16", "--start", "0"});
  const Sides sides = law.sides(given);
  says(sides.own, "rotate the first 16 dimensions of each head");
  law.right_with(given, sized(48, 16)(given.x, kHeads * 48));
  says(sides.reference,
       "rotate dimensions 32 to 47 of each head (to compare only these, give [..., 32:48]");
  Given part = given;
  part.shape = {kTokens, kHeads, 16};
  for (Numbers Given::*side : {&Given::x, &Given::y}) {
    (part.*side).clear();
    for (std::size_t i = 0; i < (given.*side).size(); ++i)
      if (i % 48 >= 32) (part.*side).push_back((given.*side)[i]);
  }
  law.right(part, "that part alone");
}

void rotary_dim(Law& law) {
  for (const auto& [dim, found, meant] : {std::array<std::size_t, 3>{64, 16, 64},
                                          {64, 64, 32},
                                          {96, 32, 96},
                                          {80, 32, 80},
                                          {112, 48, 112},
                                          {192, 128, 192}}) {
    for (const auto& [type, fraction] :
         {std::pair{"stablelm", "partial_rotary_factor"}, {"gpt_neox", "rotary_pct"}}) {
      Given given = of_size(dim, sized(dim, found), {"--layout", "half", "--start", "0"});
      given.config = {{"model_type", type},
                      {"hidden_size", kHeads * dim},
                      {"num_attention_heads", kHeads},
                      {"max_position_embeddings", 4096},
                      {fraction, static_cast<double>(meant) / static_cast<double>(dim)}};
      const Sides sides = law.sides(given);
      says(sides.own, "rotate " + std::to_string(meant));
      law.right_with(given, sized(dim, meant)(given.x, kHeads * dim));
      law.right_following(given, sides.reference);
    }
  }
}

/// Both axes of an image of 4 × 6 patches, each in a block of its own.
Numbers in_blocks(const Numbers& x, std::size_t blocks) {
  const std::size_t size = kDim / blocks;
  Numbers y(x.size());
  for (std::size_t at = 0; at < x.size(); at += kDim)
    for (std::size_t k = 0; k < kDim / 2; ++k) {
      const std::size_t axis = k / (kDim / 4), within = k % (kDim / 4), t = at / kRow;
      const std::size_t a = blocks == 1 ? at + k : at + axis * size + within;
      const std::size_t b = a + size / 2;
      const double m = static_cast<double>(axis == 0 ? t / 6 : t % 6);
      const double phi = m * std::pow(1e4, -2.0 * static_cast<double>(within) / (kDim / 2.0));
      y[a] = x[a] * std::cos(phi) - x[b] * std::sin(phi);
      y[b] = x[a] * std::sin(phi) + x[b] * std::cos(phi);
    }
  return y;
}

void blocks(Law& law) {
  for (const std::size_t found : {1U, 2U}) {
    const std::string meant = found == 1 ? "16,16:blocks" : "16,16";
    const std::string other = found == 1 ? "16,16" : "16,16:blocks";
    Given given = given_of(random_x(), in_blocks(random_x(), found),
                           {"--layout", "half", "--base", "10000", "--axes", meant});
    const Sides sides = law.sides(given);
    says(sides.own, found == 1 ? "pair dimensions (i, i + 8) within each of 2 blocks"
                               : "pair dimensions (i, i + 16) over all 32");
    law.right_with(given, in_blocks(given.x, 3 - found));
    says(sides.reference, found == 1 ? "pair dimensions (i, i + 16) over all 32"
                                     : "pair dimensions (i, i + 8) within each of 2 blocks");
    given.options.back() = other;
    law.right(given, "the other blocks");
  }
}

/// Text, an image of 5 × 6 patches, text, on three axes: time, height and width.
constexpr std::size_t kPlaces = 64;
std::array<std::int64_t, 3> place(std::size_t t) {
  const auto i = static_cast<std::int64_t>(t);
  if (i < 10) return {i, i, i};
  if (i < 40) return {10, 10 + (i - 10) / 6, 10 + (i - 10) % 6};
  return {i - 24, i - 24, i - 24};
}

Numbers on_axes(
    const Numbers& x, std::size_t dim, bool half,
    const std::function<std::pair<std::size_t, double>(std::size_t k)>& axis_and_theta) {
  Numbers y(x.size());
  const std::size_t heads = x.size() / kPlaces / dim;
  for (std::size_t at = 0; at < x.size(); at += dim)
    for (std::size_t k = 0; k < dim / 2; ++k) {
      const std::size_t a = half ? at + k : at + 2 * k, b = half ? a + dim / 2 : a + 1;
      const auto [axis, theta] = axis_and_theta(k);
      const std::size_t token = at / dim / heads;
      const auto position = axis < 3 ? place(token).at(axis) : static_cast<std::int64_t>(token);
      const double phi = static_cast<double>(position) * theta;
      y[a] = x[a] * std::cos(phi) - x[b] * std::sin(phi);
      y[b] = x[a] * std::sin(phi) + x[b] * std::cos(phi);
    }
  return y;
}

Given vision(const std::string& type, Json rope_scaling, double base) {
  Given given = given_of(random_numbers(kPlaces * 2 * 128, 5), {}, {});
  given.shape = {kPlaces, 2, 128};
  for (std::size_t t = 0; t < kPlaces; ++t)
    for (const std::int64_t m : place(t)) given.places.push_back(m);
  given.config = {{"model_type", type},       {"hidden_size", 512},
                  {"num_attention_heads", 4}, {"num_key_value_heads", 2},
                  {"head_dim", 128},          {"max_position_embeddings", 32768},
                  {"rope_theta", base},       {"rope_scaling", std::move(rope_scaling)}};
  return given;
}

std::function<std::pair<std::size_t, double>(std::size_t)> mrope(std::vector<std::size_t> sections,
                                                                 bool in_turn, double base) {
  return [=](std::size_t k) {
    std::size_t axis = 0;
    if (in_turn) {
      axis = k % 3 < 3 && k < 3 * sections[k % 3] ? k % 3 : 0;
    } else {
      for (std::size_t sum = sections[0]; k >= sum; sum += sections[axis]) ++axis;
    }
    return std::pair(axis, std::pow(base, -static_cast<double>(k) / 64));
  };
}

void sections(Law& law) {
  struct One {
    const char* type;
    Json scaling;
    std::vector<std::size_t> meant, found;
    bool meant_in_turn, in_turn;
  };
  const Json three = {
      {"rope_type", "default"}, {"mrope_interleaved", true}, {"mrope_section", {24, 20, 20}}};
  const Json two = {{"type", "mrope"}, {"mrope_section", {16, 24, 24}}};
  for (const One& one : {One{"qwen3_vl_text", three, {24, 20, 20}, {24, 20, 20}, true, false},
                         One{"qwen2_5_vl_text", two, {16, 24, 24}, {16, 24, 24}, false, true},
                         One{"qwen2_5_vl_text", two, {16, 24, 24}, {24, 20, 20}, false, false},
                         One{"qwen3_vl_text", three, {24, 20, 20}, {16, 24, 24}, true, false}}) {
    Given given = vision(one.type, one.scaling, 1e6);
    given.y = on_axes(given.x, 128, true, mrope(one.found, one.in_turn, 1e6));
    const Sides sides = law.sides(given);
    says(sides.own,
         one.meant_in_turn ? "rotate it by interleaved sections" : "rotate it by sections");
    law.right_with(given, on_axes(given.x, 128, true, mrope(one.meant, one.meant_in_turn, 1e6)));
    law.right_following(given, sides.reference);
    if (one.meant == one.found) {
      EXPECT_EQ(sides.reference.find("mrope_section"), std::string::npos) << sides.reference;
    }
  }
}

/// One axis at 0, or at the positions of another one, two exchanged, and all at those of one.
void axis_positions(Law& law) {
  struct One {
    std::array<std::size_t, 3> from;  // for each axis; 3: 0
    const char *finding, *reference;
  };
  for (const One& one :
       {One{{0, 1, 3}, "The positions on width are 0", "give width position 0"},
        One{{0, 1, 1},
            "The positions on width are those on height",
            "give width the positions of height"},
        One{{0, 2, 1},
            "The positions on height are those on width, those on width are those on",
            "give height the positions of width, width the positions of height"},
        One{{0, 0, 0},
            "The positions on height are those on time, those on width are those on time",
            "give height the positions of time, width the positions of time"}}) {
    Given given =
        vision("qwen2_5_vl_text", {{"type", "mrope"}, {"mrope_section", {16, 24, 24}}}, 1e6);
    const auto right = mrope({16, 24, 24}, false, 1e6);
    given.y = on_axes(given.x, 128, true, [&](std::size_t k) {
      const auto [axis, theta] = right(k);
      const std::size_t from = one.from.at(axis);
      return std::pair<std::size_t, double>(from % 3, from == 3 ? 0 : theta);
    });
    const Sides sides = law.sides(given);
    says(sides.own, "rotate the pairs of each axis by the given positions on it");
    law.right_with(given, on_axes(given.x, 128, true, right));
    says(sides.reference, one.reference);
    says(law.diagnosed(given).dump(), std::string(one.finding).substr(4));
    Given followed = given;
    for (std::size_t i = 0; i < given.places.size(); ++i) {
      const std::size_t from = one.from.at(i % 3);
      followed.places[i] = from == 3 ? 0 : given.places[i - i % 3 + from];
    }
    law.right(followed, one.reference);
  }
}

/// Axes of 16, 56 and 56 dimensions, each with frequencies of its own.
std::pair<std::size_t, double> flux(std::size_t k) {
  if (k < 8) return {0, std::pow(1e4, -2.0 * static_cast<double>(k) / 16)};
  return {k < 36 ? 1 : 2, std::pow(1e4, -2.0 * static_cast<double>((k - 8) % 28) / 56)};
}
std::pair<std::size_t, double> two_halves(std::size_t k) {
  return {k < 32 ? 1 : 2, std::pow(1e4, -2.0 * static_cast<double>(k % 32) / 64)};
}

void axes(Law& law) {
  Given given = vision("", {}, 1e4);
  given.config = {};
  given.places.clear();
  given.options = {"--layout", "interleaved", "--base", "10000", "--axes", "16,56,56"};
  given.y = on_axes(given.x, 128, false, two_halves);
  const Sides sides = law.sides(given);
  says(sides.own, "rotate it by axes of 16, 56, 56 dimensions");
  law.right_with(given, on_axes(given.x, 128, false, flux));
  law.right_following(given, sides.reference);
}

/// M-RoPE whose axes the port does not know: it counts tokens.
void no_axes(Law& law) {
  Given given =
      vision("qwen2_5_vl_text", {{"type", "mrope"}, {"mrope_section", {16, 24, 24}}}, 1e6);
  const auto right = mrope({16, 24, 24}, false, 1e6);
  given.y = on_axes(given.x, 128, true, [&](std::size_t k) {
    return std::pair<std::size_t, double>(3, right(k).second);
  });
  const Sides sides = law.sides(given);
  says(sides.own, "turn each pair by the token's position on its axis");
  law.right_with(given, on_axes(given.x, 128, true, right));
  says(sides.reference, "count the tokens: leave out --axis-positions");
  given.places.clear();
  law.right(given, "positions are counted");
}

void axis_at_zero(Law& law) {
  Given given = vision("", {}, 1e4);
  given.config = {};
  given.places.clear();
  given.options = {"--layout", "interleaved", "--base", "10000"};
  given.y = on_axes(given.x, 128, false, [](std::size_t k) {
    return k < 8 ? std::pair<std::size_t, double>{0, 0} : flux(k);
  });
  law.right_following(given, law.remedy(given));
}

void pairs_over_head(Law& law) {
  // 8 frequencies of base 10000, in pairs (i, i + 8) or (i, i + 16).
  Port whole;
  whole.theta = [](std::size_t k) {
    return k < 8 ? std::pow(1e4, -static_cast<double>(k) / 8) : 0;
  };
  Given given =
      given_of(random_x(), whole(random_x()),
               {"--layout", "half", "--base", "10000", "--rotary-dim", "16", "--start", "0"});
  const Sides sides = law.sides(given);
  says(sides.own, "rotate the first 16 dimensions by themselves");
  law.right_with(given, sized(kDim, 16)(given.x));
  says(sides.reference,
       "pair dimension i with i + 16, and turn the other pairs by 0: --frequencies with the "
       "numbers that --json lists as theta");
  const Json theta = law.diagnosed(given).at("explanations").at(0).at("theta");
  given.options = {"--layout", "half",          "--start",
                   "0",        "--frequencies", join(theta.get<std::vector<double>>())};
  law.right(given, "pairs over the whole head");
}

void pairs_in_part(Law& law) {
  // The 8 frequencies of a proportional rule, in pairs (i, i + 16) or (i, i + 8).
  const auto theta = [](std::size_t k) {
    return k < 8 ? std::pow(1e4, -static_cast<double>(k) / 16) : 0;
  };
  Port part = sized(kDim, 16), whole;
  part.theta = whole.theta = theta;
  Given given = given_of(random_x(), part(random_x()),
                         {"--layout", "half", "--base", "10000", "--scaling",
                          "proportional:partial=0.5", "--start", "0"});
  const Sides sides = law.sides(given);
  says(sides.own, "pair dimension i with i + 16");
  law.right_with(given, whole(given.x));
  says(sides.reference, "rotate the first 16 dimensions: --rotary-dim 16 --frequencies");
  const Json listed = law.diagnosed(given).at("explanations").at(0).at("theta");
  given.options = {
      "--layout",     "half", "--start",       "0",
      "--rotary-dim", "16",   "--frequencies", join(listed.get<std::vector<double>>())};
  law.right(given, "pairs in the first half of the head");
}

Given tables(bool half_columns) {
  Given given;
  given.shape = {kTokens, kDim};
  given.as = {"--cos", "--sin"};
  given.options = stated("half");
  for (std::size_t t = 0; t < kTokens; ++t)
    for (std::size_t i = 0; i < kDim; ++i) {
      const double phi =
          static_cast<double>(t) * kHalf.frequency(half_columns ? i % (kDim / 2) : i / 2);
      given.x.push_back(std::cos(phi));
      given.y.push_back(std::sin(phi));
    }
  return given;
}

void tables_exchanged(Law& law) {
  Given given = tables(true);
  given.as = {"--sin", "--cos"};
  says(law.remedy(given), "exchange the two files");
  given.as = {"--cos", "--sin"};
  law.right(given, "exchanged back");
}

void table_columns(Law& law) {
  Given given = tables(false);
  const Sides sides = law.sides(given);
  says(sides.own, "repeat each column as in half layout");
  law.right(tables(true), "y is your own");
  law.right_following(given, sides.reference);
}

void token_axis(Law& law) {
  // [1, heads, tokens, d]: the heads were taken for tokens.
  Given given = given_of(random_x(), {}, stated("half"));
  given.options.insert(given.options.end(), {"--token-axis", "2"});
  given.shape = {1, kHeads, kTokens, kDim};
  const auto along = [&](bool heads) {
    Numbers y(given.x.size());
    for (std::size_t i = 0; i < given.x.size() / kDim; ++i) {
      Port port = kHalf;
      port.positions = {static_cast<double>(heads ? i / kTokens : i % kTokens)};
      const auto at = static_cast<std::ptrdiff_t>(i * kDim);
      const Numbers turned = port({given.x.begin() + at, given.x.begin() + at + kDim}, kDim);
      std::ranges::copy(turned, y.begin() + at);
    }
    return y;
  };
  given.y = along(true);
  const Sides sides = law.sides(given);
  says(sides.own, "transpose before the rotation");
  law.right_with(given, along(false));
  law.right_following(given, sides.reference);
}

}  // namespace

std::vector<RemedyCase> cases_of_layouts() {
  return {{"layout", layout},
          {"interleaved-to-half", interleaved_to_half},
          {"half-to-interleaved", half_to_interleaved},
          {"reordered-again", reordered_again},
          {"reordered-back", reordered_back},
          {"y-reordered-twice", y_reordered_twice},
          {"x-reordered-twice", x_reordered_twice},
          {"heads-in-one-axis", heads_in_one_axis},
          {"rotated-part", rotated_part},
          {"rotary-dim", rotary_dim},
          {"blocks", blocks},
          {"sections", sections},
          {"axes", axes},
          {"axis-positions", axis_positions},
          {"axis-at-zero", axis_at_zero},
          {"no-axes", no_axes},
          {"pairs-over-head", pairs_over_head},
          {"pairs-in-part", pairs_in_part},
          {"tables-exchanged", tables_exchanged},
          {"table-columns", table_columns},
          {"token-axis", token_axis}};
}

}  // namespace rope::test
