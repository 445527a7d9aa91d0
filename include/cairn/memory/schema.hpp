#pragma once
// Schema: the fields of each kind of record.
//
// A record is a node with the labels Memory and its kind in capitals (`document` -> :Document), the
// properties `kind` and `content`, and its metadata as further properties. Metadata may have any
// field; the schema lists the known ones.
//
//     Schema schema;
//     CAIRN_TRY(schema.add({"recipe",
//                           {{.name = "title", .type = FieldType::text, .required = true},
//                            {.name = "minutes", .type = FieldType::number, .least = 0}}}));
//     const MemoryOptions options{.mode = SchemaMode::strict, .schema = schema};
//     CAIRN_ASSIGN(Memory memory, Memory::open(database, options));
//
// A schema belongs to the program and is not stored: two programs on one database may know
// different kinds.

#include <cairn/result.hpp>
#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::memory {

/// What to do with a record that does not match the schema. In every mode values are normalised
/// first: a single text becomes a list if a list of texts is expected.
enum class SchemaMode : std::uint8_t {
  strict,  ///< refuse it; one message lists all problems
  warn,    ///< store it and return warnings
  open,    ///< store it without warnings
};

/// The type of a field's value. Null and an absent field match every type.
enum class FieldType : std::uint8_t {
  any,
  text,
  number,
  // 3.0 is not an integer.
  whole_number,
  boolean,
  instant,        ///< a text that is an ISO 8601 date or time, or a temporal value
  version,        ///< MAJOR.MINOR.PATCH
  structured_id,  ///< a map as to_value(StructuredId) makes it
  thread,         ///< a map as to_value(ThreadInfo) makes it
  texts,          ///< a list of texts; a single text becomes a list
  tags,           ///< a set of texts: no text twice, in Unicode form NFC
  maps,           ///< a list of maps
};

/// One field of a kind.
///
///     const Field reward{.name = "reward", .type = FieldType::number, .least = -1, .most = 1};
///
struct Field {
  std::string name;
  FieldType type = FieldType::any;
  /// The field must be present and not null.
  bool required = false;
  std::vector<std::string> values = {};  ///< the known values, texts
  bool values_only = false;  ///< true: other values do not match; false: a recommendation
  /// Limits of numbers, both included; NaN is outside of them.
  std::optional<double> least = std::nullopt;
  std::optional<double> most = std::nullopt;
  /// Texts in the field are external ids of records, and become relationships of this type as well.
  std::string relationship = {};
  /// Texts other than `values` are accepted with a warning.
  bool advised = false;
};

/// A kind of record: its name in lower case, and its fields besides the common ones. A field here
/// overrides a common field of the same name.
struct RecordType {
  std::string kind;
  std::vector<Field> fields;
};

/// A version in the order of semantic versioning: 1.10.0 comes after 1.9.0.
struct SchemaVersion {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint32_t patch = 0;
  friend auto operator<=>(const SchemaVersion&, const SchemaVersion&) = default;
};
/// The value of schemaVersion that the functions of records.hpp set.
inline constexpr std::string_view current_schema_version = "1.0.0";
/// Parses "1.10.0": three numbers without leading zeros, each below 2^32; nullopt for any other
/// text.
[[nodiscard]] CAIRN_EXPORT std::optional<SchemaVersion> parse_version(std::string_view text);
/// Formats a version as parse_version() reads it.
[[nodiscard]] CAIRN_EXPORT std::string to_text(const SchemaVersion& version);

/// Converts metadata of one version to the next one.
///
///     const auto change = [](Properties& metadata) -> Status {
///       metadata.try_emplace("title", "untitled");
///       return {};
///     };
///     CAIRN_TRY(schema.add_upgrade({"note", {1, 0, 0}, {1, 1, 0}, change}));
///
struct Upgrade {
  std::string kind;  ///< empty: every kind
  SchemaVersion from;
  SchemaVersion to;
  /// Must not be empty. schemaVersion is set to `to` afterwards. An Error of the function ends the
  /// call. Threads: may be called by all threads that use the schema.
  std::function<Status(Properties& metadata)> change;
};

/// The known kinds of record, and upgrades for older records. Threads: like a standard container;
/// it must not be changed while others use it.
///
/// Cost: copying copies all kinds; a lookup is a search in a map.
class CAIRN_EXPORT Schema {
 public:
  /// Makes a schema with the built-in kinds: message, thought, reflection, planning, evaluation,
  /// decision, cognitive, document, chunk, task, episode, insight, note, reference, entity,
  /// summary, session.
  Schema();

  /// Adds or replaces a kind. Errors: invalid_argument for a name other than a to z, 0 to 9 and _,
  /// with a letter first.
  [[nodiscard]] Status add(RecordType type);
  /// Adds an upgrade from one version to a later one. If an upgrade for every kind and one for the
  /// record's kind both apply, the one that was added first is used. Errors: invalid_argument if
  /// `change` is empty or `to` is not after `from`; already_exists for a second upgrade with the
  /// same kind and `from`.
  [[nodiscard]] Status add_upgrade(Upgrade upgrade);

  /// Returns the kind, or nullptr. Lifetime: until add() replaces it or the schema is destroyed.
  [[nodiscard]] const RecordType* find(std::string_view kind) const noexcept;
  /// Returns the fields of every record: importance, tags, schemaVersion, created_at and others.
  [[nodiscard]] static const std::vector<Field>& common_fields();
  /// Returns a field of a kind or a common field; nullptr if it does not exist. Lifetime: like
  /// find(); for common fields, as long as the program.
  [[nodiscard]] const Field* find_field(std::string_view kind, std::string_view name) const;

  /// Normalises metadata (lists of one, sets of tags) and compares it with its kind.
  ///
  /// Returns a sentence for each problem: a required field that is missing, a field of another
  /// type, out of its limits or with an unknown value, and a kind that the schema lacks. Unknown
  /// fields are no problem. In "warn" and "strict" the result also has remarks about `advised`
  /// fields, which are never refused; in "open" it is empty. A record of an unknown kind has only
  /// the common fields. Errors: invalid_argument in mode strict, with all problems.
  [[nodiscard]] Result<std::vector<std::string>> check(std::string_view kind, Properties& metadata,
                                                       SchemaMode mode) const;

  /// Applies upgrades as long as one starts from the metadata's schemaVersion (0.0.0 if absent);
  /// returns their number. If an upgrade fails, earlier upgrades have changed `metadata` already.
  /// Memory::upgrade_all() upgrades stored records. Errors: those of the upgrades.
  [[nodiscard]] Result<std::size_t> upgrade(std::string_view kind, Properties& metadata) const;

 private:
  std::map<std::string, RecordType, std::less<>> types_;
  std::vector<Upgrade> upgrades_;
};

/// Returns the label of a kind: "file_chunk" -> "FileChunk". Capitalises the first letter and each
/// letter after a `_`, a to z only.
[[nodiscard]] CAIRN_EXPORT std::string label_of(std::string_view kind);

/// Converts a level to a score: low, medium, high and critical are 0.25, 0.5, 0.75 and 1.0; nullopt
/// for another text. The library never converts levels automatically.
[[nodiscard]] CAIRN_EXPORT std::optional<double> importance_of_level(std::string_view level);

}  // namespace cairn::memory
