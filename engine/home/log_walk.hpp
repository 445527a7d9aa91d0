#pragma once
// LogWalk: the slots of a home's log between two places, in order.

#include "codec/commit_record.hpp"
#include "codec/home_head.hpp"

namespace cairn::engine {

/// Names one slot after the other, from the one behind `from` up to `to`. A fence leads to the next epoch.
/// Precondition: the log has no gap there, as it has none behind a checkpoint that the head refers to.
class LogWalk {
 public:
  LogWalk(const codec::HomePlace& from, const codec::HomePlace& to) noexcept
      : slot_{from.epoch, from.slot + 1}, to_(to) {}
  [[nodiscard]] bool has_ended() const noexcept { return to_ < slot_; }
  [[nodiscard]] const codec::HomePlace& slot() const noexcept { return slot_; }
  /// Goes on behind slot(), which holds a record of this kind.
  void pass(codec::RecordKind kind) noexcept {
    if (kind == codec::RecordKind::fence)
      slot_ = {slot_.epoch + 1, 1};
    else
      ++slot_.slot;
  }

 private:
  codec::HomePlace slot_;
  codec::HomePlace to_;
};

}  // namespace cairn::engine
