#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rope/diagnose/positions/runs.hpp"

namespace rope {

/// A possible explanation of the tensors, before it is judged.
struct Candidate {
  Arrangement arrangement;
  std::vector<Regime> regimes;
  bool recognised = true;
  bool other_offsets = false;  ///< other position offsets fit as well, or may do so
  std::int64_t alias = 1;      ///< measured rates are known only modulo 1/alias turns
};

/// Candidates whose positions are the given ones plus one offset for all tokens.
struct EvenCandidates {
  std::vector<Candidate> candidates;
  bool straight = false;  ///< the angles of every pair lie on a line over the given positions
};
EvenCandidates even_candidates(const Search& search, std::span<const std::int64_t> given);

/// Candidates in which the position of each token is found from its own angles.
std::vector<Candidate> run_candidates(const Search& search);

}  // namespace rope
