// Converts arguments and results of forwarded calls to maps and back. A pair of functions for each type uses the same keys.
// Optional fields are left out of the map if they are empty.
#include "engine/database/call_values.hpp"

#include <cairn/scrub.hpp>

namespace cairn::engine {
namespace {

/// Returns an optional time, which is an integer; nullopt if it is absent.
std::optional<std::int64_t> moment_of(const Value* value) {
  const auto* moment = value == nullptr ? nullptr : value->get_if<std::int64_t>();
  return moment == nullptr ? std::nullopt : std::optional(*moment);
}

void put_moment(Map& map, const char* key, const std::optional<std::int64_t>& moment) {
  if (moment) map.emplace(key, *moment);
}

}  // namespace

CallReader::CallReader(const Value& value) {
  static const Map nothing;
  map_ = value.map() == nullptr ? &nothing : value.map();
}

const Value* CallReader::find(std::string_view key) const {
  const auto found = map_->find(key);
  return found == map_->end() ? nullptr : &found->second;
}

const Value* CallReader::note(std::string_view key) {
  if (missing_.empty()) missing_ = key;
  return nullptr;
}

template <class T>
const T& CallReader::get(std::string_view key) {
  static const T nothing{};
  const Value* const value = find(key);
  const T* const content = value == nullptr ? nullptr : value->get_if<T>();
  if (content == nullptr) note(key);
  return content == nullptr ? nothing : *content;
}

std::int64_t CallReader::integer(std::string_view key) { return get<std::int64_t>(key); }
double CallReader::real(std::string_view key) { return get<double>(key); }
bool CallReader::boolean(std::string_view key) { return get<bool>(key); }
std::string CallReader::text(std::string_view key) { return get<std::string>(key); }

const Map& CallReader::map(std::string_view key) {
  static const Map nothing;
  const Value* const value = find(key);
  if (value != nullptr && value->map() != nullptr) return *value->map();
  note(key);
  return nothing;
}

const List& CallReader::list(std::string_view key) {
  static const List nothing;
  const Value* const value = find(key);
  if (value != nullptr && value->list() != nullptr) return *value->list();
  note(key);
  return nothing;
}

std::vector<std::string> CallReader::texts(std::string_view key) {
  std::vector<std::string> texts;
  for (const Value& text : list(key)) {
    if (text.string() == nullptr) note(key);
    texts.push_back(text.string() == nullptr ? std::string() : *text.string());
  }
  return texts;
}

std::vector<double> CallReader::reals(std::string_view key) {
  std::vector<double> reals;
  for (const Value& item : list(key)) {
    const auto* real = item.get_if<double>();
    if (real == nullptr) note(key);
    reals.push_back(real == nullptr ? 0 : *real);
  }
  return reals;
}

std::vector<float> CallReader::components(std::string_view key) const {
  const Value* const value = find(key);
  const auto* const vector = value == nullptr ? nullptr : value->get_if<Vector>();
  if (vector == nullptr) return {};
  return {vector->components().begin(), vector->components().end()};
}

void CallReader::note(const CallReader& part) {
  if (missing_.empty()) missing_ = part.missing_;
}

std::optional<std::int64_t> CallReader::maybe_integer(std::string_view key) {
  return moment_of(find(key));
}

Status CallReader::check() const {
  if (missing_.empty()) return {};
  return Error{ErrorCode::io_error,
               "a message between a process and the host of its database lacks \"" + missing_ +
                   "\"; use one version of the library in both",
               {}};
}

List text_list(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

Result<std::vector<std::string>> texts_of(const Value& value) {
  const Map whole{{"texts", value}};
  CallReader reader(whole);
  auto texts = reader.texts("texts");
  CAIRN_TRY(reader.check());
  return texts;
}

Value call_value(const IndexDescription& index) {
  return Map{{"name", index.name},
             {"kind", index.kind},
             {"entity", index.entity},
             {"labels", text_list(index.labels_or_types)},
             {"properties", text_list(index.properties)},
             {"state", index.state},
             {"options", index.options},
             {"entries", number_value(index.entries)},
             {"memory_bytes", number_value(index.memory_bytes)},
             {"memory", index.memory},
             {"mapped_bytes", number_value(index.mapped_bytes)}};
}

IndexDescription read_index(CallReader& reader) {
  IndexDescription index;
  index.name = reader.text("name");
  index.kind = reader.text("kind");
  index.entity = reader.text("entity");
  index.labels_or_types = reader.texts("labels");
  index.properties = reader.texts("properties");
  index.state = reader.text("state");
  index.options = reader.map("options");
  index.entries = reader.number("entries");
  index.memory_bytes = reader.number("memory_bytes");
  index.memory = reader.map("memory");
  index.mapped_bytes = reader.number("mapped_bytes");
  return index;
}

Value call_value(const NameCount& count) {
  return Map{{"name", count.name}, {"count", number_value(count.count)}};
}

NameCount read_name_count(CallReader& reader) {
  return {reader.text("name"), reader.number("count")};
}

Value call_value(const Finding& finding) {
  return Map{{"place", finding.place}, {"problem", finding.problem}};
}

Finding read_finding(CallReader& reader) { return {reader.text("place"), reader.text("problem")}; }

Value call_value(const DatabaseStatistics& statistics) {
  return Map{{"nodes", number_value(statistics.nodes)},
             {"relationships", number_value(statistics.relationships)},
             {"vectors", number_value(statistics.vectors)},
             {"commits", number_value(statistics.commits)},
             {"disk_bytes", number_value(statistics.disk_bytes)},
             {"memory_bytes", number_value(statistics.memory_bytes)},
             {"format_version", std::int64_t{statistics.format_version}},
             {"database_id", statistics.database_id}};
}

DatabaseStatistics read_statistics(CallReader& reader) {
  DatabaseStatistics statistics;
  statistics.nodes = reader.number("nodes");
  statistics.relationships = reader.number("relationships");
  statistics.vectors = reader.number("vectors");
  statistics.commits = reader.number("commits");
  statistics.disk_bytes = reader.number("disk_bytes");
  statistics.memory_bytes = reader.number("memory_bytes");
  statistics.format_version = static_cast<std::uint32_t>(reader.integer("format_version"));
  statistics.database_id = reader.text("database_id");
  return statistics;
}

Value call_value(const BackupReport& report) {
  return Map{{"database_id", report.database_id},
             {"commit", number_value(report.commit)},
             {"made_at", report.made_at},
             {"files", number_value(report.files)},
             {"bytes", number_value(report.bytes)},
             {"linked_files", number_value(report.linked_files)},
             {"copied_bytes", number_value(report.copied_bytes)}};
}

BackupReport read_backup(CallReader& reader) {
  BackupReport report;
  report.database_id = reader.text("database_id");
  report.commit = reader.number("commit");
  report.made_at = reader.integer("made_at");
  report.files = reader.number("files");
  report.bytes = reader.number("bytes");
  report.linked_files = reader.number("linked_files");
  report.copied_bytes = reader.number("copied_bytes");
  return report;
}

Value call_value(const ScrubReceipt& receipt) {
  List backups;
  for (const ScrubbedBackup& backup : receipt.backups)
    backups.push_back(Map{{"path", backup.path},
                          {"commit", number_value(backup.commit)},
                          {"made_at", backup.made_at}});
  return Map{{"database_id", receipt.database_id},
             {"by", receipt.by},
             {"begun_at", receipt.begun_at},
             {"ended_at", receipt.ended_at},
             {"commit", number_value(receipt.commit)},
             {"names", number_value(receipt.names)},
             {"names_unknown", number_value(receipt.names_unknown)},
             {"tables", number_value(receipt.tables)},
             {"table_bytes", number_value(receipt.table_bytes)},
             {"vector_segments", number_value(receipt.vector_segments)},
             {"backups", std::move(backups)}};
}

ScrubReceipt read_scrub(CallReader& reader) {
  ScrubReceipt receipt;
  receipt.database_id = reader.text("database_id");
  receipt.by = reader.text("by");
  receipt.begun_at = reader.integer("begun_at");
  receipt.ended_at = reader.integer("ended_at");
  receipt.commit = reader.number("commit");
  receipt.names = reader.number("names");
  receipt.names_unknown = reader.number("names_unknown");
  receipt.tables = reader.number("tables");
  receipt.table_bytes = reader.number("table_bytes");
  receipt.vector_segments = reader.number("vector_segments");
  for (const Value& value : reader.list("backups")) {
    CallReader backup(value);
    receipt.backups.push_back(
        {backup.text("path"), backup.number("commit"), backup.integer("made_at")});
    reader.note(backup);
  }
  return receipt;
}

Value call_value(const DatabaseRole& role) {
  return Map{{"host", role.host}, {"attached", List(role.attached.begin(), role.attached.end())}};
}

DatabaseRole read_role(CallReader& reader) {
  DatabaseRole role{false, reader.integer("host"), {}};
  for (const Value& process : reader.list("attached"))
    if (const auto* number = process.get_if<std::int64_t>()) role.attached.push_back(*number);
  return role;
}

Value call_value(const Metrics& metrics) {
  List values;
  for (const Metric& metric : metrics.values)
    values.emplace_back(Map{{"name", metric.name},
                            {"help", metric.help},
                            {"value", metric.value},
                            {"is_gauge", metric.is_gauge}});
  List histograms;
  for (const Histogram& histogram : metrics.histograms) {
    List buckets;
    for (const std::uint64_t bucket : histogram.buckets) buckets.push_back(number_value(bucket));
    histograms.emplace_back(Map{{"name", histogram.name},
                                {"help", histogram.help},
                                {"bounds", List(histogram.bounds.begin(), histogram.bounds.end())},
                                {"buckets", std::move(buckets)},
                                {"sum", histogram.sum}});
  }
  return Map{{"values", std::move(values)}, {"histograms", std::move(histograms)}};
}

Metrics read_metrics(CallReader& reader) {
  Metrics metrics;
  for (const Value& item : reader.list("values")) {
    CallReader metric(item);
    metrics.values.push_back({metric.text("name"), metric.text("help"), metric.real("value"),
                              metric.boolean("is_gauge")});
    reader.note(metric);
  }
  for (const Value& item : reader.list("histograms")) {
    CallReader read(item);
    Histogram histogram{read.text("name"), read.text("help"), {}, {}, read.real("sum")};
    for (const Value& bound : read.list("bounds"))
      if (const auto* number = bound.get_if<double>()) histogram.bounds.push_back(*number);
    for (const Value& bucket : read.list("buckets"))
      if (const auto* count = bucket.get_if<std::int64_t>())
        histogram.buckets.push_back(static_cast<std::uint64_t>(*count));
    reader.note(read);
    metrics.histograms.push_back(std::move(histogram));
  }
  return metrics;
}

Value call_value(const cairn::Token& token) {
  return Map{{"name", token.name},
             {"role", static_cast<std::int64_t>(token.role)},
             {"home", token.home},
             {"name_spaces", text_list(token.name_spaces)},
             {"created_at", token.created_at},
             {"also_read", text_list(token.also_read)}};
}

cairn::Token read_token(CallReader& reader) {
  return {reader.text("name"),          reader.choice("role", Role::admin, Role::read),
          reader.text("home"),          reader.texts("name_spaces"),
          reader.integer("created_at"), reader.texts("also_read")};
}

Value call_value(const NewToken& token) {
  return Map{{"name", token.name},
             {"role", static_cast<std::int64_t>(token.role)},
             {"home", token.home},
             {"name_spaces", text_list(token.name_spaces)},
             {"also_read", text_list(token.also_read)}};
}

NewToken read_new_token(CallReader& reader) {
  return {reader.text("name"), reader.choice("role", Role::admin, Role::read), reader.text("home"),
          reader.texts("name_spaces"), reader.texts("also_read")};
}

Value call_value(const SystemFields& fields) {
  Map map{{"name_space", fields.name_space}};
  put_moment(map, "created", fields.created);
  put_moment(map, "updated", fields.updated);
  put_moment(map, "deleted_at", fields.deleted_at);
  put_moment(map, "expires_at", fields.expires_at);
  put_moment(map, "valid_from", fields.valid_from);
  put_moment(map, "valid_to", fields.valid_to);
  if (!fields.author.empty()) map.emplace("author", fields.author);
  return map;
}

SystemFields read_system_fields(CallReader& reader) {
  return {reader.text("name_space"),
          reader.maybe_integer("created"),
          reader.maybe_integer("updated"),
          reader.maybe_integer("deleted_at"),
          reader.maybe_integer("expires_at"),
          reader.maybe_integer("valid_from"),
          reader.maybe_integer("valid_to"),
          reader.find("author") == nullptr ? std::string() : reader.text("author")};
}

Value call_value(const AdjacentRelationship& adjacent) {
  return Map{{"relationship", number_value(adjacent.relationship.value)},
             {"other", number_value(adjacent.other.value)},
             {"is_outgoing", adjacent.is_outgoing}};
}

AdjacentRelationship read_adjacent(CallReader& reader) {
  return {RelationshipId{reader.number("relationship")}, NodeId{reader.number("other")},
          reader.boolean("is_outgoing")};
}

Map call_map(const NewNode& node) {
  Map map{{"labels", text_list(node.labels)},
          {"properties", node.properties},
          {"external_id", node.external_id}};
  put_moment(map, "expires_at", node.expires_at);
  return map;
}

NewNode read_new_node(CallReader& reader) {
  return {reader.texts("labels"), reader.map("properties"), reader.text("external_id"),
          reader.maybe_integer("expires_at")};
}

Map call_map(const NewRelationship& relationship) {
  Map map{{"source", number_value(relationship.source.value)},
          {"type", relationship.type},
          {"target", number_value(relationship.target.value)},
          {"properties", relationship.properties}};
  put_moment(map, "expires_at", relationship.expires_at);
  return map;
}

NewRelationship read_new_relationship(CallReader& reader) {
  return {NodeId{reader.number("source")}, reader.text("type"), NodeId{reader.number("target")},
          reader.map("properties"), reader.maybe_integer("expires_at")};
}

}  // namespace cairn::engine
