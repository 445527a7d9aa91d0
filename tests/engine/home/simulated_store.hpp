#pragma once
// A store in memory that answers one request at once, and random numbers that are the same everywhere.

#include "engine/home/ownership.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cairn::test {

/// SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U + 1) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
  bool chance(std::size_t percent) { return below(100) < percent; }
  bool permille(std::size_t share) { return below(1'000) < share; }

 private:
  std::uint64_t state_;
};

class SimulatedStore {
 public:
  engine::HomeAnswer answer(const engine::HomeRequest& request) {
    using Kind = engine::HomeRequest::Kind;
    using engine::WriteOutcome;
    const auto found = objects_.find(request.name);
    const bool is_there = found != objects_.end();
    switch (request.kind) {
      case Kind::get:
        if (!is_there) return {WriteOutcome::done, {}, {}};
        return {WriteOutcome::done, found->second.bytes, std::to_string(found->second.tag)};
      case Kind::create:
        if (is_there) return {WriteOutcome::refused, {}, {}};
        return write(request);
      case Kind::replace:
        if (!is_there || std::to_string(found->second.tag) != request.tag)
          return {WriteOutcome::refused, {}, {}};
        return write(request);
      case Kind::erase:
        objects_.erase(request.name);
        return {WriteOutcome::done, {}, {}};
    }
    return {};
  }

  /// All names, in their order.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [name, object] : objects_) names.push_back(name);
    return names;
  }

 private:
  struct Object {
    std::string bytes;
    std::uint64_t tag = 0;
  };
  engine::HomeAnswer write(const engine::HomeRequest& request) {
    objects_[request.name] = {request.bytes, ++last_tag_};
    return {engine::WriteOutcome::done, {}, std::to_string(last_tag_)};
  }

  std::map<std::string, Object> objects_;
  std::uint64_t last_tag_ = 0;
};

}  // namespace cairn::test
