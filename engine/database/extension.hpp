#pragma once
// Extension: data that a higher layer stores with an open database. The engine does not know its type.

#include <memory>
#include <mutex>
#include <utility>

namespace cairn::engine {

/// The base of what a higher layer stores here.
class Extension {
 public:
  virtual ~Extension() = default;
};

/// Holds the extension of a database. An extension never changes: a change replaces it, and readers still use the old one.
/// Threads: any.
class ExtensionPlace {
 public:
  using Pointer = std::shared_ptr<const Extension>;

  /// Returns the current extension; nullptr before the first change.
  [[nodiscard]] Pointer get() const {
    const std::lock_guard lock(mutex_);
    return extension_;
  }
  /// Replaces the extension by `next(old extension)`, atomically.
  template <class Next>
  void change(const Next& next) {
    // Declared before the lock and so destroyed after it: the old extension may have objects of the program, whose
    // destructors may access this place.
    Pointer before;
    const std::lock_guard lock(mutex_);
    before = extension_;
    extension_ = next(std::as_const(before));
  }

 private:
  mutable std::mutex mutex_;
  Pointer extension_;  // owners: this and readers
};

}  // namespace cairn::engine
