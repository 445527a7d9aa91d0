#include "engine/fulltext/text_progress.hpp"

#include <algorithm>
#include <utility>

namespace cairn::engine {

void TextProgress::begin(IndexDescription description, std::uint64_t records) {
  const std::lock_guard lock(mutex_);
  description_ = std::move(description);
  description_->state = "POPULATING";
  records_ = records;
  done_ = 0;
}

void TextProgress::end() {
  const std::lock_guard lock(mutex_);
  description_.reset();
}

// The result is below 100 even without records, because 100 would mean that the index can be
// searched.
double TextProgress::percent() const {
  constexpr double most = 99.9;
  if (records_ == 0) return most;
  return std::min(most, 100.0 * static_cast<double>(done_) / static_cast<double>(records_));
}

std::optional<IndexDescription> TextProgress::current() const {
  const std::lock_guard lock(mutex_);
  if (!description_) return std::nullopt;
  IndexDescription now = *description_;
  now.entries = done_;
  now.options["populationPercent"] = percent();
  return now;
}

std::string TextProgress::text() const {
  const std::lock_guard lock(mutex_);
  if (!description_) return {};
  return "index \"" + description_->name + "\" is being made, " +
         std::to_string(static_cast<int>(percent())) + " % of the records";
}

}  // namespace cairn::engine
