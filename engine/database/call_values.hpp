#pragma once
// The arguments and results of library calls as values, for calls that an attached process forwards to its host. Both
// processes use these functions, so that each format is defined in one place.

#include <cairn/backup.hpp>
#include <cairn/database.hpp>
#include <cairn/metrics.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/system_fields.hpp>
#include <cairn/tokens.hpp>
#include <cairn/transaction.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cairn::engine {

/// Reads the entries of a map by their types. An entry that is missing or has another type is noted, and its default value
/// is returned. So the caller reads all entries and then calls check() once.
class CallReader {
 public:
  explicit CallReader(const Map& map) : map_(&map) {}
  /// A value that is not a map is read like an empty map.
  explicit CallReader(const Value& value);

  [[nodiscard]] std::int64_t integer(std::string_view key);
  [[nodiscard]] std::uint64_t number(std::string_view key) {
    return static_cast<std::uint64_t>(integer(key));
  }
  [[nodiscard]] double real(std::string_view key);
  [[nodiscard]] bool boolean(std::string_view key);
  [[nodiscard]] std::string text(std::string_view key);
  [[nodiscard]] std::vector<std::string> texts(std::string_view key);
  [[nodiscard]] std::vector<double> reals(std::string_view key);
  /// Returns the components of a vector; nothing if the value is not a vector, which is not noted.
  [[nodiscard]] std::vector<float> components(std::string_view key) const;
  /// Returns a value of an enumeration, from `first` to `last`, which is an integer in the map. The default is `first`.
  template <class Choice>
  [[nodiscard]] Choice choice(std::string_view key, Choice last, Choice first = Choice{}) {
    const std::int64_t number = integer(key);
    if (number >= static_cast<std::int64_t>(first) && number <= static_cast<std::int64_t>(last))
      return static_cast<Choice>(number);
    note(key);
    return first;
  }
  /// Returns the value of an enumeration, up to `last`, that to_string() prints as the text.
  template <class Choice>
  [[nodiscard]] Choice named(std::string_view key, Choice last) {
    const std::string name = text(key);
    for (int number = 0; number <= static_cast<int>(last); ++number)
      if (to_string(static_cast<Choice>(number)) == name) return static_cast<Choice>(number);
    note(key);
    return Choice{};
  }
  [[nodiscard]] const Map& map(std::string_view key);
  [[nodiscard]] const List& list(std::string_view key);
  /// Returns nullptr if the entry is absent, which is not noted.
  [[nodiscard]] const Value* find(std::string_view key) const;
  [[nodiscard]] std::optional<std::int64_t> maybe_integer(std::string_view key);

  /// Takes over the missing entry of a reader of a part of this map.
  void note(const CallReader& part);
  /// Errors: io_error with the first missing entry. The cause is a host of another version.
  [[nodiscard]] Status check() const;

 private:
  template <class T>
  const T& get(std::string_view key);
  const Value* note(std::string_view key);

  const Map* map_;
  std::string missing_;  // key of the first missing entry; empty if none is missing
};

/// Converts an unsigned number to a value. The language only has signed integers; CallReader::number() reverses the
/// conversion.
[[nodiscard]] inline Value number_value(std::uint64_t number) {
  return static_cast<std::int64_t>(number);
}
[[nodiscard]] List text_list(const std::vector<std::string>& texts);
/// Errors: io_error if the value is not a list of strings.
[[nodiscard]] Result<std::vector<std::string>> texts_of(const Value& value);
/// Converts each item of a list by `read(reader of the item)`. Errors: io_error.
template <class Item, class Read>
[[nodiscard]] Result<std::vector<Item>> read_items(const Value& value, const Read& read) {
  if (value.list() == nullptr)
    return Error{ErrorCode::io_error,
                 "the host returned something else than a list; use one version of the library in "
                 "both processes",
                 {}};
  std::vector<Item> items;
  for (const Value& item : *value.list()) {
    CallReader reader(item);
    items.push_back(read(reader));
    CAIRN_TRY(reader.check());
  }
  return items;
}
/// Converts a result, unless it is an error, by `read(reader of the value)`.
template <class T, class Read>
[[nodiscard]] Result<T> read_result(const Result<Value>& result, const Read& read) {
  if (!result) return result.error();
  CallReader reader(*result);
  T made = read(reader);
  CAIRN_TRY(reader.check());
  return made;
}

// Conversions to values.

[[nodiscard]] Value call_value(const IndexDescription& index);
[[nodiscard]] Value call_value(const NameCount& count);
[[nodiscard]] Value call_value(const Finding& finding);
[[nodiscard]] Value call_value(const DatabaseStatistics& statistics);
[[nodiscard]] Value call_value(const BackupReport& report);
[[nodiscard]] Value call_value(const ScrubReceipt& receipt);
[[nodiscard]] Value call_value(const DatabaseRole& role);
[[nodiscard]] Value call_value(const Metrics& metrics);
[[nodiscard]] Value call_value(const cairn::Token& token);
[[nodiscard]] Value call_value(const NewToken& token);
[[nodiscard]] Value call_value(const SystemFields& fields);
[[nodiscard]] Value call_value(const AdjacentRelationship& adjacent);
[[nodiscard]] Map call_map(const NewNode& node);
[[nodiscard]] Map call_map(const NewRelationship& relationship);

template <class Items>
[[nodiscard]] Value list_value(const Items& items) {
  List list;
  for (const auto& item : items) list.push_back(call_value(item));
  return list;
}

// Conversions from values; the caller calls CallReader::check() afterwards.

[[nodiscard]] IndexDescription read_index(CallReader& reader);
[[nodiscard]] NameCount read_name_count(CallReader& reader);
[[nodiscard]] Finding read_finding(CallReader& reader);
[[nodiscard]] DatabaseStatistics read_statistics(CallReader& reader);
[[nodiscard]] BackupReport read_backup(CallReader& reader);
[[nodiscard]] ScrubReceipt read_scrub(CallReader& reader);
[[nodiscard]] DatabaseRole read_role(CallReader& reader);
[[nodiscard]] Metrics read_metrics(CallReader& reader);
[[nodiscard]] cairn::Token read_token(CallReader& reader);
[[nodiscard]] NewToken read_new_token(CallReader& reader);
[[nodiscard]] SystemFields read_system_fields(CallReader& reader);
[[nodiscard]] AdjacentRelationship read_adjacent(CallReader& reader);
[[nodiscard]] NewNode read_new_node(CallReader& reader);
[[nodiscard]] NewRelationship read_new_relationship(CallReader& reader);

}  // namespace cairn::engine
