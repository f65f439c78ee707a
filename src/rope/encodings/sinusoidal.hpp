#pragma once

#include "rope/encodings/position_table.hpp"
#include "rope/rotary/frequencies.hpp"

namespace rope {

/// How the columns of a sinusoidal table are arranged.
enum class SinusoidalForm {
  interleaved,    ///< sin, cos, sin, cos …: Vaswani et al., DistilBERT
  blocks,         ///< all sines, then all cosines: Transformer-XL, Marian
  blocks_to_end,  ///< blocks whose last wavelength is 2π·base: tensor2tensor, fairseq, Whisper
};

/// p_m = (sin mω_0, cos mω_0, sin mω_1, …), ω_i = base^(−2i/D). In the form blocks_to_end, ω_i =
/// base^(−i/(h−1)), i = 0 … h−1, h = ⌊D/2⌋.
///
/// p_m·p_n = Σ_i cos((n−m)ω_i): a function of only the distance, with the same curve as RoPE's mean
/// cosine and no dependence on the sign, as long as W_Q and W_K are not applied.
///
/// Accuracy  each entry within kCosSinError of its exact value, for |m| ≤ 2^53.
/// Edge      odd D: one more sine than cosines, or, in blocks_to_end, a last column of zeros. In
///           that form, D < 4 has one pair, whose ω is 1.
/// Source    Vaswani et al., Attention Is All You Need, arXiv:1706.03762, §3.5.
class SinusoidalTable final : public PositionTable {
 public:
  /// Throws    ShapeError unless 1 ≤ dim ≤ kMaxRotaryDim, and dim ≥ 2 in blocks_to_end; DomainError
  ///           unless base is finite and > 0 and every ω lies in [2^-1000, 2^64].
  SinusoidalTable(std::size_t dim, double base, SinusoidalForm form = SinusoidalForm::interleaved);

  std::size_t dim() const override { return dim_; }
  std::vector<double> row(std::int64_t position) const override;
  double largest_norm() const override;
  double entry_error() const override;
  double unseen_share(std::int64_t trained, std::int64_t length) const override;
  double parameters(std::int64_t positions, double columns) const override;

  /// The largest difference between p_m·p_{m+Δ} at one of the shifts m and at m = 0, for Δ = 0 …
  /// reach; without rounding, it would be 0.
  double spread(std::int64_t reach, std::span<const std::int64_t> shifts) const;

  std::string remark(std::int64_t reach, std::span<const std::int64_t> shifts) const override;

  const Frequencies& frequencies() const { return frequencies_; }

 private:
  std::size_t dim_;
  SinusoidalForm form_;
  Frequencies frequencies_;
};

}  // namespace rope
