// cos and sin within kCosSinError, proved by machine for every angle: gappa for the roundings,
// sollya for the polynomials, z3 for the integers. What is proved is what the templates of
// turns_kernel.hpp write down about themselves: a kernel that does something else needs another
// proof, and one whose bound does not hold has none.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proofs/prover.hpp"
#include "proofs/recorded.hpp"
#include "rope/rotary/turns.hpp"
#include "rope/rotary/turns_kernel.hpp"

namespace rope {
namespace {

using test::exact_text;
using test::Prover;
using test::Recorded;
using test::RecordedBits;

// What gappa is to conclude, from an angle in steps of 2^-64 of a turn.
constexpr double kProvedSineError = 9.9e-17;
constexpr double kProvedCosineError = 1e-16;
constexpr double kProvedError = kProvedCosineError;  // the larger
constexpr double kCut = 0x1.921fb54442d19p-62;       // 2^-64 of a turn, in radians, rounded up
constexpr double kTableError = 2.2e-16;              // of A·cos and A·sin, relative to A

// What sollya proves, and where: x is the double that the kernel reduces an angle to, e the rest.
constexpr std::string_view kLargestX = "0.7853981633974484";
constexpr std::string_view kLargestE = "0x1p-53";
struct Approximation {
  std::string_view difference;  // in the names of turns_kernel.gappa
  std::string_view bound;
  std::string_view polynomial, function;  // of x; S and C are those of the kernel
  std::string_view largest;               // of |x|
};
constexpr std::array<Approximation, 6> kApproximations = {{
    {"Ms - sx", "7.706e-18", "x + x * (x^2 * S)", "sin(x)", kLargestX},
    {"Mc - cx", "9.06e-19", "(1 - 0.5 * x^2) + x^2 * x^2 * C", "cos(x)", kLargestX},
    {"(1 - 0.5 * Z) - cx", "0.01554", "1 - 0.5 * x^2", "cos(x)", kLargestX},
    {"x - sx", "0.0783", "x", "sin(x)", kLargestX},
    {"ce - 1", "6.17e-33", "1", "cos(x)", kLargestE},
    {"e - se", "2.3e-49", "x", "sin(x)", kLargestE},
}};
constexpr std::string_view kTwoPiBelow = "6.283185307179586476925286766559005768";
constexpr std::string_view kTwoPiAbove = "6.283185307179586476925286766559005769";

/// The kernel as it writes itself down.
std::string recorded() {
  auto steps = kernel::small_angle(Recorded("high_word"), Recorded("low_word"));
  auto& [high, low, head, tail, x, x_error, z, sine_sum, cosine_sum, half, near_one, sine_rest,
         sine, lost, cosine_rest, cosine] = steps;
  std::vector<std::pair<std::string, Recorded*>> named = {{"high", &high},
                                                          {"low", &low},
                                                          {"head", &head},
                                                          {"tail", &tail},
                                                          {"x", &x},
                                                          {"x_error", &x_error},
                                                          {"z", &z},
                                                          {"sine_sum", &sine_sum},
                                                          {"cosine_sum", &cosine_sum},
                                                          {"half", &half},
                                                          {"near_one", &near_one},
                                                          {"sine_rest", &sine_rest},
                                                          {"sine", &sine},
                                                          {"lost", &lost},
                                                          {"cosine_rest", &cosine_rest},
                                                          {"cosine", &cosine}};
  std::string text;
  for (auto& [name, number] : named) number->call(name);
  for (auto& [name, number] : named) text += name + " rnd= " + number->text() + ";\n";
  const Recorded square("Z");
  text += "Z = x * x;\n";
  text += "S = " + kernel::sine_polynomial(square).text() + ";\n";
  text += "C = " + kernel::cosine_polynomial(square).text() + ";\n";
  text += "TwoPiHead = " + exact_text(kernel::kTwoPiHead) + ";\n";
  text += "TwoPiTail = " + exact_text(kernel::kTwoPiTail) + ";\n";
  text += "TwoPi = " + exact_text(kernel::kTwoPi) + ";\n";
  return text;
}

std::string hypotheses() {
  std::string text =
      "  TP in [" + std::string(kTwoPiBelow) + ", " + std::string(kTwoPiAbove) + "] /\\\n";
  for (const Approximation& each : kApproximations)
    text += "  |" + std::string(each.difference) + "| <= " + std::string(each.bound) + " /\\\n";
  return text + "  |sx| <= 1 /\\ |cx| <= 1 /\\ |CX| <= 1\n";
}

std::string conclusions() {
  std::ostringstream text;
  text << "  |x| <= " << kLargestX << " /\\ |e| <= " << kLargestE << " /\\\n"
       << "  high - H in [0, 0] /\\ low - L in [0, 0] /\\ |cosine| <= 1 /\\ |sine| <= 1 /\\\n"
       << "  |sine - SX| <= " << kProvedSineError << " /\\ |cosine - CX| <= " << kProvedCosineError
       << "\n";
  return text.str();
}

std::string proof_file() {
  std::ifstream file(ROPE_SOURCE_DIR "/tests/proofs/turns_kernel.gappa");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Where the lines between "# name" and "# end" begin and how long they are.
std::pair<std::size_t, std::size_t> block(const std::string& text, const std::string& name) {
  const std::string start = "\n# " + name + "\n";
  const std::size_t begin = text.find(start) + start.size();
  return {begin, text.find("# end\n", begin) - begin};
}

std::string with_block(std::string text, const std::string& name, const std::string& lines) {
  const auto [begin, size] = block(text, name);
  return text.replace(begin, size, lines);
}

TEST(KernelProof, IsOfTheKernelAsItIsWritten) {
  const std::string file = proof_file();
  for (const auto& [name, lines] : {std::pair<std::string, std::string>{"recorded", recorded()},
                                    {"hypotheses", hypotheses()},
                                    {"conclusions", conclusions()}}) {
    const auto [begin, size] = block(file, name);
    EXPECT_EQ(file.substr(begin, size), lines)
        << "tests/proofs/turns_kernel.gappa proves another kernel than turns_kernel.hpp has: put "
           "in what it is now, and see whether the proof still carries";
  }
}

TEST(KernelProof, CosAndSinAreWithinTheirBoundForEveryAngle) {
  std::string script = with_block(proof_file(), "recorded", recorded());
  script = with_block(with_block(script, "hypotheses", hypotheses()), "conclusions", conclusions());
  Prover gappa("gappa");
  if (gappa.missing()) GTEST_SKIP() << gappa.remedy();
  EXPECT_TRUE(gappa.proves(script)) << gappa.said();
  // The fraction of a turn is cut to its upper 64 bits before.
  EXPECT_LE(kProvedError + kCut, kCosSinError);
}

TEST(KernelProof, TheTablesTimesAnAttentionFactorAreWithinTheirBound) {
  // A power of two in A changes no bit of the product's significand: A in [1, 2] stands for all
  // whose products are normal numbers.
  std::ostringstream script;
  script << "@rnd = float<ieee_64, ne>;\n"
         << "A = rnd(any_A); w = rnd(any_w); entry rnd= A * w;\n"
         << "{ A in [1, 2] /\\ |w| <= 1 /\\ |w - W| <= " << exact_text(kProvedError + kCut)
         << " -> |(entry - A * W) / A| <= " << exact_text(kTableError) << " }\n"
         << "(entry - A * W) / A -> (entry - A * w) / A + (w - W) { A <> 0 };\n";
  Prover gappa("gappa");
  if (gappa.missing()) GTEST_SKIP() << gappa.remedy();
  EXPECT_TRUE(gappa.proves(script.str())) << gappa.said();
}

TEST(KernelProof, ThePolynomialsAreAsNearAsTheProofTakesThemToBe) {
  std::ostringstream script;
  script << "prec = 200;\n";
  const Recorded square("x^2");
  script << "S = " << kernel::sine_polynomial(square).text() << ";\n"
         << "C = " << kernel::cosine_polynomial(square).text() << ";\n"
         << "if (2 * pi >= " << kTwoPiBelow << " && 2 * pi <= " << kTwoPiAbove
         << ") then print(\"holds\") else print(\"fails: 2 pi\");\n";
  for (const Approximation& each : kApproximations)
    script << "b = sup(supnorm(" << each.polynomial << ", " << each.function << ", [-"
           << each.largest << "; " << each.largest << "], absolute, 2^-20));\n"
           << "if (b <= " << each.bound
           << ") then print(\"holds\") else print(\"fails: " << each.difference
           << ", at most\", b);\n";
  script << "quit;\n";
  Prover sollya("sollya");
  if (sollya.missing()) GTEST_SKIP() << sollya.remedy();
  sollya.run(script.str());
  std::size_t held = 0;
  for (std::size_t at = sollya.said().find("holds"); at != std::string::npos;
       at = sollya.said().find("holds", at + 1))
    ++held;
  EXPECT_EQ(held, kApproximations.size() + 1) << sollya.said();
  EXPECT_EQ(sollya.said().find("fails"), std::string::npos) << sollya.said();
}

/// Whether z3 finds nothing that contradicts `claim`, for all words that are declared.
void expect_for_all_words(const std::string& words, const std::string& assumed,
                          const std::string& claim) {
  std::string script;
  std::istringstream names(words);
  for (std::string name; names >> name;) script += "(declare-const " + name + " (_ BitVec 64))\n";
  script += "(assert " + assumed + ")\n(assert (not " + claim + "))\n(check-sat)\n";
  Prover z3("z3");
  if (z3.missing()) GTEST_SKIP() << z3.remedy();
  z3.run(script);
  EXPECT_EQ(z3.said(), "unsat\n") << script;
}

TEST(KernelProof, AnAngleIsItsQuarterTurnsAndTheRestForAll64Bits) {
  const auto parts = kernel::quarter_and_rest(RecordedBits(std::string("turns")));
  const RecordedBits one(1);
  const RecordedBits together = (parts.quarter << 62) + (parts.high << 32) + parts.low;
  expect_for_all_words("turns", "true",
                       "(and (= turns " + (together - (one << 61)).text() + ") (bvult " +
                           parts.high.text() + " " + (one << 30).text() + ") (bvult " +
                           parts.low.text() + " " + (one << 32).text() + ") (bvult " +
                           parts.quarter.text() + " " + RecordedBits(4).text() + "))");
}

TEST(KernelProof, AQuarterTurnSwapsAndNegatesForAllBits) {
  const RecordedBits c(std::string("c")), s(std::string("s")), quarter(std::string("quarter"));
  const auto bits = kernel::turned_by_quarters(quarter, c, s);
  const std::string sign = (RecordedBits(1) << 63).text();
  const auto is = [&](std::uint64_t q, const std::string& cosine, const std::string& sine) {
    return "(=> (= quarter " + RecordedBits(q).text() + ") (and (= " + bits.cosine.text() + " " +
           cosine + ") (= " + bits.sine.text() + " " + sine + ")))";
  };
  const std::string minus_c = "(bvxor c " + sign + ")", minus_s = "(bvxor s " + sign + ")";
  expect_for_all_words("c s quarter", "(bvult quarter " + RecordedBits(4).text() + ")",
                       "(and " + is(0, "c", "s") + is(1, minus_s, "c") + is(2, minus_c, minus_s) +
                           is(3, "s", minus_c) + ")");
}

TEST(KernelProof, AnIntegerBelow2To32BecomesThatDouble) {
  // What exact_double does to the bits; the first test below looks that it does.
  expect_for_all_words(
      "n", "(bvult n #x0000000100000000)",
      "(= (fp.sub RNE ((_ to_fp 11 53) (bvor n #x4330000000000000)) ((_ to_fp 11 53) "
      "#x4330000000000000)) ((_ to_fp_unsigned 11 53) RNE n))");
  for (std::uint64_t n = 1; n < std::uint64_t{1} << 32; n = 3 * n + 1)
    ASSERT_EQ(kernel::exact_double(n), static_cast<double>(n));
}

TEST(KernelProof, APositionTimesAFractionIsTheProductModuloOneTurnForAllBits) {
  // Of turns.hpp: an integer of 64 bits with its sign, as a factor of 128 bits, and the product of
  // which 128 bits are kept. 192 bits hold the product of the integers themselves.
  Prover z3("z3");
  if (z3.missing()) GTEST_SKIP() << z3.remedy();
  z3.run(
      "(declare-const m (_ BitVec 64))\n(declare-const f (_ BitVec 128))\n"
      "(assert (not (= (bvmul ((_ sign_extend 64) m) f) ((_ extract 127 0) (bvmul ((_ sign_extend "
      "128) m) ((_ zero_extend 64) f))))))\n(check-sat)\n");
  EXPECT_EQ(z3.said(), "unsat\n");
}

}  // namespace
}  // namespace rope
