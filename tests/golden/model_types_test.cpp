// Every type of model that transformers has and that rotates, as its class makes it of two sizes.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "golden/reference_file.hpp"
#include "rope/io/csv.hpp"
#include "rope/model/read_model.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

// The reference was computed with pow in double precision: its angles' exponent and power round.
constexpr double kTolerance = 1e-14;

std::string config_of(const std::string& type) {
  std::string more;
  if (type == "esm") more = R"(, "position_embedding_type": "rotary")";
  if (type == "granitemoehybrid") more = R"(, "position_embedding_type": "rope")";
  if (type == "zamba2") more = R"(, "use_mem_rope": true)";
  return R"({"model_type": ")" + type +
         R"(", "hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 8)" + more + "}";
}

TEST(ModelTypes, RotateAsTheirClassesSay) {
  const io::CsvTable types = io::parse_csv(test::reference_bytes("models/types.csv"), "types.csv");
  const auto text = [&](std::size_t row, const char* name) {
    return std::string(types.cell(row, types.column(name)));
  };
  const auto near = [](double value, const std::string& expected) {
    const double wanted = std::stod(expected);
    return std::abs(value - wanted) <= kTolerance * std::abs(wanted);
  };
  ASSERT_GE(types.rows(), 150U);
  for (std::size_t row = 0; row < types.rows(); ++row) {
    const std::string type = text(row, "model_type");
    const ModelRope model = read_model(config_of(type), type);
    bool found = false;
    std::string seen;
    for (const LayerRope& layer : model.layers) {
      if (!layer.rotates()) continue;
      const std::vector<double>& theta = layer.scaled.frequencies.theta;
      seen += " " + std::string(name(layer.layout)) + " " + std::to_string(2 * theta.size()) + " " +
              test::show(theta.at(theta.size() > 1 ? 1 : 0));
      found = found || (std::to_string(2 * theta.size()) == text(row, "rotated") &&
                        std::string(name(layer.layout)) == text(row, "layout") &&
                        (theta.size() < 2 || near(theta[1], text(row, "theta_1"))) &&
                        near(theta.back(), text(row, "theta_last")) &&
                        near(layer.scaled.attention_factor, text(row, "attention_factor")));
    }
    EXPECT_TRUE(found) << type << " " << text(row, "layers") << ":" << seen << ", expected "
                       << text(row, "layout") << " " << text(row, "rotated") << " "
                       << text(row, "theta_1");
  }
}

}  // namespace
}  // namespace rope
