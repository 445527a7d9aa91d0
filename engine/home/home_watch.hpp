#pragma once
// HomeWatch: looks at the head of a home without owning the home.

#include "codec/home_head.hpp"
#include "engine/home/object_store.hpp"

#include <cairn/result.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::engine {

/// Reads the head of one home again and again. Threads: one at a time.
class HomeWatch {
 public:
  /// Opens the store of a home. Sends no request. Errors: as open_object_store().
  [[nodiscard]] static Result<HomeWatch> open(std::string_view address);

  /// Returns the head of the home as it is now, or nullopt if there is no home.
  /// Errors: read errors of the store; corruption; format_too_new. Cost: a request, without content if nothing changed.
  [[nodiscard]] Result<std::optional<codec::HomeHead>> look();

 private:
  HomeWatch(std::unique_ptr<ObjectStore> store, std::string head)
      : store_(std::move(store)), name_(std::move(head)) {}

  std::unique_ptr<ObjectStore> store_;
  std::string name_;  // of the head in the store
  std::string tag_;   // of head_; empty: it was not read yet
  std::optional<codec::HomeHead> head_;
};

}  // namespace cairn::engine
