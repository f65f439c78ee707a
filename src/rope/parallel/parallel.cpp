#include "rope/parallel/parallel.hpp"

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "rope/system/system.hpp"

namespace rope {

std::size_t available_threads() { return system::processors(); }

void in_parallel(std::size_t count, std::size_t least,
                 const std::function<void(std::size_t, std::size_t)>& work) {
  if (count == 0) return;
  const std::size_t worthwhile = std::max<std::size_t>(count / std::max<std::size_t>(least, 1), 1);
  const std::size_t parts = worthwhile < 2 ? 1 : std::min(worthwhile, available_threads());
  std::vector<std::exception_ptr> failures(parts);
  const auto run = [&](std::size_t part) {
    // count/parts each, and one more for the first count % parts: no product that could overflow.
    const std::size_t size = count / parts, more = count % parts;
    const std::size_t begin = part * size + std::min(part, more);
    try {
      work(begin, begin + size + (part < more ? 1 : 0));
    } catch (...) {
      failures[part] = std::current_exception();
    }
  };
  std::size_t started = 1;
#if !defined(__EMSCRIPTEN__)
  std::vector<std::thread> others;
  others.reserve(parts - 1);
  try {
    for (; started < parts; ++started) others.emplace_back(run, started);
  } catch (const std::system_error&) {
    // The rest is done here.
  }
#endif
  run(0);
  for (std::size_t part = started; part < parts; ++part) run(part);
#if !defined(__EMSCRIPTEN__)
  for (std::thread& other : others) other.join();
#endif
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace rope
