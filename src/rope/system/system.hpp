#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

/// Linux calls beyond POSIX, and their replacements on other systems. -DROPE_PORTABLE=ON uses the
/// replacements on Linux, too.
namespace rope::system {

/// Whether Linux calls are used.
bool uses_linux() noexcept;

/// Opens a file for writing in the folder. It has no name yet, so nothing is left behind however
/// the program ends. Returns a negative number on systems without such files; on those, a file has
/// a name from the beginning.
int open_nameless(const std::string& folder, mode_t mode);

/// Gives a file opened by open_nameless a name that is not taken. Returns 0 or the error.
int name_file(int descriptor, const std::string& name);

/// A number that nobody can guess.
std::optional<std::uint64_t> random_number();

/// Opens a file without a name for reading and writing: in memory or, on other systems, among the
/// temporary files. It is closed by exec. Returns a negative number on failure, with the reason in
/// errno.
int open_anonymous();

/// Opens a pipe; its read end comes first. Both ends are closed by exec. Returns 0 or the error.
int open_pipe(std::array<int, 2>* ends);

/// Called in a child process, asks the system to end it when its parent ends. On other systems this
/// does nothing. Returns 0 or the error. May be called between fork and exec.
int end_with_parent() noexcept;

/// Starts writing these bytes of the file to disk. On other systems, the system decides when to
/// begin.
void begin_to_write_back(int descriptor, off_t from, off_t size) noexcept;

/// How many processors this process may use; on other systems, how many there are. At least 1.
std::size_t processors();

}  // namespace rope::system
