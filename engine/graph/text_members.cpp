// Texts of a record's properties if one of its labels or types is the index's, nothing otherwise. Strings and lists of
// strings are texts; anything else at the property is as good as absent. Large texts are fetched. Called for each touched
// record of a commit, before and after, so a node's record is read in place and only the indexed properties are decoded.
#include "engine/graph/text_members.hpp"

#include "engine/graph/stored_text.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

// Of a list that holds other things too, the strings count.
std::vector<std::string> texts_of(const Value& value) {
  std::vector<std::string> texts;
  if (value.string() != nullptr) texts.push_back(*value.string());
  if (value.list() == nullptr) return texts;
  for (const Value& item : *value.list())
    if (item.string() != nullptr) texts.push_back(*item.string());
  return texts;
}

bool is_in(std::span<const std::uint32_t> groups, const std::vector<std::uint32_t>& wanted) {
  return std::any_of(groups.begin(), groups.end(), [&](std::uint32_t group) {
    return std::find(wanted.begin(), wanted.end(), group) != wanted.end();
  });
}

Result<codec::StoredValue> stored_of(const codec::StoredProperties& properties, std::uint32_t key) {
  const codec::StoredProperty* stored = codec::find_stored(properties, key);
  return stored != nullptr ? stored->value : codec::StoredValue();
}

}  // namespace

// Most properties of a node are not in the index, and are not decoded.
Result<std::optional<FieldTexts>> TextMembers::find(std::uint64_t id) const {
  if (index_->entity == codec::EntityKind::node) {
    CAIRN_ASSIGN(const auto bytes, records_->get(Family::nodes, codec::record_key(id)));
    if (!bytes) return std::optional<FieldTexts>();
    CAIRN_ASSIGN(const auto view, node_view(id, *bytes));
    return read_group(id, view.labels(), [&](std::uint32_t key) -> Result<codec::StoredValue> {
      const auto place = view.find(key);
      if (!place) return codec::StoredValue();
      auto value = view.value(*place);
      if (!value)
        return Error{value.error().code,
                     entity_text(codec::EntityKind::node, id) + ": " + value.error().message,
                     std::nullopt};
      return value;
    });
  }
  CAIRN_ASSIGN(const auto record, records_->relationship(id));
  return record ? read(id, *record) : std::optional<FieldTexts>();
}

Result<std::optional<FieldTexts>> TextMembers::read(std::uint64_t id,
                                                    const codec::NodeRecord& record) const {
  return read_group(id, record.labels,
                    [&](std::uint32_t key) { return stored_of(record.properties, key); });
}

Result<std::optional<FieldTexts>> TextMembers::read(std::uint64_t id,
                                                    const codec::RelationshipRecord& record) const {
  return read_group(id, {&record.type, 1},
                    [&](std::uint32_t key) { return stored_of(record.properties, key); });
}

template <class Find>
Result<std::optional<FieldTexts>> TextMembers::read_group(std::uint64_t id,
                                                          std::span<const std::uint32_t> groups,
                                                          const Find& find) const {
  if (!is_in(groups, index_->labels_or_types)) return std::optional<FieldTexts>();
  FieldTexts texts(index_->properties.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::uint32_t key = index_->properties[i];
    CAIRN_ASSIGN(const codec::StoredValue stored, find(key));
    if (const auto* value = std::get_if<Value>(&stored)) {
      texts[i] = texts_of(*value);
    } else if (std::holds_alternative<codec::TextReference>(stored)) {
      CAIRN_ASSIGN(const Value large,
                   resolve_as_stored(*records_, index_->entity, id, key, stored));
      texts[i] = texts_of(large);
    }
  }
  return std::optional(std::move(texts));
}

Result<TextChanges> find_text_changes(const codec::IndexEntry& index,
                                      std::span<const TouchedText> touched,
                                      const RecordReader* before, const RecordReader& after,
                                      TermDictionary* book) {
  const Analyzer analyzer(analyzer_options(index.text));
  TextChanges changes(index.properties.size(), book);
  for (const auto& [id, is_new] : touched) {
    std::optional<FieldTexts> old;
    if (!is_new) {
      CAIRN_ASSIGN(old, TextMembers(index, *before).find(id));
    }
    CAIRN_ASSIGN(const auto now, TextMembers(index, after).find(id));
    if (old == now) continue;
    if (!old) {
      changes.add(id, analyzer, *now);
      continue;
    }
    const TextDocument was = make_document(analyzer, *old);
    const TextDocument is = now ? make_document(analyzer, *now) : TextDocument();
    changes.change(id, &was, now ? &is : nullptr);
  }
  return changes;
}

}  // namespace cairn::engine
