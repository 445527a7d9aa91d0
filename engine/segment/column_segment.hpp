#pragma once
// ColumnSegment: the values of one property by id, in memory.
//
// chunk   := the values of 65,536 ids, of one type
//            slots        of the ids with a value
//            values   integers     base + 1, 2, 4 or 8 bytes
//                     floats       as they are
//                     dictionary   a code of two bytes each, of values that all chunks share where they are few
//                     texts        their ends, their bytes
// escaped := ids whose value has another type, or one that no chunk holds: the record has it

#include "codec/bitmap.hpp"
#include "codec/entity_kind.hpp"
#include "engine/segment/segment.hpp"
#include "engine/segment/slot_index.hpp"
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

  using Values = std::shared_ptr<const std::vector<Value>>;
  /// The values of some ids, each one word: an integer, the bits of a float, or a place in `dictionary`.
  struct Words {
    enum class Form : std::uint8_t { none, integers, floats, codes };
    Form form = Form::none;  ///< none: all are missing
    std::vector<std::uint64_t> words;
    std::vector<std::uint8_t> missing;  ///< a flag for each; empty: none is missing
    Values dictionary;
    std::vector<std::size_t> left;  ///< places of those that the records alone have
  };
  /// Read the values of `ids`; those of `changed` are left. False where they have several forms, or one without words.
  [[nodiscard]] bool read_words(std::span<const std::uint64_t> ids, const codec::Bitmap* changed,
                                Words& out) const;

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
    Values values;
    std::vector<std::uint16_t> codes;
  };
  struct Texts {
    std::vector<std::uint32_t> ends;
    std::string bytes;
  };
  struct Chunk {
    SlotIndex slots;
    std::variant<std::monostate, Integers, Floats, Dictionary, Texts> values;

    [[nodiscard]] Value value(std::size_t at) const;
    /// Without the dictionary that is `shared`.
    [[nodiscard]] std::size_t memory_bytes(const Values& shared) const noexcept;
  };
  class ChunkBuilder;

  ColumnSegment() = default;
  /// Give all chunks with a dictionary the same one, if two bytes are enough for it.
  void share_dictionary();
  [[nodiscard]] bool read_run(std::span<const std::uint64_t> ids, std::size_t first,
                              const codec::Bitmap* changed, Words& out) const;

  std::vector<Chunk> chunks_;
  Values dictionary_;  // of all chunks that have one; null: each has its own
  codec::Bitmap escaped_;
  std::size_t count_ = 0;
};

}  // namespace cairn::engine
