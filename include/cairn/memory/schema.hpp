#pragma once
// Schema: what fields a kind of record has. One table describes every kind; a kind is a row of it.
//
// A record is a node with the labels Memory and its kind in capitals (`document` -> :Document), the
// properties `kind` and `content`, and its metadata as properties beside them. Metadata may hold any
// field; the schema says which are known.
//
//     Schema schema;
//     CAIRN_TRY(schema.add({"recipe",
//                           {{.name = "title", .type = FieldType::text, .required = true},
//                            {.name = "minutes", .type = FieldType::number, .least = 0}}}));
//     const MemoryOptions options{.mode = SchemaMode::strict, .schema = schema};
//     CAIRN_ASSIGN(Memory memory, Memory::open(database, options));
//
// The schema is the program's and not stored: two programs over one database may know different
// kinds.

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

/// What a schema does about a record that does not fit.
/// In every mode values are brought into their form first: a text where texts are wanted becomes a
/// list.
enum class SchemaMode : std::uint8_t {
  strict,  ///< refuse it, with all that is wrong in one message
  warn,    ///< store it, with warnings
  open,    ///< store it
};

/// What the value of a field must be. Null and a field that is not there fit every type.
enum class FieldType : std::uint8_t {
  any,
  text,
  number,
  // An integer; 3.0 is not one.
  whole_number,
  boolean,
  instant,        ///< a text that is an ISO 8601 date or time, or a temporal value
  version,        ///< MAJOR.MINOR.PATCH
  structured_id,  ///< a map as to_value(StructuredId) makes it
  thread,         ///< a map as to_value(ThreadInfo) makes it
  texts,          ///< a list of texts; a single text becomes a list of one
  tags,           ///< the same as a set: no text twice, in Unicode form NFC
  maps,           ///< a list of maps
};

/// One field of a kind.
///
///     const Field reward{.name = "reward", .type = FieldType::number, .least = -1, .most = 1};
///
struct Field {
  std::string name;
  FieldType type = FieldType::any;
  /// Must be there and not be null.
  bool required = false;
  std::vector<std::string> values = {};  ///< the texts known for it
  bool values_only = false;              ///< others do not fit; else `values` is a recommendation
  /// Bounds of numbers, both included; NaN is outside of them.
  std::optional<double> least = std::nullopt;
  std::optional<double> most = std::nullopt;
  /// Texts in it that are external ids of records become relationships of this type as well.
  std::string relationship = {};
  /// Texts other than `values` are accepted with a warning.
  bool advised = false;
};

/// A kind of record: its name in lower case, and its fields beside those that every record has.
/// A field of the kind goes before one of the same name that every record has.
struct RecordType {
  std::string kind;
  std::vector<Field> fields;
};

/// A version as semantic versioning orders it: 1.10.0 comes after 1.9.0.
struct SchemaVersion {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint32_t patch = 0;
  friend auto operator<=>(const SchemaVersion&, const SchemaVersion&) = default;
};
/// What the functions of records.hpp write into schemaVersion.
inline constexpr std::string_view current_schema_version = "1.0.0";
/// "1.10.0": three numbers without leading zeros, each below 2^32; nothing for any other text.
[[nodiscard]] CAIRN_EXPORT std::optional<SchemaVersion> parse_version(std::string_view text);
/// What parse_version() reads back.
[[nodiscard]] CAIRN_EXPORT std::string to_text(const SchemaVersion& version);

/// Makes metadata of one version into metadata of the next one.
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
  /// Not empty. It need not touch schemaVersion, which is set to `to` behind it. Its Error ends the
  /// call. Threads: as many as use the schema.
  std::function<Status(Properties& metadata)> change;
};

/// The kinds known, and how to bring their older records up to date. A value; not shared by threads
/// while it is changed.
///
/// Cost: a copy copies all kinds; looking one up is a search in a map.
class CAIRN_EXPORT Schema {
 public:
  /// The kinds shipped: message, thought, reflection, planning, evaluation, decision, cognitive,
  /// document, chunk, task, episode, insight, note, reference, entity, summary, session.
  Schema();

  /// Add a kind or replace it. Errors: invalid_argument for a name that is not a lower-case word.
  /// That is a to z, 0 to 9 and _, a letter first.
  [[nodiscard]] Status add(RecordType type);
  /// Say how metadata of one version becomes that of a later one.
  /// Of an upgrade for every kind and one for a kind, the one that was added first is taken.
  /// Errors: invalid_argument where `to` is not after `from`; already_exists for a second one of the same kind
  /// and the same `from`.
  [[nodiscard]] Status add_upgrade(Upgrade upgrade);

  /// The kind, or null.
  /// Lifetime: until add() replaces it or the schema ends.
  [[nodiscard]] const RecordType* find(std::string_view kind) const noexcept;
  /// The fields that every record has: importance, tags, schemaVersion, created_at, ...
  [[nodiscard]] static const std::vector<Field>& common_fields();
  /// The field of a kind or of every record; null where neither knows it.
  /// Lifetime: as of find(), of common fields as long as the program.
  [[nodiscard]] const Field* find_field(std::string_view kind, std::string_view name) const;

  /// Bring metadata into its form (lists of one, sets of tags) and compare it with its kind.
  ///
  /// Gives what does not fit as sentences, none in open mode; in "warn" and "strict" also what advised
  /// fields remark, which no mode refuses. A kind that is not known has the
  /// common fields only. Errors: invalid_argument in strict mode, with all of them.
  /// What a sentence names: a field that is missing, of another type, out of its bounds, or none of
  /// its values; and the kind if the schema lacks it. Unknown fields never give
  /// a warning.
  [[nodiscard]] Result<std::vector<std::string>> check(std::string_view kind, Properties& metadata,
                                                       SchemaMode mode) const;

  /// Apply upgrades as long as one starts from the metadata's schemaVersion (0.0.0 where it has
  /// none), and say how many there were. Errors: those of the upgrades.
  /// Where one fails, the steps before it have changed `metadata` already. Memory::upgrade_all()
  /// runs it over what is stored.
  [[nodiscard]] Result<std::size_t> upgrade(std::string_view kind, Properties& metadata) const;

 private:
  std::map<std::string, RecordType, std::less<>> types_;
  std::vector<Upgrade> upgrades_;
};

/// The label of a kind: "file_chunk" -> "FileChunk".
/// The first letter and each behind a `_` becomes a capital, a to z only; the rest stays as it is.
[[nodiscard]] CAIRN_EXPORT std::string label_of(std::string_view kind);

/// A level as a score: low, medium, high and critical are 0.25, 0.5, 0.75 and 1.0. Nothing for another text.
/// Levels and scores are never converted on their own.
[[nodiscard]] CAIRN_EXPORT std::optional<double> importance_of_level(std::string_view level);

}  // namespace cairn::memory
