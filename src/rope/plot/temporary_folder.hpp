#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace rope::plot {

/// A folder of our own among the temporary files, for programs that read files by their names.
///
/// A process of its own waits for the end of this one and then removes the folder: so nothing stays
/// behind after a signal, not even SIGKILL. It removes the names that it was told, no others.
class TemporaryFolder {
 public:
  /// Throws SystemError if it cannot be made.
  explicit TemporaryFolder(const std::vector<std::string>& names);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;

  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

  /// Removes it now. Whether it is gone.
  bool remove();

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::vector<std::string> files_;
};

/// Removes the folder that is in use, if one is, and says so on standard error where that fails. It
/// may be called from a handler of signals.
void remove_unfinished_folder() noexcept;

}  // namespace rope::plot
