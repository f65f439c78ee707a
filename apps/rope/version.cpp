#include "version.hpp"

#include <array>
#include <string_view>
#include <vector>

#include "rope/io/json_value.hpp"

namespace rope::app {
namespace {

/// The schemas of src/rope/documents and of the commands; a test compares them with the sources.
constexpr std::array<std::string_view, 23> kSchemas = {
    "rope.apply/2",     "rope.attention/1",     "rope.claims/1",     "rope.compare/2",
    "rope.convert/1",   "rope.decay-map/1",     "rope.decay/2",      "rope.diagnose/2",
    "rope.extend/2",    "rope.glossary/2",      "rope.golden/2",     "rope.inspect/1",
    "rope.lesson/1",    "rope.lesson.answer/1", "rope.matrix/2",     "rope.policies/1",
    "rope.precision/2", "rope.presets/1",       "rope.rotate/1",     "rope.score/1",
    "rope.verify/2",    "rope.version/1",       "rope.wavelengths/2"};

}  // namespace

std::string version_text(bool json) {
  if (!json) return "rope " ROPE_VERSION "\n";
  const std::vector<io::JsonValue> schemas(kSchemas.begin(), kSchemas.end());
  return io::JsonValue{
      {"schema", "rope.version/1"}, {"version", ROPE_VERSION}, {"schemas", schemas}}
      .document();
}

}  // namespace rope::app
