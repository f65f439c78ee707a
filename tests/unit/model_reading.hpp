#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rope/error.hpp"
#include "rope/model/read_model.hpp"

namespace rope::test {

/// A llama config.json with more members: `"rope_theta": 5e5`.
inline std::string llama(const std::string& members) {
  return R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
            "max_position_embeddings": 4096)" +
         (members.empty() ? "" : ", " + members) + "}";
}

/// A config.json of a type that has no class in transformers, but code of its own.
inline std::string yi(const std::string& members) {
  return R"({"model_type": "yi", "hidden_size": 4096, "num_attention_heads": 32,
            "max_position_embeddings": 4096, )" +
         members + "}";
}

/// A config.json of a class that rotates a fraction of each head, with more members.
inline std::string phi(const std::string& members) {
  return R"({"model_type": "phi", "hidden_size": 4096, "num_attention_heads": 32,
            "max_position_embeddings": 4096, )" +
         members + "}";
}

/// A llama config.json with a base and these parameters of rope_scaling.
inline std::string scaled_llama(const std::string& parameters) {
  return llama(R"("rope_theta": 10000.0, "rope_scaling": {)" + parameters + "}");
}

inline ModelRope read(const std::string& text, const ReadOptions& options = {}) {
  return read_model(text, "x.json", options);
}

inline LayerRope only_layer(const std::string& text, const ReadOptions& options = {}) {
  ModelRope model = read(text, options);
  EXPECT_EQ(model.layers.size(), 1U) << text;
  return model.layers.front();
}

inline const LayerRope& layer_of(const ModelRope& model, const std::string& name) {
  for (const LayerRope& layer : model.layers)
    if (layer.name == name) return layer;
  ADD_FAILURE() << "no layers of type " << name;
  return model.layers.front();
}

using Strings = std::vector<std::string>;

inline Strings warnings(const std::string& text, const ReadOptions& options = {}) {
  return read(text, options).all_warnings();
}

/// Expects exactly one warning, and what it says.
inline void warned(const std::string& text, const std::string& said,
                   const ReadOptions& options = {}) {
  const Strings all = warnings(text, options);
  ASSERT_EQ(all.size(), 1U) << text << (all.empty() ? "" : "\n" + all[0] + "\n" + all.back());
  EXPECT_NE(all[0].find(said), std::string::npos) << all[0];
}

/// Expects the answer that nothing rotates, and why.
inline void unrotated(const std::string& text, const std::string& why) {
  const ModelRope model = read(text);
  ASSERT_EQ(model.layers.size(), 1U) << text;
  EXPECT_EQ(model.layers.front().rope_type, "none") << text;
  EXPECT_FALSE(model.layers.front().rotates()) << text;
  EXPECT_TRUE(model.layers.front().scaled.frequencies.theta.empty()) << text;
  ASSERT_FALSE(model.notes.empty()) << text;
  EXPECT_NE(model.notes.back().find("has no rotary embedding: " + why), std::string::npos)
      << model.notes.back();
  EXPECT_THROW(embedding_of(model.layers.front()), ShapeError);
}

/// Expects a refusal that starts so, and a remedy that holds this.
inline void refused(const std::string& text, const std::string& message,
                    const std::string& remedy = "", const ReadOptions& options = {}) {
  try {
    read(text, options);
    ADD_FAILURE() << "accepted: " << text.substr(0, 300);
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_EQ(error.kind(), ErrorKind::invalid_input) << what;
    EXPECT_TRUE(what.starts_with(message)) << what << "\ninstead of\n" << message;
    EXPECT_NE(error.remedy(), "") << what;
    EXPECT_NE(error.remedy().find(remedy), std::string::npos) << error.remedy();
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
  }
}

inline bool notes_hold(const ModelRope& model, const std::string& text) {
  return std::ranges::any_of(
      model.notes, [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

}  // namespace rope::test
