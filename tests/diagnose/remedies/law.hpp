#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run.hpp"
#include "rope/diagnose/remedy.hpp"
#include "rope/precision/format.hpp"

// Every remedy works: a mistake is planted, what `rope diagnose` prints about it is done, and then
// nothing is left to remedy.
namespace rope::test {

inline constexpr std::size_t kTokens = 24, kHeads = 4, kDim = 32, kRow = kHeads * kDim;

using Json = nlohmann::json;
using Numbers = std::vector<double>;
using Options = std::vector<std::string>;

Numbers random_numbers(std::size_t size, std::uint64_t seed);

/// An implementation of [tokens, heads, d] in which one thing after the other can be wrong.
struct Port {
  bool half = true;
  std::size_t dim = kDim, rotary_dim = 0;  ///< 0: all of them
  std::size_t first = 0;                   ///< of the rotated dimensions
  double base = 1e4;
  std::vector<double> positions;                 ///< 0, 1, 2 … if there are none
  std::function<double(std::size_t k)> theta;    ///< b^(−2i/r) if there is none
  std::function<double(double angle)> of_angle;  ///< what is done to mθ
  double sine = 1, factor = 1;                   ///< in front of sin; of both
  Format format = Format::float64;               ///< of cos, sin, products and sums

  std::size_t pairs() const { return (rotary_dim > 0 ? rotary_dim : dim) / 2; }
  double frequency(std::size_t k) const;
  double position(std::size_t token) const;
  /// `x`: tokens of `row` numbers.
  Numbers operator()(const Numbers& x, std::size_t row = kRow) const;
};

/// What is given to `rope diagnose`.
struct Given {
  Numbers x, y;
  Options options = {};
  Json config = {};  ///< --config; null if there is none
  std::vector<std::uint64_t> shape = {kTokens, kHeads, kDim};
  Options as = {"--input", "--result"};   ///< or "--cos", "--sin"
  std::vector<std::int64_t> places = {};  ///< --axis-positions: three numbers per token, if any
  Format format = Format::float32;        ///< of both files
};

struct Sides {
  std::string own, reference;
};

class Law : public CliTest, public testing::WithParamInterface<KnownRemedy> {
 public:
  using CliTest::rope;
  using CliTest::shell;

  /// The remedy, as it is printed about what is given.
  std::string remedy(const Given& given);
  /// The two halves of one that depends on whose tensor is wrong.
  Sides sides(const Given& given);
  /// Nothing is left to remedy: what is stated fits, or one convention does.
  void right(const Given& given, const std::string& what);
  /// y is made anew, as its maker was told.
  void right_with(Given given, const Numbers& y, const std::string& what = "y is your own");
  /// What is printed is done to config.json and to the options, and to nothing else.
  void right_following(Given given, const std::string& words);
  /// The rows of q_proj, which made x, after the line of `rope convert` in a remedy.
  Numbers converted(const Given& given, const std::string& words);
  Json diagnosed(const Given& given);
};

/// One mistake, planted and remedied.
struct RemedyCase {
  RemedyName remedy;
  std::function<void(Law& law)> run;
};
std::vector<RemedyCase> cases_of_positions();
std::vector<RemedyCase> cases_of_frequencies();
std::vector<RemedyCase> cases_of_layouts();
std::vector<RemedyCase> cases_of_mistakes();

/// Whether a text holds these words; else the test fails.
void says(const std::string& text, const std::string& words);
/// The number behind these words.
double number_after(const std::string& text, const std::string& words);
std::string join(const std::vector<double>& numbers);
std::vector<double> count(double first, std::size_t tokens = kTokens, double step = 1);
Numbers rounded(Format format, Numbers numbers);
double dot(const Numbers& a, const Numbers& b);

}  // namespace rope::test
