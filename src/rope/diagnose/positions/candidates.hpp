#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rope/diagnose/positions/runs.hpp"

namespace rope {

/// A reading of the tensors that is to be judged.
struct Candidate {
  Arrangement arrangement;
  std::vector<Regime> regimes;
  bool recognised = true;
  bool other_offsets = false;  ///< others fit as well, or may
  std::int64_t alias = 1;      ///< measured frequencies are known modulo 1/alias turns
};

/// Readings in which every token stands where it is given, give or take one offset for all.
struct EvenCandidates {
  std::vector<Candidate> candidates;
  bool straight = false;  ///< the tokens turn evenly over the given positions
};
EvenCandidates even_candidates(const Search& search, std::span<const std::int64_t> given);

/// Readings in which tokens stand where their own angles say.
struct RunCandidates {
  std::vector<Candidate> candidates;
};
RunCandidates run_candidates(const Search& search);

}  // namespace rope
