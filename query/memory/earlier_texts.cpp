// The previous texts of a record, in a bounded list.
#include "query/memory/earlier_texts.hpp"

#include <utility>

namespace cairn::query {
namespace {

constexpr std::size_t most_texts = 50;
constexpr std::size_t most_bytes = std::size_t{256} << 10U;

// The size of one previous text.
std::size_t bytes_of(const Value& earlier) {
  const Map* map = earlier.map();
  if (map == nullptr) return 0;
  const auto content = map->find("content");
  const bool is_text = content != map->end() && content->second.string() != nullptr;
  return is_text ? content->second.string()->size() : 0;
}

}  // namespace

// Walks from the newest text back until a limit is reached. A single text above the limit is left out, so that older
// texts are still preserved.
Value with_earlier_text(const Value& known, std::string content, std::string at) {
  List texts;
  if (const List* list = known.list()) texts = *list;
  if (content.size() <= most_bytes)
    texts.push_back(Map{{"at", std::move(at)}, {"content", std::move(content)}});
  std::size_t first = texts.size();
  std::size_t bytes = 0;
  while (first > 0 && texts.size() - first < most_texts) {
    bytes += bytes_of(texts[first - 1]);
    if (bytes > most_bytes) break;
    --first;
  }
  texts.erase(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(first));
  return texts.empty() ? Value() : Value(std::move(texts));
}

}  // namespace cairn::query
