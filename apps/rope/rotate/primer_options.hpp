#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rope/studies/primer.hpp"
#include "usage/options.hpp"

namespace rope::app {

/// The options --primer TOPIC and those for the numbers that the topic uses.
struct PrimerOptions {
  const PrimerTopicEntry* topic = nullptr;  ///< null if --primer is not given
  std::vector<primer::Angle> angles;        ///< up to two
  std::optional<primer::Complex> z;
  std::optional<primer::Complex> w;
  std::optional<std::size_t> terms;

  /// Declares --primer, --angle, --z, --w and --terms under a heading of their own.
  void declare(OptionSet& options);

  /// Rejects any number that the topic does not use.
  void check_taken() const;

  /// The request that the options describe. Throws rope::Error if a number was given without
  /// --primer, or with a topic that does not use it.
  std::optional<PrimerRequest> request() const;
};

/// "1.5", in radians, or "90deg".
primer::Angle read_angle(const std::string& option, const std::string& text);

/// "3,4": 3 + 4i.
primer::Complex read_complex(const std::string& option, const std::string& text);

}  // namespace rope::app
