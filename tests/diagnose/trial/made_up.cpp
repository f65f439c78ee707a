#include "diagnose/trial/made_up.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/samples.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope::test {
namespace {

/// A family of models as engines run them.
struct Family {
  const char* name;
  std::size_t head, rotated, offset;
  int order;  // as in Arrangement: 0 interleaved, −1 half
  double base;
  const char* scaling;
};
constexpr std::array kFamilies = {
    Family{"Llama 2", 128, 128, 0, -1, 1e4, ""},
    Family{"Llama 3", 128, 128, 0, -1, 5e5, ""},
    Family{"Llama 3.1", 128, 128, 0, -1, 5e5, "llama3:factor=8,low=1,high=4,original=8192"},
    Family{"Llama 3.2", 64, 64, 0, -1, 5e5, "llama3:factor=32,low=1,high=4,original=8192"},
    Family{"Llama 2 in GGUF", 128, 128, 0, 0, 1e4, ""},
    Family{"Mistral 7B v0.3", 128, 128, 0, -1, 1e6, ""},
    Family{"Qwen 2.5", 128, 128, 0, -1, 1e6, ""},
    Family{"Qwen 2.5, YaRN", 128, 128, 0, -1, 1e6, "yarn:factor=4,original=32768"},
    Family{"Gemma", 256, 256, 0, -1, 1e4, ""},
    Family{"Gemma 3, global", 128, 128, 0, -1, 1e6, "linear:factor=8"},
    Family{"GPT-NeoX", 96, 24, 0, -1, 1e4, ""},
    Family{"Pythia", 64, 16, 0, -1, 1e4, ""},
    Family{"GPT-J", 256, 64, 0, 0, 1e4, ""},
    Family{"GLM-4", 128, 64, 0, 0, 1e4, ""},
    Family{"Command R", 128, 128, 0, 0, 8e6, ""},
    Family{"Cohere 35B", 128, 128, 0, 0, 1e4, ""},
    Family{"DeepSeek V2", 192, 64, 128, 0, 1e4, "yarn:factor=40,original=4096"},
    Family{"Phi-2", 80, 32, 0, -1, 1e4, ""},
    Family{"Falcon", 64, 64, 0, -1, 1e4, ""},
    Family{"gpt-oss", 64, 64, 0, -1, 1.5e5, "yarn:factor=32,original=4096"},
};

class Draw {
 public:
  Draw(std::uint64_t seed, std::uint64_t number) : random_(seed, number) {}

  MadeUp draw(bool realistic) {
    MadeUp made;
    made.realistic = realistic;
    made.width =
        realistic ? std::array{Width::bfloat16, Width::bfloat16, Width::float16, Width::float32}.at(
                        pick(4))
                  : static_cast<Width>(pick(4));
    made.policy = policy(made.width);
    realistic ? as_models_have_it(made) : anything(made);
    arrange(made);
    place(made);
    fill(made);
    return made;
  }

 private:
  std::size_t pick(std::int64_t n) { return static_cast<std::size_t>(random_.integer(0, n - 1)); }

  Policy policy(Width width) {
    constexpr std::array<std::array<const char*, 3>, 4> kPolicies = {
        {{"float64", "float64", "exact"},
         {"float32", "ggml", "float64-angle"},
         {"bfloat16-table", "bfloat16-store", "float64-angle-bfloat16"},
         {"float16-table", "float32,store=f16", "float32,table=f16,store=f16"}}};
    return parse_policy(kPolicies.at(static_cast<std::size_t>(width)).at(pick(3)));
  }

  void as_models_have_it(MadeUp& made) {
    const Family& family = kFamilies.at(pick(kFamilies.size()));
    head_ = family.head;
    made.arrangement = {family.offset, family.rotated, family.order, family.order};
    const ScalingSpec scaling =
        family.scaling[0] == 0 ? ScalingSpec{} : parse_scaling(family.scaling);
    made.embedding =
        scaled_embedding(scaling, {family.base, family.rotated, family.rotated, {}, {}});
  }

  void anything(MadeUp& made) {
    head_ = std::array<std::size_t, 7>{16, 32, 64, 80, 96, 128, 256}.at(pick(7));
    Arrangement& a = made.arrangement;
    a.rotary_dim = std::array<std::size_t, 4>{head_, head_, head_ / 2, head_ / 4}.at(pick(4));
    a.offset = pick(4) == 0 ? head_ - a.rotary_dim : 0;
    constexpr std::array<std::pair<int, int>, 6> kOrders = {
        {{0, 0}, {-1, -1}, {0, 0}, {-1, -1}, {0, -1}, {-1, 0}}};
    std::tie(a.in, a.out) = kOrders.at(pick(6));
    made.clockwise = pick(4) == 0;
    made.noise = pick(4) == 0;
    made.embedding = embedding(a.rotary_dim);
  }

  /// As models have it, or any number.
  double factor() {
    if (pick(2) == 0) return std::array<double, 4>{2, 4, 8, 32}.at(pick(4));
    const double any = 1.5 * std::exp2(5.4 * static_cast<double>(random_.integer(0, 1000)) / 1000);
    return pick(2) == 0 ? any : std::ceil(any);
  }

  double length() {
    if (pick(2) == 0) return pick(2) == 0 ? 4096 : 8192;
    return std::exp2(static_cast<double>(random_.integer(10, 18)));
  }

  RotaryEmbedding embedding(std::size_t rotary_dim) {
    constexpr std::array<double, 6> kKnown = {1e4, 5e5, 1e6, 1e4, 5e6, 1.5e5};
    const double exponent = 2 + 6 * static_cast<double>(random_.integer(0, 1 << 20)) / (1 << 20);
    const double base = pick(2) == 0 ? kKnown.at(pick(6)) : std::pow(10.0, exponent);
    const ScalingContext context{base, rotary_dim, rotary_dim, {}, {}};
    const double factor = this->factor(), original = length();
    const std::size_t rule = pick(10);
    if (rule == 0) return scaled_embedding({"linear", {{"factor", factor}}, {}}, context);
    if (rule == 1 && rotary_dim > 2)
      return scaled_embedding({"ntk", {{"factor", factor}}, {}}, context);
    if (rule == 2 && rotary_dim > 8)
      return scaled_embedding({"yarn", {{"factor", factor}, {"original", original}}, {}}, context);
    if (rule == 3) {
      const auto [low, high] =
          std::array<std::pair<double, double>, 4>{{{1, 4}, {1, 4}, {1, 8}, {2, 4}}}.at(pick(4));
      return scaled_embedding(
          {"llama3",
           {{"factor", factor}, {"low", low}, {"high", high}, {"original", original}},
           {}},
          context);
    }
    return scaled_embedding({}, context);
  }

  /// Half of them of 1 to 16 tokens, in arrays of three or four axes.
  void arrange(MadeUp& made) {
    const bool few = pick(2) == 0;
    const auto tokens = static_cast<std::size_t>(
        few ? random_.integer(1, 16) : random_.integer(17, made.realistic ? 128 : 200));
    const std::size_t heads = std::array<std::size_t, 4>{1, 2, 4, 8}.at(pick(4));
    const std::size_t rows = tokens > 1 && pick(6) == 0 ? 2 + pick(2) : 1;
    switch (pick(4)) {
      case 0:
        made.shape = {tokens, heads, head_};
        made.axis = 0;
        break;
      case 1:
        made.shape = {heads, tokens, head_};
        made.axis = 1;
        break;
      case 2:
        made.shape = {rows, tokens, heads, head_};
        made.axis = 1;
        break;
      default:
        made.shape = {rows, heads, tokens, head_};
        made.axis = 2;
    }
    if (made.shape.size() == 4 && rows > 1 && pick(2) == 0) made.row_axis = 0;
  }

  /// Mostly counted; some packed, padded, falling, in any order or scattered.
  void place(MadeUp& made) {
    const std::size_t tokens = made.tokens();
    const std::int64_t offset = pick(2) == 0 ? 0 : random_.integer(1, 5000);
    std::vector<std::int64_t> positions = counted(offset, tokens);
    const auto reset = [&](std::size_t from, std::int64_t first) {
      for (std::size_t t = from; t < tokens; ++t)
        positions[t] = first + static_cast<std::int64_t>(t - from);
    };
    const std::size_t kind = pick(made.realistic ? 16 : 12);
    if (made.row_axis) {
      made.order = Order::left_padded_rows;
      for (std::size_t row = 0; row < made.shape[0]; ++row) {
        const auto padding = static_cast<std::size_t>(
            row == 0 ? 0 : random_.integer(1, static_cast<std::int64_t>(tokens) - 1));
        for (std::size_t t = 0; t < tokens; ++t)
          made.positions.push_back(t < padding ? 1 : static_cast<std::int64_t>(t - padding));
      }
      return;
    }
    if (kind == 0 && tokens > 8) {
      made.order = Order::packed;
      reset(static_cast<std::size_t>(random_.integer(3, static_cast<std::int64_t>(tokens) - 3)), 0);
    } else if (kind == 1 && tokens > 8) {
      made.order = Order::padded;
      const std::size_t padding = 1 + pick(4);
      std::fill_n(positions.begin(), padding, 1);
      reset(padding, 0);
    } else if (!made.realistic && tokens < 17 && kind >= 2 && kind < 5) {
      made.order = kind == 2 ? Order::falling : kind == 3 ? Order::mixed : Order::scattered;
      if (kind == 2) std::reverse(positions.begin(), positions.end());
      if (kind == 3)
        for (std::size_t i = positions.size(); i > 1; --i)
          std::swap(positions[i - 1], positions[pick(static_cast<std::int64_t>(i))]);
      if (kind == 4)
        for (std::int64_t& position : positions) position = random_.integer(0, 20000);
    }
    made.positions = std::move(positions);
  }

  void fill(MadeUp& made) {
    std::size_t size = 1;
    for (const std::size_t axis : made.shape) size *= axis;
    std::vector<double> x(size);
    random_.fill_normal(x);
    for (double& each : x) each = round_to(made.policy.store, each);
    const RotatedTensors view = made.row_axis
                                    ? rotated_rows(made.shape, *made.row_axis, made.axis, x, x)
                                    : rotated_tensors(made.shape, made.axis, x, x);
    const CopiedNumbers numbers = copied(view);
    RotatedVectors tensors{view.tokens, view.lanes, view.dim, numbers.x, numbers.y};
    rotate_into({made.arrangement, made.embedding, made.policy, made.clockwise}, made.positions,
                tensors);
    if (made.noise)
      for (std::size_t row = 0; row < tensors.y.size(); row += tensors.dim)
        for (std::size_t i = 0; i < made.arrangement.rotary_dim; ++i)
          disturb(made, tensors.y[row + made.arrangement.offset + i]);
    made.y.resize(size);
    for (std::size_t t = 0; t < view.tokens; ++t)
      for (std::size_t lane = 0; lane < view.lanes; ++lane)
        for (std::size_t i = 0; i < view.dim; ++i)
          made.y[view.row(t, lane) + i] = tensors.y[tensors.row(t, lane) + i];
    made.x = std::move(x);
  }

  /// The number or one of its neighbours in the format.
  void disturb(const MadeUp& made, double& value) {
    const double step = 1.5 * made.unit() * value * static_cast<double>(random_.integer(-1, 1));
    value = round_to(made.policy.store, value + step);
  }

  RandomStream random_;
  std::size_t head_ = 0;
};

/// Whether an explanation leaves something open in these words.
bool says(const Explanation& e, const std::string& words) {
  return std::any_of(e.open.begin(), e.open.end(), [&](const std::string& sentence) {
    return sentence.find(words) != std::string::npos;
  });
}

/// Whether all positions are off by one number.
bool shifted(const std::vector<std::int64_t>& told, const std::vector<std::int64_t>& truth) {
  if (told.size() != truth.size()) return false;
  for (std::size_t i = 0; i < told.size(); ++i)
    if (told[i] - truth[i] != told[0] - truth[0]) return false;
  return true;
}

/// What an explanation says that every θ_i may be off by: what was measured, or how far the ends
/// of its interval of the base, put through its rule, are apart.
std::vector<double> stated_errors(const Spectrum& s) {
  const RotaryEmbedding& e = s.embedding;
  std::vector<double> errors = s.theta_error;
  errors.resize(e.pairs());
  const bool between = s.base_low > 0 && s.base_high > s.base_low && std::isfinite(s.base_high);
  if (!s.recognised || !between) return errors;
  const auto at = [&](double base) {
    return scaled_embedding(e.scaling,
                            {base, e.head_dim, e.rotary_dim(), e.max_positions, e.seq_len})
        .frequencies.theta;
  };
  const std::vector<double> low = at(s.base_low), high = at(s.base_high);
  for (std::size_t k = 0; k < errors.size(); ++k)
    errors[k] =
        std::max(errors[k], e.frequencies.theta[k] * std::log(s.divisor_high / s.divisor_low) +
                                std::abs(low[k] - high[k]));
  return errors;
}

/// The positions as the tokens of the answer have them; nothing if it takes another axis for
/// them.
std::optional<std::vector<std::int64_t>> positions_in(const ArrayDiagnosis& found,
                                                      const MadeUp& made) {
  if (found.diagnosis.token_axis != made.axis) {
    if (made.axis == 0 && found.row_tokens > 0) {  // its tokens were taken for rows
      std::vector<std::int64_t> all;
      for (const std::int64_t position : made.positions)
        all.insert(all.end(), found.row_tokens, position);
      return all;
    }
    if (made.tokens() > 1) return std::nullopt;
    return std::vector<std::int64_t>(found.tensors.tokens, made.positions.front());
  }
  if (found.row_tokens == 0 && made.row_axis) return std::nullopt;
  if (found.row_tokens == 0 || made.row_axis) return made.positions;
  std::vector<std::int64_t> all;
  while (all.size() < found.tensors.tokens)
    all.insert(all.end(), made.positions.begin(), made.positions.end());
  return all;
}

/// 1 where the positions are the same; how many times as far apart they are told where the
/// explanation says that this is open; 0 where they are others.
double spacing_of(const std::vector<std::int64_t>& told, const std::vector<std::int64_t>& truth,
                  const Explanation& e) {
  if (told == truth) return 1;
  const bool open = says(e, "times as far apart") || says(e, "shows only their products");
  const auto other = std::find_if(truth.begin(), truth.end(), [](auto p) { return p != 0; });
  if (!open || other == truth.end() || told.size() != truth.size()) return 0;
  const double times = static_cast<double>(told[static_cast<std::size_t>(other - truth.begin())]) /
                       static_cast<double>(*other);
  for (std::size_t i = 0; i < told.size(); ++i)
    if (static_cast<double>(told[i]) != times * static_cast<double>(truth[i])) return 0;
  return times;
}

/// Whether the explanation says that this base gives the same frequencies, with one pair more.
bool says_base_of_longer(const Explanation& e, double base) {
  return says(e, "base " + plain_number(base, 15) +
                     " gives the same frequencies if the rotated size is larger");
}

/// Whether the explanation names the pairs that were made; where it leaves open whether there are
/// further ones, the first of them.
bool same_pairs(const Explanation& e, const MadeUp& truth) {
  const Arrangement &a = e.arrangement, &made = truth.arrangement;
  const bool more = says(e, "further pairs may turn by too little to show") ||
                    says_base_of_longer(e, *truth.embedding.base);
  if (a.offset != made.offset ||
      (more ? a.pairs() > made.pairs() : a.rotary_dim != made.rotary_dim))
    return false;
  for (std::size_t k = 0; k < a.pairs(); ++k)
    if (a.in_dimensions(k).first != made.in_dimensions(k).first ||
        a.in_dimensions(k).second != made.in_dimensions(k).second ||
        a.out_dimensions(k).first != made.out_dimensions(k).first)
      return false;
  return true;
}

/// The frequency that the explanation says its own are known up to multiples of; nothing where it
/// says none.
std::optional<double> known_modulo(const Explanation& e) {
  constexpr std::string_view kModulo = "only modulo 2π/";
  for (const std::string& open : e.open)
    if (const std::size_t at = open.find(kModulo); at != std::string::npos)
      return 2 * std::numbers::pi / std::stod(open.substr(at + kModulo.size()));
  return std::nullopt;
}

}  // namespace

MadeUp made_up(std::uint64_t seed, std::uint64_t number, bool realistic) {
  return Draw(seed, realistic ? ~number : number).draw(realistic);
}

std::string text(const MadeUp& made) {
  constexpr std::array kOrders = {"",        " falling", " mixed",           " scattered",
                                  " packed", " padded",  " left-padded rows"};
  std::string shape;
  for (const std::size_t axis : made.shape)
    shape += (shape.empty() ? "" : "x") + std::to_string(axis);
  std::array<char, 400> line{};
  std::snprintf(line.data(), line.size(), "%s %s r=%zu+%zu base=%.8g %s A=%.4g%s first=%ld%s %s%s",
                made.policy.name.c_str(), name(made.arrangement).c_str(), made.arrangement.offset,
                made.arrangement.rotary_dim, *made.embedding.base,
                scaling_text(made.embedding.scaling).c_str(), made.embedding.attention_factor,
                made.clockwise ? " clockwise" : "", static_cast<long>(made.positions.front()),
                kOrders.at(static_cast<std::size_t>(made.order)), shape.c_str(),
                made.noise ? " noise" : "");
  return line.data();
}

bool tells(const ArrayDiagnosis& found, const Explanation& e, const MadeUp& made) {
  const std::optional<std::vector<std::int64_t>> positions = positions_in(found, made);
  if (!positions || !same_pairs(e, made)) return false;
  const Spectrum& s = e.spectrum();
  if (s.reversed || e.regimes.size() != 1) return false;
  std::vector<std::int64_t> told = e.regimes.front().positions;
  if (s.clockwise != made.clockwise) {
    if (!e.direction_open) return false;
    for (std::int64_t& position : told) position = -position;
  }
  // Where another offset may fit, so may another base or factor at it: what the tokens show of
  // both is how far pairs turn from one to the next.
  const bool free = (says(e, "the position offset, and the base with it") ||
                     says(e, "the position offset, and the factor with it")) &&
                    shifted(told, *positions);
  const double spacing = free ? 1 : spacing_of(told, *positions, e);
  if (!(spacing > 0)) return false;
  // At position 0 nothing turns, and the explanation says so.
  if (std::all_of(told.begin(), told.end(), [](std::int64_t p) { return p == 0; }))
    return !e.open.empty();
  const double factor = made.embedding.attention_factor;
  const bool near = std::abs(s.embedding.attention_factor / factor - 1) <= 1e-12;
  if (!near && (factor < s.factor_low || factor > s.factor_high)) return false;
  const auto [low, high] = std::minmax_element(positions->begin(), positions->end());
  const auto farthest = static_cast<double>(1 + (free ? *high - *low : std::abs(*high)));
  const std::vector<double> stated = stated_errors(s);
  const std::optional<double> modulo = known_modulo(e);
  for (std::size_t k = 0; k < made.arrangement.pairs(); ++k) {
    const double truth = made.embedding.frequencies.theta[k];
    const bool named = k < e.arrangement.pairs();  // a pair that shows nothing may not be
    const double theta = named ? s.embedding.frequencies.theta[k] * spacing : 0;
    const double digits = says(e, "the factor: others near it") ? 1e-3 : 1e-6;
    const double allowed = named ? digits * truth + spacing * stated[k] : 0;
    const double off = modulo ? std::remainder(theta - truth, *modulo) : theta - truth;
    if (!(std::abs(off) * farthest <= 16 * made.unit() + farthest * allowed)) return false;
  }
  if (!free && s.recognised && !says_base_of_longer(e, *made.embedding.base) &&
      s.embedding.geometric_base() && made.embedding.geometric_base() &&
      made.arrangement.pairs() > 1) {
    const double base = *made.embedding.base;
    if (base < s.base_low * (1 - 1e-6) || base > s.base_high * (1 + 1e-6)) return false;
  }
  return true;
}

}  // namespace rope::test
