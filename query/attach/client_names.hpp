#pragma once
// ClientNames: the names under which this process commits in its host. A name is used by one commit at a time and
// numbers its commits. The host stores the last number with the commit. If the answer to a commit is lost, the number
// shows a new host whether the commit was made.

#include "query/attach/work.hpp"

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace cairn::query::attach {

/// A new random name: 128 bits in hexadecimal digits.
[[nodiscard]] std::string draw_name();

/// Threads: any.
class ClientNames {
 public:
  /// A note for the next commit, under a name that is free now.
  [[nodiscard]] CommitNote take();
  /// Releases the name once the commit was made or never will be.
  void give_back(const CommitNote& note);
  /// All names that were ever used.
  [[nodiscard]] std::vector<std::string> all() const;

 private:
  mutable std::mutex mutex_;      // guards the two below
  std::vector<CommitNote> free_;  // free names with the number of their last commit
  std::vector<std::string> all_;
};

/// A note in use; the name is released at the end of the scope.
class NoteInUse {
 public:
  explicit NoteInUse(ClientNames& names) : names_(names), note_(names.take()) {}
  NoteInUse(const NoteInUse&) = delete;
  NoteInUse& operator=(const NoteInUse&) = delete;
  ~NoteInUse() {
    if (!is_retired_) names_.give_back(note_);
  }
  /// The name is used no more: the commit may still be made, and would then overwrite the number of a later one.
  void retire() noexcept { is_retired_ = true; }
  [[nodiscard]] const CommitNote& operator*() const noexcept { return note_; }

 private:
  ClientNames& names_;
  const CommitNote note_;
  bool is_retired_ = false;
};

}  // namespace cairn::query::attach
