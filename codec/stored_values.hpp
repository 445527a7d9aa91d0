#pragma once
// Conversion between values and the flatbuffer table `Values` (schema/record.fbs).

#include "codec/record.hpp"
#include "codec/schema/record_generated.h"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {

/// Collects the values of one list, map or record and writes them as one table. Nested containers
/// are written when they are added, because one FlatBuffers table cannot be built inside another.
class ValuesWriter {
 public:
  ValuesWriter(flatbuffers::FlatBufferBuilder& builder, std::size_t count) : builder_(builder) {
    types_.reserve(count);
    words_.reserve(count);
  }

  void add(const StoredValue& value);
  void add(const Value& value);
  /// Adds the key of the next entry of a map. All keys must be added before the first value.
  void add_key(std::string_view key) { append_text(key); }
  [[nodiscard]] flatbuffers::Offset<fb::Values> finish();

 private:
  friend struct AddValue;  // has one overload per type; defined in the .cpp file

  void add_word(fb::StoredType type, std::uint64_t word);
  void add_text(const std::string& text);
  void add_wide(fb::StoredType type, std::int64_t first, std::int64_t second,
                std::int64_t third = 0, std::int64_t fourth = 0);
  void add_date_time(const DateTime& value);
  void add_list(const List& list);
  void add_map(const Map& map);
  /// Appends a text and returns its index.
  std::size_t append_text(std::string_view text);

  flatbuffers::FlatBufferBuilder& builder_;
  std::vector<std::uint8_t> types_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> text_ends_;
  std::string texts_;
  std::vector<fb::Wide> wides_;
  std::vector<flatbuffers::Offset<fb::Values>> containers_;
};

/// Reads values from verified tables. After the first fault every read returns null, and fault()
/// says what was wrong.
///
/// A hostile buffer can refer to one part many times, so that its values need far more memory than
/// the buffer. Encoders never write such buffers, so reading stops when it has read more bytes than
/// the buffer has.
class ValuesReader {
 public:
  explicit ValuesReader(std::size_t buffer_bytes) noexcept : budget_(buffer_bytes) {}

  /// True if `values` holds exactly `count` values; otherwise that is a fault.
  bool has_count(const fb::Values* values, std::size_t count) noexcept;
  [[nodiscard]] StoredValue read_stored(const fb::Values& values, std::uint32_t index);
  [[nodiscard]] Value read_value(const fb::Values& values, std::uint32_t index);
  /// Returns what was wrong, or nullptr.
  [[nodiscard]] const char* fault() const noexcept { return fault_; }

 private:
  Value fail(const char* reason) noexcept;
  bool spend(std::size_t bytes) noexcept;
  std::string read_text(const fb::Values& values, std::uint64_t index);
  /// Returns zeros after a fault.
  fb::Wide read_wide(const fb::Values& values, std::uint64_t index) noexcept;
  Value read_by_type(const fb::Values& values, fb::StoredType type, std::uint64_t word);
  Value read_wide_value(const fb::Values& values, fb::StoredType type, std::uint64_t word);
  Value read_container(const fb::Values& values, fb::StoredType type, std::uint64_t word);
  Value read_list(const fb::Values& items);
  Value read_map(const fb::Values& items);
  template <class T>
  Value if_valid(T value);

  std::size_t budget_;
  const char* fault_ = nullptr;
};

}  // namespace cairn::codec
