#pragma once
// ColumnSegment: the values of one property by id, in memory.
//
// chunk   := the values of 65,536 ids, of one type
//            slots    of the ids with a value, or bits where one id in four has one
//            values   integers     base + 1, 2, 4 or 8 bytes
//                     floats       as they are
//                     dictionary   different values, a code of two bytes each
//                     texts        their ends, their bytes
// escaped := ids whose value has another type, or one that no chunk holds: the record has it

#include "codec/bitmap.hpp"
#include "codec/entity_kind.hpp"
#include "engine/segment/segment.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace cairn::engine {

class ColumnSegment final : public Segment {
 public:
  using Ptr = std::shared_ptr<const ColumnSegment>;
  static constexpr double microseconds_a_record = 0.35;  ///< to build it

  /// Reads all records of a kind. Null where it would be out of bounds, or escape most values.
  /// Errors: those of the store, corruption.
  [[nodiscard]] static Result<Ptr> build(const RocksStore& store, const StoreSnapshot& snapshot,
                                         codec::EntityKind kind, std::uint32_t key,
                                         const SegmentBounds& bounds);

  /// Give `value` the value of an id, null where it has none. False, and nothing is given, where the record alone has it.
  [[nodiscard]] bool read(std::uint64_t id, Value& value) const;

  [[nodiscard]] std::size_t memory_bytes() const noexcept override;
  [[nodiscard]] std::size_t ids() const noexcept override { return count_; }

 private:
  struct Integers {
    std::int64_t base = 0;
    std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>,
                 std::vector<std::uint64_t>>
        above;
  };
  struct Floats {
    std::vector<double> values;
  };
  struct Dictionary {
    std::vector<Value> values;
    std::vector<std::uint16_t> codes;
  };
  struct Texts {
    std::vector<std::uint32_t> ends;
    std::string bytes;
  };
  struct Chunk {
    std::vector<std::uint16_t> slots;   // ascending; empty where dense
    std::vector<std::uint64_t> bits;    // of a dense chunk
    std::vector<std::uint32_t> before;  // of a dense chunk: how many values stand before each word
    std::variant<std::monostate, Integers, Floats, Dictionary, Texts> values;

    [[nodiscard]] bool find(std::uint16_t slot, std::size_t& at) const noexcept;
    [[nodiscard]] Value value(std::size_t at) const;
    [[nodiscard]] std::size_t memory_bytes() const noexcept;
  };
  class ChunkBuilder;

  ColumnSegment() = default;

  std::vector<Chunk> chunks_;
  codec::Bitmap escaped_;
  std::size_t count_ = 0;
};

}  // namespace cairn::engine
