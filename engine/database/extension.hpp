#pragma once
// Extension: data that a higher layer keeps with an open database; the engine does not know its type.

#include <memory>
#include <mutex>
#include <utility>

namespace cairn::engine {

class Extension {
 public:
  virtual ~Extension() = default;
};

/// The extension of one database. A reader keeps what it was then; a change replaces it.
/// Threads: any.
class ExtensionPlace {
 public:
  using Pointer = std::shared_ptr<const Extension>;

  /// Null before the first change.
  [[nodiscard]] Pointer get() const {
    const std::lock_guard lock(mutex_);
    return extension_;
  }
  /// `next` makes the new one of the old one; no other change comes between.
  template <class Next>
  void change(const Next& next) {
    Pointer
        before;  // goes after the lock: what it holds may be of a program, and ask for this place again
    const std::lock_guard lock(mutex_);
    before = extension_;
    extension_ = next(std::as_const(before));
  }

 private:
  mutable std::mutex mutex_;
  Pointer extension_;  // owners: this and who has read it
};

}  // namespace cairn::engine
