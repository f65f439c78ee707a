#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

/// What Linux offers beyond POSIX, and what replaces it on other systems. -DROPE_PORTABLE=ON uses
/// the replacements on Linux, too.
namespace rope::system {

/// Whether Linux calls are used.
bool uses_linux() noexcept;

/// A file to write in the folder that has no name yet, so that none is left however the program
/// ends. Negative where the system has no such files; then a file has its name from the beginning.
int open_nameless(const std::string& folder, mode_t mode);

/// Gives a file of open_nameless a name that is not taken. Returns 0 or the error.
int name_file(int descriptor, const std::string& name);

/// A number that nobody can guess.
std::optional<std::uint64_t> random_number();

/// A file to read and write that has no name: in memory or, elsewhere, among the temporary files.
/// Closed by exec; negative with the reason in errno.
int open_anonymous();

/// A pipe, its read end first. Closed by exec. Returns 0 or the error.
int open_pipe(std::array<int, 2>* ends);

/// In a child: asks that it end when its parent does. Elsewhere it ends by itself. Returns 0 or the
/// error. May be called between fork and exec.
int end_with_parent() noexcept;

/// Starts writing these bytes to disk. Elsewhere, the system decides when to begin.
void begin_to_write_back(int descriptor, off_t from, off_t size) noexcept;

/// How many processors this process may use; elsewhere, how many there are. At least 1.
std::size_t processors();

}  // namespace rope::system
