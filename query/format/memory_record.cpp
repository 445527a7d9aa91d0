// A memory record as nodes hold it: its times, its tags, and what it is made of.

#include "codec/instant.hpp"
#include "query/functions/unicode_form.hpp"
#include "query/ranking/score.hpp"

#include <cairn/memory/records.hpp>

#include <functional>
#include <set>
#include <string>
#include <utility>

namespace cairn::memory {
namespace {

std::string record_text(const Properties& properties, const char* name) {
  const auto found = properties.find(name);
  return found == properties.end() || found->second.string() == nullptr ? std::string()
                                                                        : *found->second.string();
}

bool is_tag(const Value& value) { return value.string() != nullptr; }

// NFC, so that a letter with its mark is one tag however it was typed. Bytes that are no UTF-8 stay.
Value normal_form(const Value& text) {
  auto normal = query::nfc_of(nullptr, text);
  return normal && !normal->is_null() ? *std::move(normal) : text;
}

}  // namespace

// ISO 8601 in UTC with six digits: order of texts is order of times.
std::string time_text(std::int64_t microseconds) {
  std::string text = codec::instant_text(microseconds);
  text.pop_back();  // the Z
  const auto point = text.find('.');
  if (point == std::string::npos) return text + ".000000Z";
  text.append(point + 7 - text.size(), '0');
  return text + 'Z';
}

// Each tag once, in the order given; what is not a text stays for the check to refuse.
List tag_set(const Value& value) {
  const List given = value.list() == nullptr ? List{value} : value.as_list();
  List tags;
  std::set<std::string, std::less<>> seen;
  for (const Value& item : given) {
    const Value tag = is_tag(item) ? normal_form(item) : item;
    if (!is_tag(tag) || seen.insert(tag.as_string()).second) tags.push_back(tag);
  }
  return tags;
}

// The embedding is left out: it is as large as the rest.
Record record_of(const Node& node) {
  Record record;
  record.id = node.id();
  record.external_id = node.external_id();
  record.kind = record_text(node.properties(), "kind");
  record.content = record_text(node.properties(), "content");
  for (const auto& [name, value] : node.properties())
    if (name != "kind" && name != "content" && name != "embedding")
      record.metadata.emplace(name, value);
  const auto deleted = node.properties().find("is_deleted");
  record.is_deleted = deleted != node.properties().end() && deleted->second == Value(true);
  return record;
}

Record record_of(const Hit& hit) { return hit.node ? record_of(*hit.node) : Record(); }

const Value& Record::field(std::string_view path) const { return query::field_at(metadata, path); }

}  // namespace cairn::memory
