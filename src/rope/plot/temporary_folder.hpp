#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace rope::plot {

/// A folder of our own among the temporary files, for programs that read files by name.
///
/// A separate process waits for this one to end and then removes the folder, so that nothing is
/// left behind after a signal, even SIGKILL. That process removes only the files whose names it was
/// given.
class TemporaryFolder {
 public:
  /// Throws SystemError if the folder cannot be made.
  explicit TemporaryFolder(const std::vector<std::string>& names);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;

  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

  /// Removes the folder now and returns whether it is gone.
  bool remove();

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::vector<std::string> files_;
};

/// Removes the folder in use, if there is one, and reports on standard error if that fails. It may
/// be called from a signal handler.
void remove_unfinished_folder() noexcept;

}  // namespace rope::plot
