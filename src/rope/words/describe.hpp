#pragma once

// Describes results in English, with the sentences that the program prints, for use in your own
// messages and logs.
//
//     const rope::Certification c = rope::certify(embedding, policy, x, y, positions);
//     if (c.verdict != rope::Verdict::pass) std::cerr << c << "\n";   // "FAIL: 12 of 64 pairs …"
//     const std::string found = describe(rope::diagnose(shape, x, y));   // "One convention …"
//
// The sentences may change between versions: compare fields, and use the sentences only for
// display.

#include <concepts>
#include <ostream>
#include <span>
#include <string>

namespace rope {

class Position;
struct Certification;
struct CertifyOptions;
struct CosSin;
struct Diagnosis;
struct Explanation;
struct Frequencies;
struct Hypotheses;
struct LayerRope;
struct ModelRope;
struct NegativeDistance;
struct Policy;
struct Preset;
struct ReadOptions;
struct RotaryEmbedding;
struct RoundBase;
struct ScalingSpec;
struct SmallestBase;
struct TableDiagnosis;
enum class ConventionPart;

// Answers: whole sentences, with advice where there is something to do.

/// The verdict and why: "PASS: all 160 pairs are within what float32 allows; the closest to its
/// limit is …".
std::string describe(const Certification& certification);
/// Which convention explains y, what is unusual about it, and what to change.
std::string describe(const Diagnosis& diagnosis);
std::string describe(const TableDiagnosis& diagnosis);
/// What disagreements() returned: "They differ in layout and frequencies."
std::string describe(std::span<const ConventionPart> parts);
/// "The mean cosine is first negative at distance 1707."
std::string describe(const NegativeDistance& found);
/// "Base 4869104 suffices; no base below 4869099 does."
std::string describe(const SmallestBase& base);
/// "Base 5e+06 suffices, as do all bases tried from 4.75e+06 to 5.25e+06."
std::string describe(const RoundBase& base);

// Objects: a phrase on one line.

/// "head_dim 128, base 500000, layout half, scaling llama3 (factor 8, …)".
std::string describe(const RotaryEmbedding& embedding);
/// "64 pairs, θ from 1 to 0.000115478 radians per token".
std::string describe(const Frequencies& frequencies);
/// "half layout, base 500000, positions from 0".
std::string describe(const Explanation& explanation);
/// "llama-3.1-8b: head_dim 128, base 500000, …"; if the model has several kinds of layers, each of
/// them.
std::string describe(const ModelRope& model);
std::string describe(const LayerRope& layer);
/// "llama-3.1-8b: Llama 3.1 8B, 70B and 405B".
std::string describe(const Preset& preset);
/// "yarn:factor=4,original=32768", as parse_scaling reads it, except that only the length of a list
/// is shown.
std::string describe(const ScalingSpec& spec);
/// "bfloat16: θ f32, position f32 → angle f32 → cos, sin bf16 → …".
std::string describe(const Policy& policy);
/// "cos and sin within 1 ulp, pow within 1 ulp, 0 roundings of a scaling rule".
std::string describe(const Hypotheses& hypotheses);
/// The same, preceded by "results of bfloat16" or "results of their array's type".
std::string describe(const CertifyOptions& options);
/// "as hf reads it, at 8192 tokens".
std::string describe(const ReadOptions& options);
/// "5", or "(5, 2, 3, 0)" if the positions on the axes differ.
std::string describe(const Position& position);
/// "cos 0.5, sin 0.866025".
std::string describe(const CosSin& both);

/// Types that can be written to a stream; the text is that of describe(). For enumerators, see
/// rope/print.hpp.
template <typename Value, typename... Others>
concept OneOf = (std::same_as<Value, Others> || ...);
template <typename Value>
concept Described =
    OneOf<Value, Certification, CertifyOptions, CosSin, Diagnosis, Explanation, Frequencies,
          Hypotheses, LayerRope, ModelRope, NegativeDistance, Policy, Position, Preset, ReadOptions,
          RotaryEmbedding, RoundBase, ScalingSpec, SmallestBase, TableDiagnosis>;

template <Described Value>
std::ostream& operator<<(std::ostream& out, const Value& value) {
  return out << describe(value);
}

}  // namespace rope
