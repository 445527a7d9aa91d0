#pragma once
// A memory record as nodes hold it: its times, its tags, and what it is made of.

#include <cairn/memory/records.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::query {

/// How the external ids of tagging rules begin, which no record's may.
inline constexpr std::string_view rule_prefix = "tag_rule:";

/// A time as the memory calls write it: UTC with six digits of a fraction always, so that the order
/// of the texts is the order of the times.
[[nodiscard]] std::string time_text(std::int64_t microseconds);

/// A set of tags from a text or a list: no text twice, first come first, in Unicode form NFC.
[[nodiscard]] List tag_set(const Value& value);

/// The record in a node.
[[nodiscard]] memory::Record record_of(const Node& node);

}  // namespace cairn::query
