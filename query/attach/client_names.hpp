#pragma once
// ClientNames: under which names a process commits through its host. A name counts its commits, one at a time, and the count
// is part of each: so a new host can tell whether a commit was made whose answer was lost.

#include "query/attach/work.hpp"

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace cairn::query::attach {

/// 128 random bits in hexadecimal digits.
[[nodiscard]] std::string draw_name();

/// Threads: any.
class ClientNames {
 public:
  /// A note for the next commit of a name that nobody uses now.
  [[nodiscard]] CommitNote take();
  /// The commit was made, or it never will be; another one may use the name.
  void give_back(const CommitNote& note);
  /// All names that were ever taken.
  [[nodiscard]] std::vector<std::string> all() const;

 private:
  mutable std::mutex mutex_;      // guards the two below
  std::vector<CommitNote> free_;  // with the count of the last commit
  std::vector<std::string> all_;
};

/// A note in use, given back at the end of its scope.
class NoteInUse {
 public:
  explicit NoteInUse(ClientNames& names) : names_(names), note_(names.take()) {}
  NoteInUse(const NoteInUse&) = delete;
  NoteInUse& operator=(const NoteInUse&) = delete;
  ~NoteInUse() { names_.give_back(note_); }
  [[nodiscard]] const CommitNote& operator*() const noexcept { return note_; }

 private:
  ClientNames& names_;
  const CommitNote note_;
};

}  // namespace cairn::query::attach
