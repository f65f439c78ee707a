// The family `cost`: what a position encoding adds to attention without one.
#include <array>
#include <string_view>

#include "rope/claims/families/families.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/encodings/encodings.hpp"

namespace rope::claims {
namespace cost_family {
namespace {

/// An encoding, and the model whose costs are counted: `heads` (32) of `dim` (128), `layers` (32)
/// and `context` (2048) tokens.
struct Counted {
  Cost cost;
  ModelShape shape;
  double width = 0;
};

Counted counted(Parameters& given, std::string_view encoding = "encoding") {
  Counted result;
  EncodingContext context;
  context.rotary = given.embedding();
  result.shape.heads = given.count("heads", result.shape.heads);
  result.shape.layers = given.count("layers", result.shape.layers);
  result.shape.context = given.integer("context", result.shape.context);
  context.heads = static_cast<std::int64_t>(result.shape.heads);
  context.trained = context.length = result.shape.context;
  result.width = static_cast<double>(result.shape.heads * context.rotary.head_dim);
  result.cost = make_encoding(given.word(encoding), context)->cost(result.shape);
  return result;
}

/// All counts are whole, or one division of whole numbers.
Outcome count(double number) { return {{number}, kRoundoff * number}; }

Outcome parameters(Parameters& given) { return count(counted(given).cost.parameters); }

/// Beside the 12·width² parameters of every layer: four matrices of attention and eight of the
/// usual feed-forward part.
Outcome parameter_share(Parameters& given) {
  const Counted all = counted(given);
  return count(all.cost.parameters /
               (12 * all.width * all.width * static_cast<double>(all.shape.layers)));
}

Outcome flops(Parameters& given) { return count(counted(given).cost.flops); }

/// So many times as many as of the encoding `over`.
Outcome flop_times(Parameters& given) {
  const double times = counted(given).cost.flops / counted(given, "over").cost.flops;
  return {{times}, 3.03 * kRoundoff * times};
}

Outcome table_bytes(Parameters& given) { return count(counted(given).cost.table_bytes); }

/// Beside the 8·width² flops of W_Q, W_K, W_V and W_O.
Outcome flop_share(Parameters& given) {
  const Counted all = counted(given);
  return {{all.cost.flops / (8 * all.width * all.width)},
          2.02 * kRoundoff * all.cost.flops / (8 * all.width * all.width)};
}

/// Numbers added to scores, a head each: N × N matrices.
Outcome squares(Parameters& given) { return count(counted(given).cost.squares); }

constexpr std::array kQuantities = {
    Quantity{"cost.parameters", "learned numbers", parameters},
    Quantity{"cost.parameter_share", "share of the model's parameters", parameter_share},
    Quantity{"cost.flops", "flops per token and layer", flops},
    Quantity{"cost.flop_times", "ratio of flops per token and layer", flop_times},
    Quantity{"cost.table_bytes", "bytes of the table", table_bytes},
    Quantity{"cost.flop_share", "share of the projections' flops", flop_share},
    Quantity{"cost.squares", "N × N matrices per head", squares},
};

}  // namespace
}  // namespace cost_family

std::span<const Quantity> cost_quantities() { return cost_family::kQuantities; }

}  // namespace rope::claims
