#pragma once
// Values as they lie in the store, for what was derived from them.

#include "engine/graph/record_reader.hpp"

namespace cairn::engine {

/// As RecordReader::resolve, without comparing a large text with the size and hash in its record: what
/// lies there is what postings and terms were made from, and what has to be taken from them, so that a
/// damaged text can be replaced and erased. Null where a large text is not there at all.
[[nodiscard]] Result<Value> resolve_as_stored(const RecordReader& reader, codec::EntityKind kind,
                                              std::uint64_t id, std::uint32_t key,
                                              const codec::StoredValue& stored);

}  // namespace cairn::engine
