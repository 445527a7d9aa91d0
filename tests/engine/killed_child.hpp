#pragma once
// One run of the program crash_child, until it is killed.

#include "tests/engine/crash_history.hpp"

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace cairn::test {

struct ChildRun {
  std::filesystem::path database;
  std::uint64_t seed = 0;
  std::string mode = "work";
  std::string kill_at{};  ///< a point as kill_point.cpp reads it; empty: none
  bool scrubs = false;    ///< counts as being at work only once it has completed a scrub
  /// Killed so long after it acknowledged its first operation; nothing: so long after its start.
  std::optional<std::chrono::microseconds> at_work{};
  std::chrono::microseconds after_start{std::chrono::minutes(2)};
};

struct ChildEnd {
  bool was_at_work = false;
  bool died_by_itself = false;  ///< at its point, or because it had nothing more to do
  /// What went wrong. Empty where it was killed or ended by itself without an error.
  std::string problem{};
  /// How many operations of each writer and of the import were acknowledged; 0 where none was. Last, the number of
  /// scrubs that the process completed.
  std::array<std::uint64_t, crash_scrubber + 1> acknowledged{};
};

/// Starts a new program and not only a fork: a store that was opened before leaves threads and locks for which a forked
/// child would wait.
[[nodiscard]] ChildEnd run_and_kill(const ChildRun& run);

}  // namespace cairn::test
