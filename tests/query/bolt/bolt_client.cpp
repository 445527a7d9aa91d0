#include "tests/query/bolt/bolt_client.hpp"

#include "codec/packstream_values.hpp"

#include <stdexcept>
#include <utility>

namespace cairn::test {
namespace {

using codec::PackStreamType;
using query::bolt::Tag;

// Answers hold entities, which no client may send: they are read item by item.
Value read_item(codec::PackStreamReader& reader) {
  const auto item = must(reader.next());
  const auto items = [&] {
    List list;
    for (std::size_t i = 0; i < item.size; ++i) list.push_back(read_item(reader));
    return list;
  };
  const auto entries = [&] {
    Map map;
    for (std::size_t i = 0; i < item.size; ++i) {
      const Value key = read_item(reader);
      if (!map.emplace(key.as_string(), read_item(reader)).second)
        throw std::runtime_error("a key comes twice");
    }
    return map;
  };
  switch (item.type) {
    case PackStreamType::null:
      return nullptr;
    case PackStreamType::boolean:
      return item.boolean;
    case PackStreamType::integer:
      return item.integer;
    case PackStreamType::floating:
      return item.floating;
    case PackStreamType::bytes:
    case PackStreamType::text:
      return item.text;
    case PackStreamType::list:
      return items();
    case PackStreamType::map:
      return entries();
    case PackStreamType::structure:
      return map_of(
          {{"structure", std::string(1, static_cast<char>(item.tag))}, {"fields", items()}});
  }
  return nullptr;
}

}  // namespace

BoltAnswer read_answer(std::string_view message) {
  codec::PackStreamReader reader(message);
  const auto header = must(reader.next());
  if (header.type != PackStreamType::structure) throw std::runtime_error("no message");
  BoltAnswer answer{static_cast<Tag>(header.tag), {}};
  if (header.size > 0) answer.content = read_item(reader);
  if (header.size > 1 || !reader.is_at_end()) throw std::runtime_error("more than a message");
  return answer;
}

Value BoltAnswer::operator[](std::string_view key) const {
  const Map* map = content.map();
  const auto found = map == nullptr ? Map::const_iterator() : map->find(key);
  return map == nullptr || found == map->end() ? Value() : found->second;
}

std::string BoltAnswer::name() const {
  switch (tag) {
    case Tag::success:
      return "SUCCESS";
    case Tag::failure:
      return "FAILURE";
    case Tag::record:
      return "RECORD";
    case Tag::ignored:
      return "IGNORED";
    default:
      return "none of the four";
  }
}

std::string request_of(Tag tag, const List& fields) {
  std::string bytes;
  codec::PackStreamWriter writer(bytes);
  writer.begin_structure(static_cast<std::uint8_t>(tag), fields.size());
  for (const Value& field : fields)
    codec::write_value(writer, field, codec::PackStreamVectors::as_structures);
  return bytes;
}

std::vector<BoltAnswer> BoltClient::send(Tag tag, const List& fields) {
  return send_bytes(request_of(tag, fields));
}

std::vector<BoltAnswer> BoltClient::send_bytes(std::string_view message) {
  answers_.clear();
  if (is_closed) throw std::runtime_error("the session has ended");
  is_closed = session_->handle(message, *this) == query::bolt::Next::close;
  return std::move(answers_);
}

BoltAnswer BoltClient::ask(Tag tag, const List& fields) {
  auto answers = send(tag, fields);
  if (answers.empty()) throw std::runtime_error("no answer");
  return answers.back();
}

bool BoltClient::add(std::string_view message) {
  answers_.push_back(read_answer(message));
  return answers_.size() < most_answers;
}

void BoltClient::log_on(const std::string& secret) {
  const Map credentials{{"scheme", "bearer"}, {"credentials", secret}};
  const BoltAnswer answer = ask(Tag::hello, {credentials});
  if (answer.name() != "SUCCESS") throw std::runtime_error(failure_text(answer));
  if (session_->is_logged_on()) return;  // 5.0
  const BoltAnswer logged_on = ask(Tag::logon, {credentials});
  if (logged_on.name() != "SUCCESS") throw std::runtime_error(failure_text(logged_on));
}

BoltAnswer BoltClient::run(std::string_view text, const Map& parameters, const Map& extra) {
  return ask(Tag::run, {text, parameters, extra});
}

std::string BoltClient::pull(std::int64_t rows, std::int64_t result) {
  std::string text;
  const auto answers = send(Tag::pull, {Map{{"n", rows}, {"qid", result}}});
  for (const BoltAnswer& answer : answers) {
    if (answer.tag == Tag::success) continue;
    if (!text.empty()) text += "; ";
    if (answer.tag != Tag::record) text += failure_text(answer);
    if (answer.tag != Tag::record) continue;
    const List& cells = answer.content.as_list();
    for (std::size_t i = 0; i < cells.size(); ++i)
      text += (i == 0 ? "" : " | ") + cells[i].to_text();
  }
  pulled = answers.back();
  return text;
}

std::string BoltClient::result(std::string_view text, const Map& parameters, const Map& extra) {
  const BoltAnswer answer = run(text, parameters, extra);
  return answer.tag == Tag::success ? pull() : failure_text(answer);
}

std::string failure_text(const BoltAnswer& answer) {
  if (answer.tag != Tag::failure) return answer.name();
  const Value code = answer["code"].is_null() ? answer["neo4j_code"] : answer["code"];
  return code.as_string() + ": " + answer["message"].as_string();
}

std::string failure_title(const BoltAnswer& answer) {
  if (answer.tag != Tag::failure) return answer.name();
  const std::string text = failure_text(answer);
  const std::string code = text.substr(0, text.find(':'));
  return code.substr(code.rfind('.') + 1);
}

BoltFixture::BoltFixture(const Options& options)
    : database(options),
      secret(token({.name = "all", .role = Role::admin, .name_spaces = {"*"}})) {}

BoltClient BoltFixture::client(query::bolt::Version version) {
  BoltClient made(shared, version);
  made.log_on(secret);
  return made;
}

}  // namespace cairn::test
