#pragma once
// Scrub: one scrub of an open database, Database::scrub().

#include "engine/database/core.hpp"
#include "engine/database/held_snapshots.hpp"

#include <cairn/result.hpp>
#include <cairn/scrub.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

namespace cairn::engine {

class Scrub {
 public:
  /// All must outlive it.
  Scrub(std::shared_ptr<Core> core, const ScrubOptions& options, const std::stop_token& cancel)
      : core_(std::move(core)), options_(options), cancel_(cancel) {}

  /// Once. Errors: as Database::scrub().
  [[nodiscard]] Result<ScrubReceipt> run();

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] Status check_mode() const;
  /// Errors: conflict, where an opening has set files aside.
  [[nodiscard]] Status check_files() const;
  /// Tell of a step. Errors: cancelled.
  [[nodiscard]] Status step(std::string name);
  [[nodiscard]] Status commit();
  [[nodiscard]] Status erase_client_results();
  [[nodiscard]] Status wait_for_snapshots();
  [[nodiscard]] Status erase_emptied();
  [[nodiscard]] Status rewrite_tables();
  [[nodiscard]] Status wait_for_files();
  [[nodiscard]] Status list_backups();
  [[nodiscard]] Error held(const std::vector<HeldSnapshot>& snapshots) const;
  /// Errors: cancelled.
  [[nodiscard]] Status pause() const;

  const std::shared_ptr<Core> core_;  // owners: handles and this
  const ScrubOptions& options_;
  const std::stop_token& cancel_;
  std::uint64_t last_log_ = 0;  // has nothing that was written after the commit
  ScrubProgress progress_;
  ScrubReceipt receipt_;
};

}  // namespace cairn::engine
