#pragma once

// What writing files needs; nothing for other layers.

#include <sys/types.h>

#include <string>

namespace rope::io {

/// A new file in a folder, which is gone again unless it took a target's name.
///
/// It has no name of its own until then where the file system can do that, so that not even SIGKILL
/// leaves it behind. Elsewhere its name is one nobody can guess, and remove_unfinished_files knows
/// it.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& folder, mode_t mode);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  TemporaryFile(TemporaryFile&&) = delete;
  TemporaryFile& operator=(TemporaryFile&&) = delete;

  /// Negative, with the reason in errno, if the file could not be made. The caller closes it, after
  /// rename_to.
  int descriptor() const { return descriptor_; }

  /// Puts it in the place of `target`, in the same folder. Returns 0 or the error.
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
