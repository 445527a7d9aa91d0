#pragma once
// IdMembership: tests whether ids are in a set, for many ids in any order.

#include "codec/bitmap.hpp"
#include "codec/container.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace cairn::codec {

/// Remembers the chunk of the last id, because ids that are tested one after the other are often
/// close to each other. The set must outlive it and must not change.
class IdMembership {
 public:
  explicit IdMembership(const Bitmap& set) : set_(&set) {}

  [[nodiscard]] bool contains(std::uint64_t id) noexcept {
    if (id >= first_ && id < end_) return true;
    if (id >> 16 != key_) find(id >> 16);
    if (words_ != nullptr) return test_bit(words_, static_cast<std::uint16_t>(id));
    return container_ != nullptr && is_in_container(static_cast<std::uint16_t>(id));
  }

 private:
  void find(std::uint64_t key) noexcept {
    key_ = key;
    first_ = end_ = 0;
    const auto chunks = set_->chunks();
    const auto chunk = std::ranges::lower_bound(chunks, key, {}, &Bitmap::Chunk::key);
    const bool is_there = chunk != chunks.end() && chunk->key == key;
    container_ = is_there ? chunk->container.get() : nullptr;
    const bool has_words = is_there && container_->form() == Container::Form::bitmap;
    words_ = has_words ? container_->words().data() : nullptr;
  }

  /// Remembers the run of the id, if the container has runs.
  [[nodiscard]] bool is_in_container(std::uint16_t low) noexcept {
    if (container_->form() != Container::Form::runs) return container_->contains(low);
    const auto runs = container_->runs();
    const auto run = std::ranges::lower_bound(runs, low, {}, &Container::Run::last);
    if (run == runs.end() || run->first > low) return false;
    first_ = key_ << 16 | run->first;
    end_ = (key_ << 16 | run->last) + 1;
    return true;
  }

  const Bitmap* set_;
  std::uint64_t key_ = std::numeric_limits<std::uint64_t>::max();  // no id has this key
  const Container* container_ = nullptr;  // nullptr: no id of the chunk is in the set
  const std::uint64_t* words_ = nullptr;  // nullptr unless the container is a bitmap
  // The run of an earlier id: [first_, end_).
  std::uint64_t first_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace cairn::codec
