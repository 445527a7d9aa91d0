// Sends requests of an attached process in any order. Each request is answered by records and one
// summary, or ends the session. No answer may report a damaged database, whatever the arguments
// are, and no session may hold the writer lock after its end.
//
// input   := { kind:u8 choice:u8 size:u16 byte{size} }     the last bytes may be missing
// kind    := 0, 1: a call chosen by `choice`, its arguments an encoded PackStream value
//          | 2: RUN of a statement chosen by `choice`, its parameters an encoded PackStream value
//          | 3: BEGIN in a mode chosen by `choice`
//          | 4: PULL  | 5: COMMIT  | 6: ROLLBACK  | 7: RESET  | 8: DISCARD  | 9: a message as given
//
// `kind` is taken modulo ten; the quotient selects further options of RUN, see options_of(). This
// process is the host.

#include "codec/byte_io.hpp"
#include "codec/packstream_values.hpp"
#include "fuzz/support/emptied_database.hpp"
#include "fuzz/support/expect.hpp"
#include "query/attach/procedures.hpp"
#include "query/bolt/attached.hpp"
#include "query/bolt/messages.hpp"
#include "query/bolt/session.hpp"
#include "query/functions/time_zone.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace {

using namespace cairn;
using namespace cairn::fuzz;
using namespace cairn::query::bolt;

constexpr std::size_t most_input_bytes = 2'048;
constexpr std::size_t most_requests = 48;

/// All calls except `backup`, which would write to a path from the input.
constexpr std::array<std::string_view, 52> calls{"add_label",
                                                 "adjacent_relationships",
                                                 "check",
                                                 "check_constraints",
                                                 "check_model",
                                                 "checkpoint",
                                                 "count_values",
                                                 "create_node",
                                                 "create_relationship",
                                                 "create_token",
                                                 "drop_name_space",
                                                 "erase_expired",
                                                 "erase_node",
                                                 "erase_node_and_relationships",
                                                 "erase_relationship",
                                                 "faceted_search",
                                                 "find_node",
                                                 "find_node_id",
                                                 "find_relationship",
                                                 "find_relationships",
                                                 "find_token",
                                                 "full_text_indexes",
                                                 "hybrid_search",
                                                 "index_model",
                                                 "indexes",
                                                 "labels",
                                                 "list_tokens",
                                                 "metrics",
                                                 "name_spaces",
                                                 "nothing_of_this_name",
                                                 "properties",
                                                 "property_paths",
                                                 "put_node",
                                                 "recall",
                                                 "record_ids",
                                                 "remove_label",
                                                 "restore_node",
                                                 "restore_relationship",
                                                 "revoke_token",
                                                 "role",
                                                 "search_vectors",
                                                 "set_deleted",
                                                 "set_expiry",
                                                 "set_properties",
                                                 "set_property",
                                                 "statistics",
                                                 "system_fields",
                                                 "types",
                                                 "use_model",
                                                 "",
                                                 "x(",
                                                 "$arguments"};

constexpr std::array<std::string_view, 8> statements{
    "MATCH (n) RETURN n",
    "CREATE (a:A {x: $x})-[r:R]->(b:B) RETURN a, r, b",
    "UNWIND [1, 0] AS i RETURN 1 / i AS x",
    "MATCH (n) DETACH DELETE n",
    "CREATE VECTOR INDEX v IF NOT EXISTS FOR (n:A) ON (n.v) OPTIONS {indexConfig: "
    "{`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}",
    "CREATE FULLTEXT INDEX t IF NOT EXISTS FOR (n:A) ON EACH [n.text]",
    "CREATE (:A {v: vector([1, 2], 2, FLOAT32), text: 'green tea', x: 1})",
    "RETURN $x AS x"};

class HostCalls final : public AttachedCalls {
 public:
  Result<Value> call(std::string_view name, const Map& arguments, const CallPlace& place) override {
    if (name == "backup") return Value();
    return query::attach::run_procedure(name, arguments, place);
  }
  Status begin_commit(const CommitNote&) override { return {}; }
  void end_commit(const CommitNote&) noexcept override {}
  Result<Map> greet(const Map&) override { return Map(); }
};

/// Receives the answers to one request, and checks that they are records and one summary.
class Answers final : public Replies {
 public:
  bool add(std::string_view message) override {
    codec::PackStreamReader reader(message);
    const auto header = reader.next();
    expect(header && header->type == codec::PackStreamType::structure && !summary_);
    for (std::size_t i = 0; i < header->size; ++i) {
      const auto value =
          codec::read_value(reader, {144, std::size_t{1} << 30, true}, query::named_zone_offset);
      expect(value.has_value(), value ? "" : value.error().message);
      if (static_cast<Tag>(header->tag) == Tag::failure) check_failure(*value);
    }
    expect(reader.is_at_end());
    if (static_cast<Tag>(header->tag) != Tag::record) summary_ = static_cast<Tag>(header->tag);
    return ++total_ < most;
  }
  void begin() { summary_.reset(); }
  [[nodiscard]] std::optional<Tag> summary() const { return summary_; }

 private:
  static constexpr std::size_t most = 4'000;

  static void check_failure(const Value& metadata) {
    const Map* map = metadata.map();
    const auto said = map == nullptr ? Map::const_iterator() : map->find(attached_entry);
    if (map == nullptr || said == map->end()) return;
    const Error error = error_of(said->second);
    expect(error.code != ErrorCode::corruption && !error.message.empty(), error.message);
  }

  std::size_t total_ = 0;
  std::optional<Tag> summary_;
};

/// A session of an attached process after its HELLO.
class Client {
 public:
  explicit Client(Shared& shared) : session_(shared, Version{6, 0}, "fuzz") {
    std::string hello = begin_message(Tag::hello, 1);
    codec::PackStreamWriter writer(hello);
    codec::write_whole_value(writer, Map{{attached_entry, Map()}});
    send(hello);
  }
  [[nodiscard]] bool is_open() const { return is_open_; }

  void send(std::string_view message) {
    answers_.begin();
    is_open_ = session_.handle(message, answers_) == Next::go_on;
    expect(!is_open_ || answers_.summary().has_value());
  }

  static std::string begin_message(Tag tag, std::size_t fields) {
    std::string message;
    codec::PackStreamWriter(message).begin_structure(static_cast<std::uint8_t>(tag), fields);
    return message;
  }

 private:
  Session session_;
  Answers answers_;
  bool is_open_ = true;
};

void append(std::string& message, const Value& value) {
  codec::PackStreamWriter writer(message);
  codec::write_whole_value(writer, value);
}

/// Options of a statement in a request: tight limits, and entries that only some requests may have.
Value options_of(std::uint8_t choice) {
  Map said{{"timeout", 200}, {"memory", 8 << 20}, {"rows", 500}};
  if (choice % 4 == 1) said.emplace(deleted_entry, true);
  if (choice % 8 == 2) said.emplace("name_space", "other");
  if (choice % 8 == 3) said.emplace("note", list_of({"client", choice}));
  return Map{{attached_entry, std::move(said)}};
}

std::string run_message(const std::string& text, std::string_view parameters,
                        std::uint8_t options) {
  std::string message = Client::begin_message(Tag::run, 3);
  append(message, text);
  message += parameters;
  append(message, options_of(options));
  return message;
}

std::string call_message(std::uint8_t choice, std::string_view arguments, std::uint8_t options) {
  std::string text(call_begin);
  text.append(calls[choice % calls.size()]).append(call_end);
  std::string parameters;
  codec::PackStreamWriter writer(parameters);
  writer.begin_map(1);
  append(parameters, "arguments");
  parameters += arguments;
  return run_message(text, parameters, options);
}

/// Builds BEGIN in a mode selected by `choice`.
std::string begin_of(std::uint8_t choice) {
  std::string message = Client::begin_message(Tag::begin, 1);
  Map said;
  if (choice % 4 == 2) said.emplace(transaction_entry, true);
  if (choice % 8 == 5) said.emplace("if_free", true);
  Map extra{{attached_entry, std::move(said)}};
  if (choice % 2 == 0) extra.emplace("mode", "r");
  append(message, extra);
  return message;
}

/// Builds PULL or DISCARD with a size and a result selected by `choice`.
std::string portion_of(Tag tag, std::uint8_t choice) {
  std::string message = Client::begin_message(tag, 1);
  append(message, Map{{"n", choice % 4 == 0 ? -1 : choice % 4}, {"qid", choice / 4 % 4 - 1}});
  return message;
}

/// Builds one message from the fields of the input.
std::string message_of(std::uint8_t kind, std::uint8_t choice, std::string_view bytes) {
  switch (kind % 10) {
    case 0:
    case 1:
      return call_message(choice, bytes, kind / 10);
    case 2:
      return run_message(std::string(statements[choice % statements.size()]), bytes, kind / 10);
    case 3:
      return begin_of(choice);
    case 4:
      return portion_of(Tag::pull, choice);
    case 5:
      return Client::begin_message(Tag::commit, 0);
    case 6:
      return Client::begin_message(Tag::rollback, 0);
    case 7:
      return Client::begin_message(Tag::reset, 0);
    case 8:
      return portion_of(Tag::discard, choice);
    default:
      return std::string(bytes);
  }
}

/// Sends the requests of the input. When a session ends, a new one continues with the next request.
void run(Shared& shared, codec::ByteCursor input) {
  std::optional<Client> client;
  for (std::size_t i = 0; i < most_requests && input.rest().size() >= 4; ++i) {
    if (!client || !client->is_open()) {
      client.reset();
      client.emplace(shared);
    }
    const std::uint8_t kind = input.read_byte();
    const std::uint8_t choice = input.read_byte();
    const std::size_t size = input.read_big<std::uint16_t>();
    const std::string_view bytes = input.read_bytes(std::min(size, input.rest().size()));
    client->send(message_of(kind, choice, bytes));
  }
}

}  // namespace

// A thread of RocksDB may still own fresh allocations when the program ends.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:rocksdb::DBImpl::MaybeScheduleFlushOrCompaction\n";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > most_input_bytes) return -1;
  EmptiedDatabase& emptied = emptied_database<0>();
  emptied.empty();
  Database& database = emptied.get();
  static const BoltLimits limits{
      .results = 8, .memory_bytes = std::size_t{1} << 20, .nesting_levels = 144};
  static HostCalls host;
  WrongTokens wrong_tokens(3);
  Shared shared{database, limits, wrong_tokens, "attach", &host};
  run(shared, codec::ByteCursor(text_of(data, size)));
  expect(database.begin().has_value());
  return 0;
}
