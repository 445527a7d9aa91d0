#pragma once
// Reads FlatBuffers from untrusted bytes. The library checks alignment relative to the start of the
// buffer, not to its address, so bytes are first copied to aligned memory if necessary. Then
// everything is verified, except the alignment of items of 8 bytes within a vector: use
// has_aligned_items() for that.

#include <flatbuffers/flatbuffers.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

namespace cairn::codec {

/// Bytes at an address divisible by eight: the given bytes if they are aligned, otherwise a copy.
/// The given bytes must outlive the object.
class AlignedBytes {
 public:
  explicit AlignedBytes(std::string_view bytes)
      : data_(reinterpret_cast<const std::uint8_t*>(bytes.data())), size_(bytes.size()) {
    if (reinterpret_cast<std::uintptr_t>(data_) % alignment == 0) return;
    std::uint8_t* copy = small_;
    if (size_ > sizeof(small_)) {
      large_.reset(new std::uint64_t[(size_ + alignment - 1) / alignment]);
      copy = reinterpret_cast<std::uint8_t*>(large_.get());
    }
    std::memcpy(copy, bytes.data(), size_);
    data_ = copy;
  }
  AlignedBytes(const AlignedBytes&) = delete;
  AlignedBytes& operator=(const AlignedBytes&) = delete;

  [[nodiscard]] const std::uint8_t* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  static constexpr std::size_t alignment = 8;
  const std::uint8_t* data_;
  std::size_t size_;
  std::unique_ptr<std::uint64_t[]> large_;
  alignas(alignment) std::uint8_t small_[1'000];  // holds most records without an allocation
};

/// Limits for a verifier: nesting levels of tables, and number of tables.
struct VerifyLimits {
  std::uint32_t depth_levels = 1;
  std::uint32_t tables = 1;
};

/// Returns the root table in `bytes`, or null if they are not a well-formed `Table`. Precondition:
/// the address is a multiple of eight. The table is valid as long as the bytes.
template <class Table>
[[nodiscard]] const Table* verified(std::string_view bytes, const VerifyLimits& limits) {
  if (bytes.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) return nullptr;
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  flatbuffers::Verifier verifier(data, bytes.size(), limits.depth_levels, limits.tables);
  if (!verifier.VerifyBuffer<Table>(nullptr)) return nullptr;
  return flatbuffers::GetRoot<Table>(data);
}

template <class Table>
[[nodiscard]] const Table* verified(const AlignedBytes& bytes, const VerifyLimits& limits) {
  return verified<Table>({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, limits);
}

/// True if the address of eight-byte items is a multiple of eight. The verifier only checks the
/// four-byte count in front of them. True also for null and for a vector without items, which
/// builders do not align.
template <class Items>
[[nodiscard]] bool has_aligned_items(const Items* items) noexcept {
  return items == nullptr || items->size() == 0 ||
         reinterpret_cast<std::uintptr_t>(items->Data()) % 8 == 0;
}

}  // namespace cairn::codec
