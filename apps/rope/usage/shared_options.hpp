#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "usage/command.hpp"

namespace rope::app {

/// An option, as declared by most of the commands that have it.
struct SharedOption {
  Option option;                        ///< it reads nothing: `fill` is empty
  std::vector<std::string_view> once;   ///< the commands where it may be given once
  std::vector<std::string_view> often;  ///< and those where it may be repeated
  std::vector<std::string_view> own;    ///< those of both kinds that describe it differently

  /// Its help, with the commands where it may be repeated, unless it may be repeated in all of
  /// them.
  std::string whole_help() const;
};

/// Options that are listed under one heading in several commands and are explained once, by
/// `rope help WORD`.
struct Topic {
  std::string_view word;     ///< "rotary"
  std::string_view heading;  ///< "Rotary embedding"
  std::vector<SharedOption> options;

  /// The shared form of an option that a command declares; nullptr if the command must explain it
  /// itself.
  const SharedOption* shared(const Option& declared) const;
};

/// Whether the options under the heading are those of a topic.
bool has_topic(std::string_view heading);

/// The word of the topic that lists the parameters in the values of options: "t5:buckets=32".
inline constexpr std::string_view kParameterTopic = "encodings";

/// The parameters of the options of all commands, each once.
std::vector<OptionParameter> parameters_of(std::span<const Command* const> commands);

/// The topics, made from what the commands declare.
std::vector<Topic> shared_options(std::span<const Command* const> commands);

}  // namespace rope::app
