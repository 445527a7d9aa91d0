#pragma once
// ColumnSegment: the values of one property by id, as a column in memory.
//
// chunk   := the values of 65,536 consecutive ids that have one type
//            slots    of the ids with a value
//            values   integers     offsets of 1, 2, 4 or 8 bytes from the least value
//                     floats       as they are
//                     dictionary   a code of two bytes for each value; all chunks share the dictionary if the codes suffice
//                     texts        the bytes of all texts, and where each ends
// escaped := ids whose value has another type than their chunk, or a type that no chunk stores; only the record has it

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
#include <string_view>
#include <variant>
#include <vector>

namespace cairn::engine {

/// The column of one property of all nodes, or of all relationships.
class ColumnSegment final : public Segment {
 public:
  using Ptr = std::shared_ptr<const ColumnSegment>;
  static constexpr double microseconds_a_record = 0.35;  ///< the cost of a build

  /// Builds the column of property `key` from all records of a kind. Returns nullptr if the segment exceeds the
  /// bounds, or most values would be escaped.
  /// Errors: errors of the store; corruption.
  [[nodiscard]] static Result<Ptr> build(const RocksStore& store, const StoreSnapshot& snapshot,
                                         codec::EntityKind kind, std::uint32_t key,
                                         const SegmentBounds& bounds);

  /// Returns a newer column, as of a snapshot in which only the records of the ids `changed` differ. Only chunks with such
  /// ids are made again. Returns nullptr and errors as build() does.
  [[nodiscard]] Result<Ptr> updated(const RocksStore& store, const StoreSnapshot& snapshot,
                                    codec::EntityKind kind, std::uint32_t key,
                                    const codec::Bitmap& changed,
                                    const SegmentBounds& bounds) const;

  /// Reads what append_to() has written. Returns nullptr if the segment exceeds `most_bytes`. Errors: corruption.
  [[nodiscard]] static Result<Ptr> read(std::string_view bytes, std::size_t most_bytes);

  /// Sets `value` to the value of an id, or to null if the id has none. Returns false, and leaves `value` unchanged,
  /// if only the record has the value.
  [[nodiscard]] bool read(std::uint64_t id, Value& value) const;

  using Values = std::shared_ptr<const std::vector<Value>>;
  /// The values of some ids, each as a word of 64 bits: an integer, the bits of a float, or an index into
  /// `dictionary`.
  struct Words {
    enum class Form : std::uint8_t { none, integers, floats, codes };
    Form form = Form::none;  ///< none: all values are missing
    std::vector<std::uint64_t> words;
    std::vector<std::uint8_t> missing;  ///< one flag per id; empty if no value is missing
    /// The values of codes, for the form `codes`.
    Values dictionary;
    std::vector<std::size_t> left;  ///< indexes into `ids` of the values that only the records have
  };
  /// Reads the values of `ids`. Ids in `changed` (may be nullptr) are put into `left`. Returns false if the values
  /// have more than one form, or a form that does not fit into words.
  [[nodiscard]] bool read_words(std::span<const std::uint64_t> ids, const codec::Bitmap* changed,
                                Words& out) const;

  [[nodiscard]] std::size_t memory_bytes() const noexcept override;
  [[nodiscard]] std::size_t ids() const noexcept override { return count_; }
  void append_to(std::string& out) const override;

 private:
  /// Each value is `base` plus its entry in `above`.
  struct Integers {
    std::int64_t base = 0;
    std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>,
                 std::vector<std::uint64_t>>
        above;
  };
  struct Floats {
    std::vector<double> values;
  };
  /// Each value is the entry of `values` at its code.
  struct Dictionary {
    Values values;
    std::vector<std::uint16_t> codes;
  };
  /// Text `i` begins where text `i - 1` ends.
  struct Texts {
    std::vector<std::uint32_t> ends;
    std::string bytes;
  };
  struct Chunk {
    SlotIndex slots;
    std::variant<std::monostate, Integers, Floats, Dictionary, Texts> values;

    /// Returns the value at a position of the chunk.
    [[nodiscard]] Value value(std::size_t at) const;
    /// The memory of the chunk, without its dictionary if that is `shared`.
    [[nodiscard]] std::size_t memory_bytes(const Values& shared) const noexcept;
  };
  class ChunkBuilder;
  class Builder;
  class Update;
  class FileReader;
  class FileWriter;

  ColumnSegment() = default;
  [[nodiscard]] double microseconds_of(std::uint64_t chunk) const noexcept override;
  /// Makes all chunks with a dictionary use one common dictionary, if codes of two bytes suffice for it. Codes of an earlier
  /// common dictionary remain.
  void share_dictionary();
  /// read_words() for ids of one chunk. `first` is their index among all ids.
  [[nodiscard]] bool read_run(std::span<const std::uint64_t> ids, std::size_t first,
                              const codec::Bitmap* changed, Words& out) const;

  std::vector<Chunk> chunks_;
  Values dictionary_;  // the common dictionary; nullptr if each chunk has its own
  codec::Bitmap escaped_;
  std::size_t count_ = 0;  // ids with a value, escaped ones included
};

}  // namespace cairn::engine
