#pragma once
// A memory in a temporary database with a clock that stands still until it is set.

#include "codec/instant.hpp"
#include "tests/support/graph_builder.hpp"

#include <cairn/memory/memory.hpp>

#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
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

/// A model of three words: how often each is in the text.
class WordEmbedder : public Embedder {
 public:
  [[nodiscard]] std::string model() const override { return "words"; }
  [[nodiscard]] std::size_t dimension() const override { return 3; }
  [[nodiscard]] Result<std::vector<Vector>> embed(
      std::span<const std::string_view> texts) const override {
    std::vector<Vector> vectors;
    for (const std::string_view text : texts) vectors.push_back(embed_one(std::string(text)));
    return vectors;
  }

 private:
  static Vector embed_one(const std::string& text) {
    std::vector<float> counts(3);
    std::istringstream words(text);
    for (std::string word; words >> word;)
      for (std::size_t i = 0; i < 3; ++i) counts[i] += word == names[i] ? 1.0F : 0.0F;
    return Vector(std::move(counts));
  }
  static constexpr const char* names[3] = {"red", "green", "blue"};
};

inline Memory open_with_words(Database& database) {
  MemoryOptions options = at(test_now);
  options.embedder = std::make_shared<WordEmbedder>();
  return test::must(Memory::open(database, options));
}

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
