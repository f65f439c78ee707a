#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rope/io/json.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope::claims {

/// The parameters that a claim passes to a quantity: each is read by name, and none may be left
/// unread.
class Parameters {
 public:
  /// Throws    DomainError unless the text is one JSON object.
  explicit Parameters(std::string_view json);
  ~Parameters();
  Parameters(const Parameters&) = delete;
  Parameters& operator=(const Parameters&) = delete;

  // All of these throw DomainError if a parameter has the wrong type, or is missing and has no
  // default.
  bool has(std::string_view name) const;
  double number(std::string_view name);
  double number(std::string_view name, double otherwise);
  std::int64_t integer(std::string_view name);
  std::int64_t integer(std::string_view name, std::int64_t otherwise);
  std::size_t count(std::string_view name);  ///< an integer of at least 1
  std::size_t count(std::string_view name, std::size_t otherwise);
  bool flag(std::string_view name);  ///< false if it is not given
  std::string word(std::string_view name);
  std::string word(std::string_view name, std::string_view otherwise);

  /// One number or integer, or a list of them.
  std::vector<double> numbers(std::string_view name);
  std::vector<std::int64_t> integers(std::string_view name);

  /// A vector, given by its numbers or by how to make them:
  ///   [1, 2]                        these numbers
  ///   {"normal": 7, "seed": 42}     stream 7 of near-normal numbers from that seed (42 if not
  ///                                 given)
  ///   {"ones": true}                all numbers 1
  ///
  /// Shapes    returns (size).
  std::vector<double> vector(std::string_view name, std::size_t size);

  /// An embedding given by `frequencies`; or by `model` with the length `seq_len`; or by `dim`
  /// (default 128), `base` (default 10000) and `scaling` (such as "yarn:factor=4,original=2048").
  /// Its layout is `layout` if given, else the model's own, else interleaved.
  RotaryEmbedding embedding();

  /// Throws    DomainError if a parameter was not read.
  void all_taken() const;

 private:
  struct Document;
  const io::Json& value(std::string_view name);
  RotaryEmbedding frequencies_named();
  std::unique_ptr<Document> document_;
  std::set<std::string, std::less<>> taken_;
};

}  // namespace rope::claims
