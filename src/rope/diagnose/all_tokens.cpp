#include "rope/diagnose/all_tokens.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/samples.hpp"
#include "rope/diagnose/verdict/explanation_finder.hpp"
#include "rope/precision/largest.hpp"

namespace rope {
namespace {

constexpr std::size_t kSearchTokens = 48;
constexpr std::size_t kSearchLanes = 16;
constexpr std::size_t kMostRunArrangements = 4;

/// What the search allows for in the pipeline.
struct Attempt {
  double angle_rounding, table;
  bool repeated;
  LineErrors errors = LineErrors::worst;
  double turned_back = 0;  // error of the angles by which x was turned back
};

/// First angles that were rounded once, then those of repeated products, then cos and sin coarser
/// than y: for float64 as float32 has them, too. Worst-case errors of 16-bit numbers hide most
/// structure, so typical errors are tried after them. Angles by which x was turned back are those
/// of float32 only where other pairs turn: elsewhere their error is one of the angles of y.
std::vector<Attempt> attempts(Format storage, std::size_t dim, double farthest) {
  const Attempt single{0x1p-21, 0, false}, coarse{0x1p-21, 0x1p-7, false};
  if (storage == Format::float64)
    return {{0x1p-50, 0, false}, single, {0x1p-21, 0x1p-22, false}, coarse};
  const double repeated = (8 + 2 * static_cast<double>(dim)) * 0x1p-24;
  std::vector<Attempt> all = {single, {repeated, 0, true}, coarse};
  if (farthest > 0) {
    all.insert(all.begin() + 1, single);
    all[1].turned_back = kFloatAngle * farthest;
  }
  if (storage != Format::float32)
    for (std::size_t i = 0, worst = all.size(); i < worst; ++i) {
      all.push_back(all[i]);
      all.back().errors = LineErrors::typical;
    }
  return all;
}

/// A number with few digits is more likely than one with many.
double oddity(double number) {
  int digits = 0;
  while (digits < 15 && simplest_number(number * (1 - std::pow(10.0, -digits)),
                                        number * (1 + std::pow(10.0, -digits))) != number)
    ++digits;
  return digits / 16.0 + (digits > 3 ? 3 : 0);
}

/// How unusual the frequencies of an explanation are.
double oddity(const Spectrum& spectrum) {
  const RotaryEmbedding& embedding = spectrum.embedding;
  double sum = spectrum.recognised ? 0 : 16;
  // Published rules have round bases.
  if (embedding.scaling.rule != "default" && spectrum.also.empty())
    sum += embedding.base && oddity(*embedding.base) < 3 ? 0.25 : 1.5;
  // A small position offset is more likely than a factor that nobody would choose.
  if (embedding.scaling.rule == "linear")
    sum += 0.5 + oddity(embedding.scaling.numbers.at("factor"));
  if (embedding.base) sum += oddity(*embedding.base);
  return sum;
}

/// How unusual it is to rotate by some frequencies as an explanation does. `rotary_dim`: the stated
/// one, or else the whole head of `dim`.
double oddity(const Explanation& e, std::size_t rotary_dim, std::size_t dim) {
  double sum = 0;
  if (e.arrangement.rotary_dim != rotary_dim) sum += dim % e.arrangement.rotary_dim == 0 ? 1 : 4;
  if (e.arrangement.offset != 0) sum += 2;
  if (e.arrangement.in != e.arrangement.out) sum += 4;
  if (std::abs(e.arrangement.in) > 1 || e.arrangement.in > 0) sum += 8;
  if (e.spectrum().clockwise) sum += 1;
  if (e.spectrum().reversed) sum += 8;
  if (!e.position_offset) sum += 1;  // neither as given nor all of them later
  if (e.position_offset && *e.position_offset != 0)
    sum += 0.01 + 1e-4 * std::log(std::abs(static_cast<double>(*e.position_offset)));
  return sum;
}

bool all_zero(const RotatedTensors& tensors, Side side) {
  return every_number(tensors, side, [](double value) { return value == 0; });
}

class Diagnoser {
 public:
  Diagnoser(const RotatedTensors& tensors, const DiagnosisRequest& request)
      : tensors_(tensors),
        request_(request),
        given_(given_or_counted(request, tensors.tokens)),
        finder_(tensors, given_, request) {
    result_.token_axis = tensors.token_axis;
    result_.tokens = tensors.tokens;
    result_.storage = narrowest_format(tensors, &RotatedTensors::y);
    result_.x_zero = all_zero(tensors, &RotatedTensors::x);
    result_.y_zero = all_zero(tensors, &RotatedTensors::y);
  }

  Diagnosis run() {
    if (result_.x_zero != result_.y_zero) return std::move(result_);
    const std::vector<Attempt> all = attempts(result_.storage, tensors_.dim, tensors_.x.farthest());
    bool explained = false;
    for (const Attempt& attempt : all) {
      SearchTolerance tolerance =
          search_tolerance(tensors_, result_.storage, request_.hypotheses, attempt.table);
      tolerance.carried += 2 * attempt.turned_back;
      tolerance_ = tolerance;
      const ChangedDimensions changed = changed_dimensions(tensors_, tolerance);
      if (!changed.any) {
        result_.unchanged = true;
        assume();
        result_.explanations = finder_.take_explanations();
        result_.verdict = DiagnosisVerdict::ambiguous;
        return std::move(result_);
      }
      set_pairings(changed, tolerance);
      std::vector<Candidate> candidates = even(attempt, tolerance);
      if (at_one_position() && attempt.errors == LineErrors::worst)
        append(runs(attempt, tolerance), candidates);
      // Typical errors hold for a line through many tokens, not for the single tokens of a run.
      explained = finder_.judge(std::move(candidates)) ||
                  (attempt.errors == LineErrors::worst && finder_.judge(runs(attempt, tolerance)));
      if (explained) break;
    }
    if (!explained) try_longer_block(all);
    conclude();
    return std::move(result_);
  }

  /// Judges these alone.
  Diagnosis run(std::vector<Candidate> candidates) {
    if (!finder_.judge(std::move(candidates))) return std::move(result_);
    conclude();
    return std::move(result_);
  }

 private:
  static void append(std::vector<Candidate> more, std::vector<Candidate>& all) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
  }

  /// Then a position offset and a factor on all frequencies give the same angles.
  bool at_one_position() const {
    return std::all_of(given_.begin(), given_.end(),
                       [&](std::int64_t position) { return position == given_.front(); });
  }

  void set_pairings(const ChangedDimensions& changed, const SearchTolerance& tolerance) {
    const RotatedTensors sample =
        some_tokens(tensors_, spread(tensors_.tokens, kSearchTokens), kSearchLanes);
    FoundPairings found = find_pairings(sample, changed, tolerance);
    result_.pairings = std::move(found.fitting);
    if (request_.arrangement) result_.pairings = {*request_.arrangement};
    // A wider tolerance may miss a few wrong pairs that the closest one reveals.
    if (result_.nearest.rotary_dim > 0) return;
    result_.nearest = found.nearest;
    result_.nearest_misfits = std::move(found.nearest_misfits);
  }

  Search search(const Arrangement& arrangement, const Attempt& attempt,
                const SearchTolerance& tolerance) const {
    return {tensors_,         arrangement,      tolerance,     attempt.angle_rounding,
            attempt.repeated, request_.presets, attempt.errors};
  }

  std::vector<Candidate> even(const Attempt& attempt, const SearchTolerance& tolerance) {
    std::vector<Candidate> all;
    for (const Arrangement& arrangement : result_.pairings) {
      EvenCandidates found = even_candidates(search(arrangement, attempt, tolerance), given_);
      result_.straight = result_.straight || found.straight;
      append(std::move(found.candidates), all);
    }
    return all;
  }

  std::vector<Candidate> runs(const Attempt& attempt, const SearchTolerance& tolerance) {
    std::vector<Candidate> all;
    for (std::size_t i = 0;
         i < std::min<std::size_t>(kMostRunArrangements, result_.pairings.size()); ++i)
      append(run_candidates(search(result_.pairings[i], attempt, tolerance)), all);
    return all;
  }

  /// Interleaved pairs after the smallest visible block may have turned by barely more than
  /// rounding.
  void try_longer_block(const std::vector<Attempt>& all) {
    const std::optional<Explanation>& miss = finder_.near_miss();
    if (!miss || miss->arrangement.in != 0 || miss->arrangement.out != 0 || request_.arrangement)
      return;
    Arrangement block = miss->arrangement;
    const std::size_t last = miss->judgement.dimension;
    if (last < block.offset + block.rotary_dim) return;
    block.rotary_dim = last / 2 * 2 + 2 - block.offset;
    if (block.offset + block.rotary_dim > tensors_.dim) return;
    result_.pairings = {block};
    for (const Attempt& attempt : all)
      if (finder_.judge(even(attempt, search_tolerance(tensors_, result_.storage,
                                                       request_.hypotheses, attempt.table))))
        return;
  }

  void assume() {
    if (!request_.assumed) return;
    constexpr std::array kBoth = {PairLayout::interleaved, PairLayout::half};
    if (request_.assumed->layout && !request_.arrangement)
      finder_.assume(*request_.assumed, std::span(&request_.assumed->embedding.layout, 1));
    else  // tables are treated as interleaved vectors
      finder_.assume(*request_.assumed, std::span(kBoth).first(request_.arrangement ? 1 : 2));
  }

  void conclude() {
    finder_.complete_blocks();
    assume();
    if (!finder_.recognised()) finder_.read_cast_frequencies(request_.presets);
    if (!finder_.recognised() && !request_.arrangement)
      finder_.read_plainly(result_.pairings, request_.presets, request_.assumed);
    finder_.prefer_plain();
    finder_.doubt();
    finish();
  }

  void finish() {
    std::vector<Explanation>& found = result_.explanations;
    found = finder_.take_explanations();
    result_.near_miss = finder_.take_near_miss();
    std::stable_sort(found.begin(), found.end(),
                     [&](const Explanation& a, const Explanation& b) { return rank(a) < rank(b); });
    if (found.empty()) {
      // So far they were checked on a sample only.
      std::erase_if(result_.pairings,
                    [&](const Arrangement& a) { return !turns(tensors_, a, tolerance_); });
      // Pairs that turn evenly, or withheld positions, leave a rotation possible.
      result_.undetermined = !result_.pairings.empty() && (result_.straight || !request_.positions);
      result_.verdict = result_.undetermined ? DiagnosisVerdict::ambiguous : DiagnosisVerdict::none;
      return;
    }
    const bool open = std::any_of(found.begin(), found.end(),
                                  [](const Explanation& e) { return !e.open.empty(); });
    result_.verdict =
        found.size() == 1 && !open ? DiagnosisVerdict::unique : DiagnosisVerdict::ambiguous;
  }

  /// Explanations are listed by it: stated frequencies come first, and a stated layout before any
  /// other.
  double rank(const Explanation& e) const {
    const std::optional<Assumption>& assumed = request_.assumed;
    const bool other =
        assumed && assumed->layout && e.pairs_seen && e.arrangement.pairs() > 1 &&
        (e.arrangement.in != e.arrangement.out ||
         e.arrangement.in != (assumed->embedding.layout == PairLayout::interleaved ? 0 : -1));
    const bool frequencies =
        assumed && assumed->frequencies &&
        e.spectrum().embedding.frequencies.theta == assumed->embedding.frequencies.theta;
    if (e.assumed) return other ? 32 : 0;
    // A stated base that turns another part of the head is likelier than another base.
    constexpr double kOtherBase = 1.5;
    const bool rebased = assumed && assumed->frequencies && assumed->embedding.base &&
                         e.spectrum().base() != assumed->embedding.base;
    const double turned =
        oddity(e, assumed ? assumed->embedding.rotary_dim() : tensors_.dim, tensors_.dim);
    return (frequencies ? 0.01 * turned : turned + oddity(e.spectrum())) +
           (rebased ? kOtherBase : 0) + (other ? 32 : 0);
  }

  const RotatedTensors& tensors_;
  const DiagnosisRequest& request_;
  std::vector<std::int64_t> given_;
  ExplanationFinder finder_;
  SearchTolerance tolerance_;  // that of the last attempt, the widest
  Diagnosis result_;
};

}  // namespace

std::vector<std::int64_t> given_or_counted(const DiagnosisRequest& request, std::size_t tokens) {
  if (request.positions) return *request.positions;
  std::vector<std::int64_t> count(tokens);
  std::iota(count.begin(), count.end(), std::int64_t{0});
  return count;
}

Diagnosis diagnose_candidates(const RotatedTensors& tensors, const DiagnosisRequest& request,
                              std::vector<Candidate> candidates) {
  return Diagnoser(tensors, request).run(std::move(candidates));
}

Diagnosis diagnose_all_tokens(const RotatedTensors& tensors, const DiagnosisRequest& request) {
  return Diagnoser(tensors, request).run();
}

}  // namespace rope
