#pragma once

namespace rope::app {

/// Prepares for an end in the middle of things: nothing half written is left, whatever ends it.
///
/// Signals  that end the program still do so, and its caller sees which; they remove what is
///          unfinished first. One that the caller had ignored (nohup) stays so.
/// Memory   that cannot be had ends it with one message and exit code 3, MPFR's too.
void prepare_for_sudden_end();

/// Says that memory is out and ends the program with exit code 3.
[[noreturn]] void end_without_memory() noexcept;

}  // namespace rope::app
