#include "rope/diagnose/advice.hpp"

#include <algorithm>
#include <cmath>

#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

constexpr double kBaseSlack = 1e-9;  // of a base that is given exactly

/// A rule with its parameters, lists by their length alone.
std::string rule_text(const ScalingSpec& spec) {
  ScalingSpec numbers = spec;
  numbers.lists.clear();
  std::string text = scaling_text(numbers);
  for (const auto& [key, values] : spec.lists)
    text += (text.find(':') == std::string::npos ? ":" : ",") + key + "=" +
            std::to_string(values.size()) + " numbers";
  return text;
}

std::string pairs_text(PairLayout layout) {
  return layout == PairLayout::interleaved ? "(2k, 2k+1)" : "(k, k + r/2)";
}

std::string reorder(std::string_view from, std::string_view to, std::size_t r) {
  const std::string half = std::to_string(r / 2);
  const std::string rows = from == "interleaved"
                               ? "row j·" + half + " + k becomes the old row 2k + j"
                               : "row 2k + j becomes the old row j·" + half + " + k";
  return "in every head of q_proj and k_proj, " + rows + " (j = 0, 1): rope convert --from " +
         std::string(from) + " --to " + std::string(to);
}

void layout_difference(const Explanation& e, PairLayout assumed, std::vector<Advice>& result) {
  const Arrangement& a = e.arrangement;
  if (a.in != a.out || a.pairs() < 2) return;  // order_remark() covers it; one pair has no layout
  if (a.in != 0 && a.in != -1) return;
  const PairLayout found = a.in == 0 ? PairLayout::interleaved : PairLayout::half;
  if (found == assumed) return;
  result.push_back({"the pairs are " + std::string(name(found)) + " " + pairs_text(found) +
                        ", you assume " + std::string(name(assumed)) + " " + pairs_text(assumed),
                    "rotate " + std::string(name(found)) + " pairs, or reorder the weights: " +
                        reorder(name(found), name(assumed), a.rotary_dim)});
}

void size_difference(const Explanation& e, const RotaryEmbedding& assumed,
                     std::vector<Advice>& result) {
  const Arrangement& a = e.arrangement;
  if (a.rotary_dim != assumed.rotary_dim())
    result.push_back({std::to_string(a.rotary_dim) + " dimensions are rotated, you assume " +
                          std::to_string(assumed.rotary_dim()),
                      "set the rotated size (partial_rotary_factor, rotary_pct, n_dims) to " +
                          std::to_string(a.rotary_dim)});
}

/// Compares frequencies pair by pair, where they differ in neither base nor rule.
void pairwise_difference(const Spectrum& spectrum, const RotaryEmbedding& assumed,
                         std::vector<Advice>& result) {
  const std::vector<double>& a = spectrum.embedding.frequencies.theta;
  const std::vector<double>& b = assumed.frequencies.theta;
  if (a.size() != b.size()) {
    result.push_back({std::to_string(a.size()) + " pairs have frequencies, you assume " +
                          std::to_string(b.size()),
                      "give one frequency per pair"});
    return;
  }
  std::size_t differing = 0, first = 0;
  for (std::size_t k = a.size(); k-- > 0;)
    if (!(std::abs(a[k] - b[k]) <= spectrum.error_of(k) + 1e-9 * b[k])) {
      ++differing;
      first = k;
    }
  result.push_back({std::to_string(differing) + " of " + std::to_string(a.size()) +
                        " frequencies differ: θ_" + std::to_string(first) + " is " +
                        plain_number(a[first]) + ", you assume " + plain_number(b[first]),
                    spectrum.recognised
                        ? "they are those of " + frequencies_text(spectrum)
                        : "they follow no known rule; --json lists theta pair by pair"});
}

/// The number of heads over whose hidden size the exponent may be: the found base is that root of
/// `usual`. 0 if there is none, or if the base is not known well enough to tell.
double heads_in_exponent(const Spectrum& spectrum, double usual) {
  constexpr double kFewestHeads = 4, kMostHeads = 128;
  constexpr double kNarrow = 1e-4;  // less than lies between the roots of two numbers of heads
  if (!(spectrum.base_high <= spectrum.base_low * (1 + kNarrow))) return 0;
  for (double heads = kFewestHeads; heads <= kMostHeads; ++heads) {
    const double root = std::pow(usual, 1 / heads);
    if (root >= spectrum.base_low * (1 - kBaseSlack) &&
        root <= spectrum.base_high * (1 + kBaseSlack))
      return heads;
  }
  return 0;
}

std::string over_hidden_size(double heads) {
  return "as if the exponent were over the hidden size of " + plain_number(heads) + " heads";
}

/// Recognises the factor by which every θ_k is wrong where pairs are counted from 1, or from −1.
bool counting_remark(const RotaryEmbedding& found, std::vector<Advice>& result) {
  constexpr double kNear = 1e-5;
  if (!found.base || found.scaling.rule != "linear") return false;
  const double factor = found.scaling.numbers.at("factor");
  const double step = std::pow(*found.base, 2 / static_cast<double>(found.rotary_dim()));
  const bool late = std::abs(factor / step - 1) < kNear;
  const bool early = std::abs(factor * step - 1) < kNear;
  if (late == early) return false;
  result.push_back({std::string("all pairs turn as the ") + (late ? "next" : "previous") +
                        " one should: the factor is b^(" + (late ? "2" : "−2") +
                        "/r), as if the exponent were " + (late ? "−2(k + 1)/r" : "−2(k − 1)/r"),
                    "count pairs from 0: θ_0 = 1"});
  return true;
}

void frequency_difference(const Spectrum& spectrum, const RotaryEmbedding& assumed,
                          std::vector<Advice>& result) {
  if (same_frequencies(spectrum, named(assumed))) return;
  const RotaryEmbedding& found = spectrum.embedding;
  if (!spectrum.recognised || !found.base || !assumed.base || found.pairs() < 2) {
    pairwise_difference(spectrum, assumed, result);
    return;
  }
  const std::size_t before = result.size();
  const bool may_be_assumed =
      *assumed.base >= spectrum.base_low && *assumed.base <= spectrum.base_high;
  if (*found.base != *assumed.base && !may_be_assumed) {
    std::string remedy = "set rope_theta to " + plain_number(*found.base);
    const double ratio = std::log(*found.base) / std::log(*assumed.base);
    if (std::abs(ratio - 0.5) < 1e-6)
      remedy += ": it is the square root of yours, as if the exponent were k/r instead of 2k/r";
    if (std::abs(ratio - 2) < 1e-6)
      remedy += ": it is the square of yours, as if the exponent were 4k/r instead of 2k/r";
    if (const double heads = heads_in_exponent(spectrum, *assumed.base); heads > 0)
      remedy += ": it is a root of yours, " + over_hidden_size(heads);
    result.push_back(
        {"the base is " + plain_number(*found.base) + ", you assume " + plain_number(*assumed.base),
         remedy});
  }
  if ((found.scaling.rule != assumed.scaling.rule ||
       found.scaling.numbers != assumed.scaling.numbers) &&
      !counting_remark(found, result))
    result.push_back({"the frequencies follow " + rule_text(found.scaling) + ", you assume " +
                          rule_text(assumed.scaling),
                      "set rope_scaling accordingly"});
  // The difference is in a list of numbers.
  if (result.size() == before && found.pairs() == assumed.pairs())
    pairwise_difference(spectrum, assumed, result);
}

/// Recognises the base that NTK-aware scaling makes of a usual one: b·s^(r/(r−2)).
void ntk_remark(const Spectrum& spectrum, std::vector<Advice>& result) {
  const RotaryEmbedding& e = spectrum.embedding;
  const std::optional<double> base = e.geometric_base();
  if (!base || !spectrum.recognised || e.pairs() < 2) return;
  const auto r = static_cast<double>(e.rotary_dim());
  const double power = r / (r - 2);
  if (!(spectrum.base_low > 0) || !std::isfinite(spectrum.base_high)) return;
  const auto may_be = [&](double other) {
    return other >= spectrum.base_low * (1 - kBaseSlack) &&
           other <= spectrum.base_high * (1 + kBaseSlack);
  };
  for (const double usual : kUsualBases) {
    if (may_be(usual)) return;
    for (const double factor : {2.0, 4.0, 8.0, 16.0, 32.0})
      if (may_be(usual * std::pow(factor, power))) {
        result.push_back({"this base is what NTK-aware scaling of base " + plain_number(usual) +
                              " by " + plain_number(factor) + " gives",
                          ""});
        return;
      }
  }
}

/// Recognises a root of a usual base.
void hidden_size_remark(const Spectrum& spectrum, std::vector<Advice>& result) {
  if (!spectrum.embedding.geometric_base() || !spectrum.recognised) return;
  for (const double usual : kUsualBases)
    if (const double heads = heads_in_exponent(spectrum, usual); heads > 0) {
      result.push_back({"this base is " + plain_number(usual) + "^(1/" + plain_number(heads) +
                            "), " + over_hidden_size(heads),
                        "divide 2k by the rotated size of one head"});
      return;
    }
}

void linear_remark(const Spectrum& spectrum, std::vector<Advice>& result) {
  const RotaryEmbedding& e = spectrum.embedding;
  if (e.scaling.rule != "linear") return;
  const double factor = e.scaling.numbers.at("factor");
  const auto r = static_cast<double>(e.rotary_dim());
  if (counting_remark(e, result)) return;
  if (factor < 1)
    result.push_back(
        {"a factor below 1 is the same as positions in steps of " + plain_number(1 / factor),
         "count positions one by one"});
  else if (r > 2)
    for (const double s : {2.0, 4.0, 8.0, 16.0, 32.0})
      if (std::abs(factor / std::pow(s, r / (r - 2)) - 1) < 1e-5)
        result.push_back({"all pairs are divided by " + plain_number(s) +
                              "^(r/(r − 2)): the factor that NTK-aware scaling puts into the base",
                          "multiply the base by it, and leave the frequencies alone"});
}

void order_remark(const Explanation& e, std::vector<Advice>& result) {
  const Arrangement& a = e.arrangement;
  if (a.in == 0 && a.out == -1)
    result.push_back(
        {"x holds its pairs interleaved, y holds them half: the rotation reorders them, as "
         "DeepSeek's does in transformers, or y comes from weights that were reordered",
         "if x comes from your own weights, they still have Meta's order: " +
             reorder("interleaved", "half", a.rotary_dim)});
  if (a.in == -1 && a.out == 0)
    result.push_back(
        {"x holds its pairs half, y holds them interleaved: y comes from weights in "
         "Meta's order, x from weights in Hugging Face's",
         reorder("half", "interleaved", a.rotary_dim)});
  if (a.in == -2 && a.out == -1)
    result.push_back(
        {"x is in the order that results when rows already in half order are reordered from "
         "interleaved to half once more",
         "leave out the second reordering of q_proj and k_proj"});
  if (a.in == 1 && a.out == 0)
    result.push_back(
        {"x is in the order that results when interleaved rows are reordered from half to "
         "interleaved",
         "leave out that reordering of q_proj and k_proj"});
  if (a.offset > 0)
    result.push_back({"the rotated dimensions are " + std::to_string(a.offset) + " to " +
                          std::to_string(a.offset + a.rotary_dim - 1) + ", not the first ones",
                      "rotate that part of each head and pass the rest through"});
}

void position_remark(const Explanation& e, bool given, std::vector<Advice>& result) {
  if (given && !e.position_offset)
    result.push_back({"the positions are neither the given ones nor at a constant offset from them",
                      "compare them with the listed runs"});
  if (!e.position_offset || *e.position_offset == 0) return;
  const std::int64_t offset = *e.position_offset;
  if (given)
    result.push_back({"positions are " + std::to_string(std::abs(offset)) +
                          (offset > 0 ? " higher" : " lower") + " than the given ones",
                      "add " + std::to_string(offset) + " to them, or correct the cache's start"});
  else
    result.push_back({"positions start at " + std::to_string(offset),
                      "start at 0 unless a cache or padding stands before these tokens"});
}

void direction_remark(const Explanation& e, std::vector<Advice>& result) {
  if (e.spectrum().clockwise && !e.direction_open)
    result.push_back({"the rotation is by −mθ: R_m is transposed",
                      "flip the sign of the sines; scores are the same if q and k agree"});
  if (e.spectrum().reversed && !e.direction_open)
    result.push_back({"the slowest pair stands first", "reverse the order of the frequencies"});
}

/// Names the factors that come from elsewhere: 1/√d of the scores, and one that was applied twice.
void factor_difference(const Spectrum& spectrum, double assumed, std::vector<Advice>& result) {
  const double found = spectrum.embedding.attention_factor;
  const double error = 1e-6 + spectrum.factor_error;
  if (std::abs(found - assumed) <= error * larger(1.0, found)) return;
  const auto is = [&](double other) { return std::abs(found / other - 1) <= error; };
  std::string text = plain_number(found);
  std::string remedy = "scale cos and sin by it, or the scores by its square";
  constexpr std::array kHeads = {32, 64, 80, 96, 112, 128, 160, 192, 256};
  for (const int head : kHeads)
    if (is(assumed / std::sqrt(head))) {
      text += ", " + plain_number(assumed) + "/√" + std::to_string(head);
      remedy = "divide the scores by √" + std::to_string(head) +
               " once: either here or where q meets k, not in both";
    }
  if (assumed != 1 && is(assumed * assumed)) {
    text += ", the square of " + plain_number(assumed);
    remedy = "multiply cos and sin by " + plain_number(assumed) +
             " once: its square stands in the scores alone";
  }
  result.push_back(
      {"the attention factor is " + text + ", you assume " + plain_number(assumed), remedy});
}

/// More than one set of frequencies, as in a cache whose keys were rotated by others.
void run_differences(const Explanation& e, std::vector<Advice>& result) {
  if (e.regimes.size() > 1)
    result.push_back({"tokens are rotated by " + std::to_string(e.regimes.size()) +
                          " different sets of frequencies, you assume one",
                      "rotate the keys of a cache by the frequencies that the queries have"});
}

}  // namespace

std::string frequencies_text(const Spectrum& spectrum) {
  if (!spectrum.recognised) return "as measured";
  std::string text = rule_text(spectrum.embedding.scaling);
  if (spectrum.embedding.base) text += ", base " + plain_number(*spectrum.embedding.base);
  return text;
}

std::vector<Advice> differences(const Explanation& explanation, const Assumption& assumption) {
  std::vector<Advice> result;
  const RotaryEmbedding& assumed = assumption.embedding;
  const Spectrum& spectrum = explanation.spectrum();
  if (assumption.layout && explanation.pairs_seen)
    layout_difference(explanation, assumed.layout, result);
  size_difference(explanation, assumed, result);
  order_remark(explanation, result);
  if (assumption.frequencies) frequency_difference(spectrum, assumed, result);
  direction_remark(explanation, result);
  if (assumption.positions) position_remark(explanation, true, result);
  run_differences(explanation, result);
  factor_difference(spectrum, assumed.attention_factor, result);
  return result;
}

std::vector<Advice> remarks(const Explanation& explanation, bool positions_given) {
  std::vector<Advice> result;
  order_remark(explanation, result);
  position_remark(explanation, positions_given, result);
  direction_remark(explanation, result);
  ntk_remark(explanation.spectrum(), result);
  hidden_size_remark(explanation.spectrum(), result);
  linear_remark(explanation.spectrum(), result);
  return result;
}

}  // namespace rope
