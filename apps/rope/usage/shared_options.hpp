#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "usage/command.hpp"

namespace rope::app {

/// An option, as declared by most of the commands that have it.
struct SharedOption {
  Option option;                        ///< it reads no value: `fill` is empty
  std::vector<std::string_view> once;   ///< the commands in which it may be given once
  std::vector<std::string_view> often;  ///< the commands in which it may be repeated
  std::vector<std::string_view> own;  ///< those in `once` and `often` that describe it differently

  /// Its help text, with the commands in which it may be repeated, unless it may be repeated in all
  /// of them.
  std::string whole_help() const;
};

/// Options that are listed under one heading in several commands and are explained once, by
/// `rope help WORD`.
struct Topic {
  std::string_view word;     ///< "rotary"
  std::string_view heading;  ///< "Rotary embedding"
  std::vector<SharedOption> options;

  /// The shared form of an option that a command declares; nullptr if the command's help must
  /// explain the option itself.
  const SharedOption* shared(const Option& declared) const;
};

/// Whether a topic has this heading.
bool has_topic(std::string_view heading);

/// The word of the topic that lists the parameters in option values: "t5:buckets=32".
inline constexpr std::string_view kParameterTopic = "encodings";

/// The parameters of the options of all commands, without duplicates.
std::vector<OptionParameter> parameters_of(std::span<const Command* const> commands);

/// The topics, derived from the options that the commands declare.
std::vector<Topic> shared_options(std::span<const Command* const> commands);

}  // namespace rope::app
