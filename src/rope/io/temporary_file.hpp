#pragma once

// Used by the code that writes files; not meant for other code.

#include <sys/types.h>

#include <string>

namespace rope::io {

/// A new file in a folder; it is removed again unless it has taken the name of a target.
///
/// Where the file system supports it, the file has no name of its own before it is put in place, so
/// that not even SIGKILL leaves it behind. Elsewhere it has a name that cannot be guessed, and
/// remove_unfinished_files removes it.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& folder, mode_t mode);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  TemporaryFile(TemporaryFile&&) = delete;
  TemporaryFile& operator=(TemporaryFile&&) = delete;

  /// Negative, with the reason in errno, if the file could not be created. The caller closes the
  /// descriptor after rename_to.
  int descriptor() const { return descriptor_; }

  /// Puts the file in place of `target`, in the same folder. Returns 0 or the error.
  int rename_to(const std::string& target);

 private:
  bool choose_name();
  void forget_name();
  bool has_name() const { return !name_.empty(); }

  std::string folder_;
  std::string name_;
  int descriptor_ = -1;
};

}  // namespace rope::io
