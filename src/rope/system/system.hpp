#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

/// Wrappers for Linux system calls beyond POSIX, with replacements for other systems.
/// -DROPE_PORTABLE=ON uses the replacements even on Linux.
namespace rope::system {

/// Whether these functions use the Linux calls.
bool uses_linux() noexcept;

/// Opens a nameless file in the folder for writing, so that nothing is left behind however the
/// program ends. Returns a negative number on systems without such files, where a file needs a name
/// from the beginning.
int open_nameless(const std::string& folder, mode_t mode);

/// Gives a file opened by open_nameless a name, which must not be in use yet. Returns 0 or the
/// error number.
int name_file(int descriptor, const std::string& name);

/// A random number that nobody can predict.
std::optional<std::uint64_t> random_number();

/// Opens a file without a name for reading and writing: in memory or, on other systems, in the
/// folder for temporary files. It is closed on exec. Returns a negative number on failure, with the
/// reason in errno.
int open_anonymous();

/// Opens a pipe; its read end is ends[0]. Both ends are closed on exec. Returns 0 or the error
/// number.
int open_pipe(std::array<int, 2>* ends);

/// Called in a child process, asks the system to end it when its parent ends. On other systems this
/// does nothing. Returns 0 or the error number. May be called between fork and exec.
int end_with_parent() noexcept;

/// Asks the system to start writing these bytes of the file to disk. Systems other than Linux
/// decide for themselves when to begin.
void begin_to_write_back(int descriptor, off_t from, off_t size) noexcept;

/// How many processors this process may use; on other systems, how many there are. At least 1.
std::size_t processors();

}  // namespace rope::system
