// Every formula here is that of docs/theory.md, scaling.md, accuracy.md or encodings.md.

#include "glossary/terms.hpp"

#include <array>

namespace rope::app {
namespace {

constexpr auto kTerms = std::to_array<Term>({

    // What is rotated
    {"RoPE", "rotary position embedding; rotary embedding",
     "queries and keys turned by their positions", "q → R_m q,   k → R_n k",
     "Rotary position embedding turns the query at position m and the key at position n, pair of "
     "dimensions by pair of dimensions. Their score then depends on content and on n − m alone.",
     "rotation matrix; relative-position identity; pair", "rope matrix --dim 4 --positions 1"},
    {"head size", "head_dim; d; dim; head dimension", "the dimensions of one head", "d",
     "The number of dimensions of a query or a key in one attention head, the last axis of a "
     "tensor [tokens, heads, head_dim]. Files call it head_dim; where they do not say it, it is "
     "hidden_size/num_attention_heads.",
     "rotated dimensions; pair", "rope wavelengths --dim 64"},
    {"rotated dimensions", "rotary_dim; r", "the part of a head that is rotated",
     "r ≤ d,   r/2 pairs",
     "Rotation acts on r dimensions of a head and passes the other d − r through unchanged. Most "
     "models rotate all of them, r = d.",
     "head size; partial RoPE; pair", "rope wavelengths --dim 128 --rotary-dim 32"},
    {"pair", "k; pair index", "two dimensions that turn together", "k = 0 … r/2 − 1",
     "Rotation acts on two dimensions at a time, as on the two coordinates of a point in a plane. "
     "Pair 0 turns fastest; the layout says which dimensions form pair k.",
     "layout; θ_k; rotated dimensions", "rope apply --vector 1,2,3,4 --start 3 --explain"},
    {"layout", "interleaved; half; pair layout; rotate_half", "which dimensions form a pair",
     "interleaved: (2k, 2k + 1)      half: (k, k + r/2)",
     "Meta's checkpoints, GPT-J and ChatGLM pair neighbours (interleaved); GPT-NeoX and Hugging "
     "Face pair k with k + r/2 (half). The two are the same rotation after a permutation of the "
     "dimensions, and mixing them is the commonest mistake in porting.",
     "pair; convention", "rope matrix --dim 4 --layout half"},
    {"θ_k", "theta_k; theta; frequency; frequencies; inv_freq", "how fast pair k turns",
     "θ_k = b^(−2k/r)   radians per token",
     "Pair k turns by θ_k radians from one token to the next. Code calls the list of them "
     "inv_freq; what config files call rope_theta is the base b.",
     "base; λ_k; pair; scaling rule", "rope wavelengths --dim 8"},
    {"base", "b; rope_theta", "the number whose powers are the frequencies", "θ_k = b^(−2k/r)",
     "A larger base makes every pair but the first turn more slowly. RoFormer took 10000, and "
     "models for long contexts take 500000 and more; config files call it rope_theta.",
     "θ_k; critical base; smallest base", "rope wavelengths --base 10000 --base 500000"},
    {"λ_k", "lambda_k; lambda; wavelength", "the tokens in which pair k comes round once",
     "λ_k = 2π/θ_k   tokens",
     "After λ_k tokens pair k stands where it began. A pair whose wavelength exceeds the context "
     "never completes a turn, so training has shown only some of its angles.",
     "θ_k; turn; context length", "rope wavelengths --dim 128 --context 4096"},
    {"turn", "turns; never completes a turn; never turn once",
     "how often a pair comes round in a context", "turns = T/λ_k = T·θ_k/2π",
     "The number of times that a pair comes round within T tokens. Below 1 the pair never "
     "completes a turn, and positions beyond T bring angles that training never showed.",
     "λ_k; context length; unseen share", "rope wavelengths --context 4096"},
    {"position", "m; n", "where a token stands", "m of the query, n of the key",
     "An integer that counts tokens, usually from 0. Negative positions are allowed, and adding "
     "one number to all positions changes no score.",
     "Δ; angle", "rope apply --vector 1,2,3,4 --start 3 --explain"},
    {"Δ", "distance; delta; relative position", "position of the key minus that of the query",
     "Δ = n − m",
     "The distance from the query at m to the key at n; keys before the query have Δ < 0. Curves "
     "of distance are drawn for Δ from 0 on, and those that use cosines alone are the same for −Δ.",
     "position; relative-position identity; sign of Δ", "rope decay --distances 0,1,16,256"},
    {"angle", "phi; φ", "by how much a pair is turned", "φ = m·θ_k,   modulo 2π",
     "Pair k of a vector at position m is turned counter-clockwise by m·θ_k. Whole turns change "
     "nothing, but they must be taken off before rounding, or large positions lose digits.",
     "θ_k; position; rotation matrix", "rope apply --vector 1,2,3,4 --start 3 --explain"},
    {"rotation matrix", "R_m; R; rotation", "the matrix that rotates a vector at position m",
     "block k of R_m = [cos m·θ_k  −sin m·θ_k; sin m·θ_k  cos m·θ_k]",
     "R_m is block-diagonal, one rotation of the plane per pair, and turns column vectors "
     "counter-clockwise. It keeps lengths (R_mᵀR_m = I), and R_mᵀR_n = R_{n−m}.",
     "angle; pair; relative-position identity", "rope matrix --dim 4 --positions 5,2"},
    {"relative-position identity", "identity; the identity", "scores depend on n − m alone",
     "(R_m q)·(R_n k) = qᵀR_{n−m}k",
     "Turning back by m and forward by n is turning by n − m, so the score of two rotated vectors "
     "knows their distance and not their positions. It holds for every choice of θ_k, a wrong one "
     "included, so rope verify compares the angles with the true ones as well.",
     "Δ; rotation matrix; bound; true angles", "rope verify"},
    {"score", "logit; scores; logits", "the dot product of a rotated query and a rotated key",
     "(R_m q)·(R_n k)",
     "What attention computes for one query and one key. Models divide it by √d before the "
     "softmax; an attention factor A multiplies it by A².",
     "relative-position identity; attention factor",
     "rope score --frequencies 0.5 --query 1,2 --key 3,-1 --positions 5,2"},
    {"softmax", "", "scores made into shares that add up to 1",
     "a_j = e^(s_j − max s)/Σ_i e^(s_i − max s)",
     "Each row of scores becomes the attention weights of one query. Taking the largest score off "
     "first changes no weight and keeps e^s within range.",
     "score; attention weight; entropy", "rope attention"},
    {"attention weight", "weight; weights; attention weights",
     "the share that a query takes from a key", "output = Σ_j a_j v_j,   Σ_j a_j = 1",
     "The weights of a query are the softmax of its scores, and what it gets is the average of the "
     "values with these weights. A key that the mask hides weighs exactly 0.",
     "softmax; causal mask; permutation equivariant",
     "rope attention --text \"the dog bites the man\""},
    {"causal mask", "mask", "no query sees a key after it", "score(m, n) = −∞ for n > m",
     "A decoder hides from each token all that come after it. The mask alone tells early tokens "
     "from late ones, as the first has one key and the last has all.",
     "attention weight; NoPE; permutation equivariant", "rope attention --mask causal"},
    {"permutation equivariant", "equivariant; permutation equivariance; permutation invariant",
     "shuffled words give shuffled outputs", "A(PX) = P A(X) Pᵀ",
     "Without positions and without a mask attention weights move with the words to wherever they "
     "stand. They are not invariant, A(PX) ≠ A(X); what one fixed query gets is, and so is the "
     "mean of all outputs.",
     "attention weight; NoPE; causal mask", "rope attention --view shuffle"},
    {"hidden state", "hidden states; residual stream", "what one layer hands to the next",
     "h ← h + W_O Σ_j a_j W_V h_j",
     "The vector of a token between two layers, to which each layer adds. RoPE turns queries and "
     "keys inside a layer and writes nothing into it, while an encoding added to the tokens is "
     "part of it from the input on.",
     "attention weight; sinusoidal; RoPE", "rope attention --view repeat"},
    {"entropy", "entropy in bits", "how widely a query spreads its attention",
     "H = −Σ_j a_j log₂ a_j   bits,   0 ≤ H ≤ log₂ n",
     "It is 0 where one key has all the weight, and log₂ n where n keys weigh alike. Scores that "
     "are divided by √d spread attention over more keys the more there are, and scores that are "
     "not leave most of it on one.",
     "softmax; attention weight", "rope attention --view entropy --lengths 200,2000"},
    {"convention", "verdict of diagnose; unique; ambiguous; none",
     "everything that fixes how vectors are rotated", "",
     "Layout, direction, frequencies, positions, rotated part and factor together. rope diagnose "
     "calls its answer unique if one convention alone reproduces the vectors, ambiguous if "
     "several do or something stays open, and none if nothing that was searched does.",
     "layout; verdict; bound",
     "rope apply --golden q_ && rope diagnose --input q_x.npy --result q_y.npy"},

    // Decay with distance
    {"mean cosine", "similarity", "score of a vector with itself, by distance",
     "(2/r) Σ_k cos(Δ·θ_k)",
     "The score of a vector with itself at distance Δ, averaged over its directions and divided "
     "by the score at distance 0. It starts at 1, falls like a logarithm, and goes negative.",
     "log law; bound f(Δ); first negative distance", "rope decay"},
    {"bound f(Δ)", "f; bound curve; bound f(delta); bound f(distance)",
     "the factor of an upper bound on scores",
     "f(Δ) = (2/r) Σ_j |S_j(Δ)|,  S_j(Δ) = Σ_{k<j} e^{i·Δ·θ_k},  j = 1 … r/2",
     "Summation by parts bounds a score by the largest step from one pair's product of q and k to "
     "the next pair's, times the sum of the |S_j|. The curve is the factor of that bound, "
     "typically a hundred times larger than scores are, and it does not fall steadily.",
     "mean cosine; random pairs", "rope decay"},
    {"log law", "logarithmic law", "the straight line that the mean cosine follows",
     "1 − (ln Δ + γ)/ln b,   γ = 0.5772",
     "Between 1 and b, far from both ends, the mean cosine follows a straight line in ln Δ. A "
     "larger base makes it fall more slowly.",
     "mean cosine; base", "rope decay --distances 1:65536:log17"},
    {"random pairs", "random q, k; random mean; random deviation",
     "scores of independent random vectors", "mean 0, deviation √r at every Δ",
     "Scores of independent q and k do not decay with distance, since a rotation leaves a random "
     "direction random. Reports divide them by √r, so that their deviation is near 1.",
     "mean cosine; bound f(Δ)", "rope decay --random-pairs 1000"},
    {"first negative distance", "first_negative; mean cosine < 0; Σcos Δθ_k < 0",
     "where the mean cosine falls below 0", "the least Δ > 0 with Σ_k cos(Δ·θ_k) < 0",
     "At that distance a copy of a token may score lower than a random one. Men and others "
     "take it for the longest context that a base serves, as a rule of thumb.",
     "mean cosine; smallest base; effective context", "rope decay --distances 0:2048"},

    // Longer contexts
    {"context length", "context; max_position_embeddings; length",
     "how many tokens a model reads at once", "T, or T* after an extension",
     "The number of positions that a model is meant for. Config files call it "
     "max_position_embeddings; where a rule has extended it, it exceeds the trained length.",
     "trained length; scaling rule; turn", "rope inspect llama-3.1-8b"},
    {"trained length", "original; L; T; original_max_position_embeddings; original context",
     "the tokens that training read at once", "T, in the formulas of rules L",
     "The length at which the unscaled frequencies were trained. Scaling rules are stated "
     "relative to it; config files call it original_max_position_embeddings.",
     "context length; factor; scaling rule", "rope extend --from 2048 --to 8192"},
    {"factor", "s; scaling factor", "by how much a rule stretches the context", "s = T*/T",
     "The ratio of the wanted length to the trained one. Slow pairs are slowed by it, fast ones "
     "by less or not at all, as the rule says.",
     "scaling rule; trained length", "rope extend --from 2048 --to 8192"},
    {"scaling rule", "scaling; rope_scaling; rope_type; rule",
     "frequencies changed for a longer context", "θ_k → θ'_k",
     "A rule slows the pairs so that a longer context turns them no further than training did. "
     "Config files name it in rope_scaling or rope_parameters.",
     "linear; ntk; yarn; llama3; longrope; band", "rope extend --from 2048 --to 8192"},
    {"linear", "position interpolation; PI; interpolation", "all pairs slowed alike",
     "θ'_k = θ_k/s",
     "The same as dividing every position by s. Neighbours come closer too, so models are "
     "fine-tuned after it.",
     "factor; gap of neighbours; ntk", "rope decay --scaling linear:factor=4"},
    {"ntk", "NTK-aware", "a larger base instead of slower positions",
     "b' = b·s^(r/(r−2)),   θ'_k = b'^(−2k/r)",
     "Pair 0 is kept, the last pair divided by s, those between by less. The name is from the "
     "neural tangent kernel, which suggests that fast pairs carry detail that should stay.",
     "base; dynamic; ntk-fixed; ntk-mixed", "rope decay --scaling ntk:factor=4"},
    {"ntk-fixed", "", "NTK with all pairs slowed, the last by s", "θ'_k = θ_k·s^(−2(k+1)/r)",
     "The base is multiplied by s, and all frequencies are divided by s^(2/r). The last pair is "
     "divided by exactly s, and pair 0 is slowed a little too.",
     "ntk; ntk-mixed", "rope decay --scaling ntk-fixed:factor=4"},
    {"ntk-mixed", "", "a divisor that grows from pair to pair",
     "θ'_k = θ_k/exp(a·(k+1)^B),   a·(r/2)^B = ln s,   B = 0.625",
     "Each pair is divided by its own amount, from nearly 1 for the first to s for the last. B is "
     "the rule's parameter power.",
     "ntk; ntk-fixed", "rope decay --scaling ntk-mixed:factor=4"},
    {"dynamic", "dynamic NTK", "a base that grows with the sequence",
     "b' = b·(s·S/L − (s − 1))^(r/(r−2)),   S = max(sequence length, L)",
     "Up to the trained length L nothing changes; beyond it the base grows with the length S of "
     "the sequence. Keys that were cached before the base changed do not fit those made after it.",
     "ntk; trained length", "rope decay --scaling dynamic:factor=2,original=2048 --seq-len 8192"},
    {"yarn", "", "fast pairs kept, slow ones interpolated, a ramp between",
     "θ'_k = θ_k(1 − ρ_k) + ρ_k·θ_k/s,   A = 0.1 ln s + 1",
     "Pairs of 32 turns and more in training are kept, those of less than one turn are divided by "
     "s, and ρ_k rises from 0 to 1 between. Qwen 2.5, DeepSeek V3 and gpt-oss use it.",
     "ramp; attention factor; yarn-paper", "rope inspect gpt-oss"},
    {"yarn-paper", "", "YaRN as its paper says and no engine does",
     "θ'_k = (1 − γ_k)θ_k/s + γ_k·θ_k,   γ_k = clamp((L/λ_k − 1)/31, 0, 1)",
     "The paper's ramp is straight in the turns L/λ_k, that of the code in the index of the "
     "dimension. Both keep and scale the same pairs, save for rounding, and differ between.",
     "yarn; ramp", "rope decay --scaling yarn-paper:factor=16,original=4096"},
    {"longrope", "su", "divisors found by search, one list for short and one for long",
     "θ'_k = θ_k/short_k up to L tokens, θ_k/long_k beyond,   A = √(1 + ln s/ln L)",
     "Each pair has a divisor of its own, and the length of the sequence chooses the list. Phi-3 "
     "and Phi-4-mini use it.",
     "attention factor; trained length", "rope inspect phi-4-mini"},
    {"llama3", "llama 3 scaling", "fast pairs kept, slow ones divided, a blend between",
     "λ_k < L/high: θ_k   λ_k > L/low: θ_k/s   else: (1 − σ)θ_k/s + σ·θ_k",
     "σ = (L/λ_k − low)/(high − low) blends the two by the turns that a pair makes in L tokens. "
     "Llama 3.1 and later use it with low 1 and high 4.",
     "band; yarn; λ_k", "rope inspect llama-3.1-8b"},
    {"proportional", "", "the fastest share of pairs turns, the others stand still",
     "θ'_k = b^(−2k/d)/s for k < partial·d/2 (rounded down), else 0",
     "The frequencies are those of the whole head, cut off after the first pairs. Gemma 4 has it "
     "with partial = 0.25.",
     "p-RoPE; partial RoPE", "rope decay --scaling proportional:partial=0.25"},
    {"truncation", "base truncation", "slow pairs held at one frequency or stopped",
     "θ'_k = θ_k from high on, value between low and high, 0 up to low",
     "No angle exceeds what training saw, at any length. Distances that only the slow pairs told "
     "apart are no longer told apart.",
     "scaling rule; band", "rope decay --scaling truncation:low=0.0004,high=0.003,value=0.0002"},
    {"band", "bands; kept; blended; scaled; off", "what a rule did to a pair",
     "kept: θ'_k = θ_k   scaled: θ_k/s or a value   blended: between   off: 0",
     "Rules that treat fast and slow pairs differently leave them in up to four bands. Reports "
     "count them, and files name the band of each pair.",
     "scaling rule; ramp; llama3", "rope inspect llama-3.1-8b"},
    {"ramp", "ρ_k; beta_fast; beta_slow; dimension_fast; dimension_slow; ramp_low; ramp_high",
     "how YaRN passes from kept to scaled", "ρ_k = clamp((k − low)/(high − low), 0, 1)",
     "YaRN's ramp rises from 0 at the pair of beta_fast turns to 1 at that of beta_slow turns, "
     "both rounded outwards unless truncate is false. Dimension c(β) = r·ln(L/(2πβ))/(2 ln b) "
     "makes β turns in L tokens.",
     "yarn; band; turn", "rope inspect gpt-oss"},
    {"attention factor", "A; mscale; logit factor; attention scaling", "a factor of cos and sin",
     "A·cos, A·sin for q and k,  so scores times A²",
     "YaRN and LongRoPE multiply the rotated dimensions of q and k by A, which sharpens the "
     "softmax for long contexts. Dimensions that pass through are not scaled.",
     "yarn; longrope; score", "rope inspect qwen2.5-7b-yarn"},
    {"critical base", "gradient formula", "the base that stretches angles in step",
     "b' = b^(ln(T*/2π)/ln(T/2π))",
     "With it the pair that just completes a turn in T tokens just completes one in T* tokens. The "
     "formula is that of Liu and others, also known as Gradient's.",
     "base; smallest base", "rope extend --from 4096 --to 8192"},
    {"smallest base", "base bound", "the least base that keeps the mean cosine from being negative",
     "least b with Σ_k cos(Δ·θ_k) not negative for every 0 < Δ < T*",
     "Men and others: a smaller base cannot serve a context of T* tokens. It is necessary and not "
     "sufficient, since some larger bases fail too.",
     "base; first negative distance; critical base",
     "rope extend --from 2048 --to 4096 --search-base"},
    {"effective context", "", "a rule of thumb for the usable length",
     "first negative distance, taken as a length",
     "The distance at which the mean cosine first falls below 0, read as a length. It is no "
     "measured limit: models work well beyond it.",
     "first negative distance; smallest base", "rope inspect llama-3.1-8b"},
    {"reach", "reach_last; reach last pair; reach largest",
     "largest angle beside the largest in training", "T*·θ'_k/(T·θ_k)",
     "Above 1, a pair that never completed a turn in training meets larger angles than it has "
     "seen. It matters for those pairs alone: a pair that came round has seen every angle.",
     "unseen share; turn; trained length", "rope extend --from 2048 --to 8192"},
    {"unseen share", "unseen; new; new angles; pairs with new angles",
     "share of new positions with new angles",
     "share of positions T … T* − 1 farther than 0.05 rad from every seen angle",
     "How much of the longer context turns a pair to where no trained position came near. It says "
     "what is new, not how a model takes it.",
     "reach; turn", "rope extend --from 2048 --to 8192"},
    {"gap of neighbours", "adjacent_gap; gap", "how well neighbours are told apart",
     "1 − mean cosine at Δ = 1",
     "What the score of a vector with itself loses from one token to the next. A rule that slows "
     "the fast pairs makes it smaller.",
     "mean cosine; linear", "rope extend --from 2048 --to 8192"},

    // The mathematics before
    {"complex number", "complex numbers; complex; a + bi", "a pair of numbers as an arrow",
     "z = a + bi,   i² = −1",
     "The arrow goes from the origin to the point (a, b); multiplication by another complex number "
     "turns and stretches it. A pair of dimensions is read as one complex number, and rotation "
     "multiplies it by e^{iφ}.",
     "argument; conjugate; pair", "rope rotate --primer product"},
    {"argument", "arg; arg z; atan2", "the angle of a complex number",
     "arg z = atan2(b, a),   −π < arg z ≤ π",
     "The angle from the positive real axis to the arrow, counter-clockwise. arctan(b/a) forgets "
     "the signs of a and b and is half a turn off for one of z and −z.",
     "complex number; angle", "rope rotate --primer argument"},
    {"conjugate", "complex conjugate; z*", "the mirror image of a complex number",
     "z* = a − bi,   Re(q·k*) = the dot product of q and k",
     "The arrow is mirrored in the real axis, so its angle changes sign. The product of q and k* "
     "has the angle from k to q: two turned by the same angle keep it.",
     "complex number; argument", "rope rotate --primer conjugate"},
    {"orthogonal", "orthogonal matrix; det; determinant", "keeping all lengths and angles",
     "QᵀQ = I,   det Q = ±1",
     "An orthogonal matrix has columns of length 1 at right angles to each other. Those with the "
     "determinant 1 are rotations, as R_m is; those with −1 turn orientation over, as a mirror "
     "does.",
     "rotation matrix; lengths kept", "rope rotate --primer orthogonal"},

    // Rounding
    {"rounding", "rounding explains; rounding error", "what a number format does to every result",
     "computed = exact·(1 + e),   |e| ≤ u",
     "Each operation ends at the nearest number that the format holds. Where rounding explains an "
     "error, the error is within the bound of what all these steps can add up to; a larger one has "
     "another cause.",
     "bound; unit roundoff; policy", "rope verify --trials 200"},
    {"bfloat16", "bf16", "a number of 16 bits with the range of float32",
     "1 bit sign, 8 bits exponent, 7 bits fraction:   u = 2^−8",
     "A number has 8 significant bits, between two and three decimal digits. Not every integer "
     "above 256 is one, so positions and angles in bfloat16 go wrong early.",
     "rounding; unit roundoff; policy", "rope rotate --break bfloat16"},
    {"policy", "pipeline; rounding policy; stages; stage; policies",
     "the number format of every stage of a pipeline",
     "θ, position → angle → cos, sin → rotate → store → sum",
     "An engine rounds at each stage: frequency, position, angle, table, apply, store, "
     "accumulate. A policy names the format of each, and rope computes such a pipeline rounding "
     "for rounding.",
     "unit roundoff; bound", "rope precision --list"},
    {"unit roundoff", "u; roundoff; ulp; unit in the last place",
     "the largest relative error of one rounding",
     "u = 2^−p:  float64 1.1e-16, float32 6.0e-8, float16 4.9e-4, bfloat16 3.9e-3",
     "A number of p bits is off by at most half a unit in the last place (ulp), a share u of "
     "itself. cos and sin of a library are off by more, and --libm-ulp says how much the bounds "
     "assume.",
     "policy; bound", "rope verify --policy float32 --trials 100"},
    {"bound", "allowed; error bound; granted", "what rounding alone may cause",
     "|left − right| ≤ Σ_k T_k|q_k||k_k| + A_L + A_R",
     "T_k is what rounded cos and sin may do to pair k, A_L and A_R what rotating and summing on "
     "either side may add. An error beyond it cannot be rounding: something else is wrong.",
     "ratio; unit roundoff; vacuous; cases", "rope verify --trials 200"},
    {"ratio", "measured; measured/allowed", "how much of its bound an error uses",
     "ratio = measured/allowed",
     "A check fails where the ratio exceeds 1. A ratio far below 1 is usual for random vectors, "
     "whose errors cancel; the certificate comes near to 1.",
     "bound; certificate", "rope verify --trials 200"},
    {"cases", "these q, k; your q, k", "the identity, case by case",
     "|(R_m q)·(R_n k) − qᵀR_{n−m}k|",
     "The two sides of the identity for each random case, or for your vectors. Each error is held "
     "against the running bound of the very numbers that arose.",
     "relative-position identity; bound; certificate", "rope verify --trials 200"},
    {"certificate", "all q, k; operator norm", "the identity for every q and k at once",
     "max_k |conj(w_m)·w_n − w_{n−m}|,   w_p = cos p·θ_k + i sin p·θ_k as rounded",
     "The largest factor by which rounded cos and sin can break the identity for vectors of "
     "length 1. No q and k do worse at the tested positions, and a pair that attains it is "
     "written down.",
     "bound; cases; defect", "rope verify --trials 200"},
    {"exact scores", "exact score", "both sides beside the score without rounding",
     "|left − exact|,   |right − exact|",
     "The identity can hold while both sides are wrong alike. Here each side is compared with the "
     "exact score of the same q and k.",
     "true angles; relative-position identity", "rope verify --trials 200"},
    {"true angles", "faithful; faithfulness; unfaithful", "the table beside cos and sin of m·θ_k",
     "|w_m − e^{im·θ_k}| ≤ what rounding grants",
     "Compares every entry of the table of cosines and sines with the exact one, computed by "
     "MPFR. It sees a wrong base or a wrong rule, which the identity cannot see.",
     "relative-position identity; exact scores",
     "rope verify --control wrong-base --trials 100; test $? = 1"},
    {"lengths kept", "orthogonality; modulus", "whether rotation keeps lengths",
     "|√(cos² + sin²) − 1|",
     "A rotation changes no length, so every entry of the table has modulus 1. With an attention "
     "factor it is A.",
     "rotation matrix; attention factor", "rope verify --trials 200"},
    {"shift of both", "shift", "both tokens moved together", "|score(m, n) − score(m + s, n + s)|",
     "Adding s to both positions leaves n − m as it was, so the score may change by rounding "
     "alone. It is the identity without its right side.",
     "relative-position identity; relative", "rope verify --trials 200"},
    {"vacuous", "vacuous bound", "a bound so wide that anything meets it", "T_k of 1 and more",
     "Where rounding may turn a pair by a radian, any score conforms and nothing is proved. Such "
     "a case never counts as passed; the verdict is INCONCLUSIVE.",
     "bound; verdict", "rope verify --policy float32 --max-position 1e9 --trials 20; test $? = 4"},
    {"planted mistake", "control; negative control; controls; self-test",
     "a wrong formula that the checks must reject", "",
     "Every run of rope verify judges seventeen wrong formulas by its own checks, which is its "
     "self-test. If one that rounding cannot hide passes, the verdict is SELF-TEST FAILED and "
     "nothing else in the report counts.",
     "verdict; defect; below rounding",
     "rope verify --control wrong-sign --trials 100; test $? = 1"},
    {"defect", "op_defect; rms; predicted; predicted rms", "how large a planted mistake is",
     "defect = ‖E‖,   predicted rms = ‖E‖_F/d,   E = left − right as matrices",
     "The defect is the worst that the mistake does to vectors of length 1; rms is what it does "
     "to random ones, beside what ‖E‖_F/d predicts. If measurement and prediction agree, the "
     "checker measures what it says.",
     "planted mistake; certificate", "rope verify --trials 200"},
    {"below rounding", "undetectable; changes nothing", "a mistake that rounding hides", "",
     "A planted mistake smaller than what the policy may round cannot be told from rounding. It "
     "is listed so and counts neither for nor against the checker.",
     "planted mistake; policy", "rope verify --policy bfloat16-positions --trials 50; test $? = 4"},
    {"verdict", "PASS; FAIL; INCONCLUSIVE; SELF-TEST FAILED; exit status",
     "the answer of rope verify in one word", "exit status 0, 1, 4, 5",
     "PASS: every bound was met and every planted mistake rejected; FAIL: some bound was "
     "exceeded, or --require was not met; INCONCLUSIVE: nothing was found wrong and nothing "
     "proved. SELF-TEST FAILED means that the checker missed a planted mistake and must not be "
     "trusted.",
     "bound; planted mistake; vacuous", "rope verify --trials 200"},
    {"first position", "first positions; from where on", "where an error first exceeds a tolerance",
     "least N with an error above it at some 0 ≤ m ≤ n ≤ N",
     "Errors grow with position as angles lose digits. One number is exact; a – b says that there "
     "is none before a and that there is one at b.",
     "policy; positions left", "rope precision --policy float32 --max-position 4096"},
    {"positions left", "distinct_positions", "the different positions that a format holds", "",
     "A narrow format rounds positions, so that neighbours become the same: bfloat16 counts by "
     "ones only up to 256. The number is how many different ones remain among all that were "
     "looked at.",
     "policy; first position", "rope precision --policy bfloat16-positions --max-position 4096"},

    // Other encodings
    {"relative", "Toeplitz; relative encoding", "scores that are a function of n − m alone",
     "score(m + s, n + s) = score(m, n) for every s",
     "The matrix of such scores for one query and one key is a Toeplitz matrix: every diagonal "
     "holds one number. rope compare prints the largest change under a shift, beside what "
     "rounding may change.",
     "shift of both; sign of Δ", "rope compare rope learned -o encodings.csv"},
    {"four terms", "cross terms; content and position", "what the score of an added encoding is",
     "q·k + q·W_K p_n + W_Q p_m·k + W_Q p_m·W_K p_n,   over √d",
     "Adding p_m and p_n before W_Q and W_K multiplies out to four terms, of which three hold a "
     "position. The first alone is constant; RoPE rotates it and has no other.",
     "sinusoidal; Transformer-XL; relative", "rope score --view grid --dim 8"},
    {"sign of Δ", "direction; sign of distance; sign of delta",
     "whether an encoding tells before from after", "max |score(Δ) − score(−Δ)|",
     "Zero means that a key before the query and one as far behind it score alike, unless a mask "
     "hides one of them. RoPE tells them apart by its sines.",
     "Δ; relative", "rope compare rope alibi -o encodings.csv"},
    {"decay", "decay R²; R²", "how the score of a vector with itself falls", "",
     "A line and a logarithm are fitted to the scores over distance, and the better one is named "
     "with its R², the share of the variation that it explains. None means that both explain less "
     "than nine tenths.",
     "mean cosine; log law", "rope compare rope alibi -o encodings.csv"},
    {"of projections", "flops; cost; share_of_projections",
     "cost beside that of W_Q, W_K, W_V, W_O", "flops/(8·width²) per token and layer",
     "What an encoding computes for one token in one layer, divided by what the four projections "
     "compute. It compares the cost of encodings on one scale.",
     "RoPE; ALiBi", "rope compare rope alibi -o encodings.csv"},
    {"NoPE", "none (encoding); no position encoding", "no position encoding at all", "q·k/√d",
     "Without a mask attention then knows no order. A causal mask alone breaks the symmetry, "
     "which is how such models can learn.",
     "relative; RoPE", "rope compare none rope -o encodings.csv"},
    {"sinusoidal", "sinusoidal encoding", "waves added to the input",
     "x_m + p_m,   p_m = (sin m·ω_0, cos m·ω_0, sin m·ω_1, …),   ω_i = b^(−2i/D)",
     "p_m·p_n depends on n − m alone, but attention multiplies by W_Q and W_K first, so scores "
     "are not relative. RoPE uses the same frequencies and avoids that.",
     "relative; RoPE; mean cosine", "rope compare sinusoidal rope -o encodings.csv"},
    {"learned", "learned positions", "a table of learned vectors added to the input",
     "x_m + p_m,   p_m a row of a table",
     "Each position has a vector of its own. Nothing is defined beyond the last row.",
     "sinusoidal; relative", "rope compare learned rope -o encodings.csv"},
    {"Shaw", "relative keys", "a learned vector per distance, added to the key",
     "q·(k + a_j)/√d,   j = Δ cut to −c … c",
     "Relative by construction, and blind to everything beyond c. It costs 2c + 1 vectors per "
     "layer.",
     "relative; Transformer-XL; T5 bias", "rope compare shaw rope -o encodings.csv"},
    {"Transformer-XL", "txl", "sinusoids of the distance inside the score",
     "(q·k + q·W_R p_{m−n} + u·k + v·W_R p_{m−n})/√d",
     "The four terms of an added encoding, with the distance for the position of the key, and "
     "vectors u and v for that of the query. It is relative, and needs a second product with "
     "every key.",
     "sinusoidal; relative", "rope compare transformer-xl rope -o encodings.csv"},
    {"T5 bias", "t5; buckets; bucket", "a learned number per bucket of distances",
     "q·k + b[bucket(Δ)]",
     "Half of the buckets hold one distance each, the others grow, and the last holds all beyond. "
     "So no distance is ever new.",
     "ALiBi; relative", "rope compare t5 rope -o encodings.csv"},
    {"ALiBi", "slope; slopes", "a penalty that grows with distance",
     "q·k/√d − slope·|Δ|,   slope = 2^(−8i/n) of head i of n",
     "Attention weights fall by e^(−slope) per token, so distant keys are forgotten. It does not "
     "know the sign of Δ; a causal mask does.",
     "sign of Δ; T5 bias", "rope compare alibi rope -o encodings.csv"},
    {"partial RoPE", "partial rotary; partial_rotary_factor; rotary_pct",
     "some dimensions rotate, the rest pass through", "r = partial_rotary_factor·d",
     "Part of the score then knows no distance. GPT-NeoX, Phi and GLM do so; config files call "
     "the share partial_rotary_factor.",
     "rotated dimensions; p-RoPE", "rope inspect phi-2"},
    {"p-RoPE", "", "the slowest pairs stand still", "θ_k = 0 for all but the fastest share p",
     "The pairs that never completed a turn carry content instead of position. No angle is new at "
     "any length.",
     "partial RoPE; proportional; turn", "rope compare p-rope rope -o encodings.csv"},
    {"xPos", "", "RoPE with a true decay",
     "Σ_k ζ_k^((m−n)/B)·(pair k of RoPE),   ζ_k = (2k/d + γ)/(1 + γ)",
     "The length of q shrinks with position as that of k grows, so the score stays relative and "
     "decays. B is 512 and γ is 0.4; keys after the query grow, so it is for causal models.",
     "RoPE; relative", "rope compare xpos rope -o encodings.csv"},
    {"ReRoPE", "window; w", "distances cut off at a window", "qᵀR_{f(Δ)}k/√d,   f(Δ) = min(Δ, w)",
     "No distance above w is ever seen, whatever the length. The map acts on the distance, so it "
     "takes a second pass over the keys.",
     "Leaky ReRoPE; unseen share", "rope compare rerope rope -o encodings.csv"},
    {"Leaky ReRoPE", "leak", "distances beyond a window slowed down",
     "f(Δ) = Δ up to w,   w + (Δ − w)/leak beyond",
     "Beyond the window distances grow more slowly instead of stopping. None leaves the trained "
     "length T up to Δ = w + leak·(T − 1 − w).",
     "ReRoPE; linear", "rope compare leaky-rerope rope -o encodings.csv"},
});

}  // namespace

std::span<const Term> terms() { return kTerms; }

}  // namespace rope::app
