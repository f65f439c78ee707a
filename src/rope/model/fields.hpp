#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/io/json.hpp"

namespace rope {

/// The members of one JSON object in a model's file. A missing or null member is returned as
/// nothing, a quoted number is accepted with a warning, and anything else of the wrong kind is
/// refused.
class Fields {
 public:
  /// `path` precedes each key in messages: "config.json: rope_scaling." or "config.json: ".
  /// Both `object` and `warnings` must outlive the fields.
  Fields(const io::Json& object, std::string path, std::vector<std::string>& warnings)
      : object_(&object), path_(std::move(path)), warnings_(&warnings) {}

  const io::Json& object() const { return *object_; }
  const std::string& path() const { return path_; }

  /// The prefix of a message about the object itself: "config.json: rope_scaling: ".
  std::string subject() const;

  /// Whether the member is present, even if it is null.
  bool has(std::string_view key) const;

  /// The member, or nullptr if it is missing or null.
  const io::Json* find(std::string_view key) const;

  /// The members of the value under this key, if it is a non-empty object.
  std::optional<Fields> inner(std::string_view key) const;

  /// The functions below throw rope::Error (invalid input) unless the member is missing, null or of
  /// the kind they return.
  std::optional<double> number(std::string_view key) const;
  std::optional<std::int64_t> positive_integer(std::string_view key) const;
  std::optional<bool> flag(std::string_view key) const;
  std::optional<std::string> text(std::string_view key) const;
  std::optional<std::vector<double>> numbers(std::string_view key) const;

  /// The value under the first of these alternative keys that is present; `which` receives that
  /// key.
  std::optional<std::int64_t> first_integer(const std::vector<std::string_view>& keys,
                                            std::string_view* which = nullptr) const;

  void warn(std::string warning) const { warnings_->push_back(std::move(warning)); }

  /// Throws the error "PATHkey: expected …, found …" and never returns.
  [[noreturn]] void refuse(std::string_view key, std::string_view expected,
                           std::string remedy) const;

 private:
  const io::Json* object_;
  std::string path_;
  std::vector<std::string>* warnings_;
};

/// A JSON value as shown in a message: short, on one line.
std::string shown(const io::Json& value);

/// A number as shown in a message: 1000000, not 1e+06.
std::string shown(double value);

}  // namespace rope
