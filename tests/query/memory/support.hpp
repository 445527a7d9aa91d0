#pragma once
// A memory in a temporary database with a clock that stands still until it is set.

#include "codec/instant.hpp"
#include "tests/support/graph_builder.hpp"

#include <cairn/memory/memory.hpp>

#include <string>
#include <utility>
#include <vector>

namespace cairn::memory {

inline const std::int64_t test_now = *codec::parse_instant("2026-02-14T12:00:00Z");

inline MemoryOptions at(std::int64_t now, SchemaMode mode = SchemaMode::open) {
  MemoryOptions options;
  options.mode = mode;
  options.now = now;
  return options;
}

struct MemoryFixture {
  test::TemporaryDatabase database;
  Memory memory = open(test_now);

  Memory open(std::int64_t now) { return test::must(Memory::open(*database, at(now))); }

  NodeId add(NewRecord record) { return test::must(memory.add(record)).ids.at(0); }
  NodeId add(std::string content, Properties metadata) {
    return add(note(std::move(content), std::move(metadata)));
  }
  Record get(NodeId id) { return test::must(memory.find(id)).value(); }
};

inline std::vector<std::string> contents_of(const Page& page) {
  std::vector<std::string> contents;
  for (const Record& record : page.records) contents.push_back(record.content);
  return contents;
}

inline std::string joined(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : ", ") + one;
  return text;
}

}  // namespace cairn::memory
