#include "rope/verify/output_report.hpp"

#include <algorithm>

namespace rope {

std::string_view name(Evidence evidence) {
  if (evidence == Evidence::none) return "none";
  return evidence == Evidence::fixed ? "fixed" : "turn";
}

std::vector<std::size_t> OutputReport::pairs_that_show(Evidence wanted) const {
  std::vector<std::size_t> pairs;
  for (std::size_t k = 0; k < evidence.size(); ++k)
    if (evidence[k] == wanted) pairs.push_back(k);
  return pairs;
}

Verdict OutputReport::verdict(const RotaryEmbedding& embedding) const {
  if (!passed()) return Verdict::fail;
  const auto has_to_turn = [](double theta) { return theta != 0; };
  const bool turned = std::ranges::find(evidence, Evidence::turn) != evidence.end() ||
                      std::ranges::none_of(embedding.frequencies.theta, has_to_turn);
  const bool open =
      vacuous > 0 || !turned || std::ranges::find(evidence, Evidence::none) != evidence.end();
  return open ? Verdict::inconclusive : Verdict::pass;
}

}  // namespace rope
