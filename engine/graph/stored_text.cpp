#include "engine/graph/stored_text.hpp"

#include "codec/keys.hpp"

namespace cairn::engine {

Result<Value> resolve_as_stored(const RecordReader& reader, codec::EntityKind kind,
                                std::uint64_t id, std::uint32_t key,
                                const codec::StoredValue& stored) {
  if (!std::holds_alternative<codec::TextReference>(stored))
    return reader.resolve(kind, id, key, stored);
  CAIRN_ASSIGN(auto text, reader.get(records_of(kind), codec::large_text_key(id, key)));
  return text ? Value(std::move(*text)) : Value();
}

}  // namespace cairn::engine
