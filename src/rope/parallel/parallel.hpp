#pragma once

#include <cstddef>
#include <functional>

namespace rope {

/// How many threads can run at once: the number of processors available to this process.
std::size_t available_threads();

/// Splits 0 … count − 1 into consecutive parts, one per thread, and calls work(begin, end) for
/// each. Returns when all are done. The parts depend on the machine, so the result of work() for an
/// index must not depend on the part that contains the index.
///
/// Units     least: the smallest count worth a thread of its own; starting a thread costs 0.1 to
///           0.3 ms.
/// Edge      if count is 0, work() is not called. If no thread can be started, the caller's thread
///           does the work.
/// Throws    whatever work() throws, once all parts have ended; if several parts throw, the
///           exception from the first of them.
void in_parallel(std::size_t count, std::size_t least,
                 const std::function<void(std::size_t begin, std::size_t end)>& work);

}  // namespace rope
