#include "rope/io/temporary_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <optional>

#include "rope/io/descriptor.hpp"
#include "rope/io/file.hpp"
#include "rope/system/system.hpp"

namespace rope::io {
namespace {

/// The names of files that must go if the program ends now. A handler of signals reads them, so
/// there is no lock; one more than it holds would merely be left behind by a signal.
std::array<std::atomic<const char*>, 16> unfinished{};
static_assert(std::atomic<const char*>::is_always_lock_free);

}  // namespace

void remove_unfinished_files() noexcept {
  for (const std::atomic<const char*>& entry : unfinished)
    if (const char* const name = entry.load()) ::unlink(name);
}

TemporaryFile::TemporaryFile(const std::string& folder, mode_t mode)
    : folder_(folder), descriptor_(system::open_nameless(folder, mode)) {
  if (descriptor_ >= 0) return;
  do {
    if (!choose_name()) return;
    descriptor_ = open_retrying(name_, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    if (descriptor_ < 0) forget_name();
  } while (descriptor_ < 0 && errno == EEXIST);
}

TemporaryFile::~TemporaryFile() {
  if (has_name()) ::unlink(name_.c_str());
  forget_name();
}

int TemporaryFile::rename_to(const std::string& target) {
  while (!has_name()) {
    if (!choose_name()) return errno;
    const int code = system::name_file(descriptor_, name_);
    if (code == 0) break;
    forget_name();
    if (code != EEXIST) return code;
  }
  if (std::rename(name_.c_str(), target.c_str()) != 0) return errno;
  forget_name();
  return 0;
}

/// Short and without the target's name, which may already be as long as a name can be.
bool TemporaryFile::choose_name() {
  const std::optional<std::uint64_t> number = system::random_number();
  if (!number) return false;
  name_ = fmt::format("{}/.rope-{:016x}", folder_, *number);
  for (std::atomic<const char*>& entry : unfinished) {
    const char* none = nullptr;
    if (entry.compare_exchange_strong(none, name_.c_str())) break;
  }
  return true;
}

void TemporaryFile::forget_name() {
  const int kept = errno;
  for (std::atomic<const char*>& entry : unfinished) {
    const char* mine = name_.c_str();
    if (entry.compare_exchange_strong(mine, nullptr)) break;
  }
  name_.clear();
  errno = kept;
}

}  // namespace rope::io
