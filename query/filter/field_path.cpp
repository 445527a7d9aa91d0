//    path := key { '.' key | '[' quoted ']' }    key := any but . and [    quoted := '...' | "..."
// A quote within quotes is doubled. A first key may be quoted, too.
#include "query/filter/field_path.hpp"

#include <optional>

namespace cairn::query {
namespace {

// Reads keys from the front of what is left.
class PathReader {
 public:
  explicit PathReader(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }

  // A quoted key follows directly, a bare one behind a dot, but for the first.
  std::optional<std::string> next(bool is_first) {
    if (rest_.front() == '[') return quoted();
    if (!is_first && rest_.front() != '.') return std::nullopt;
    if (!is_first) rest_.remove_prefix(1);
    const std::size_t end = std::min(rest_.find_first_of(".["), rest_.size());
    if (end == 0) return std::nullopt;
    return take(end);
  }

 private:
  std::string take(std::size_t count) {
    std::string key(rest_.substr(0, count));
    rest_.remove_prefix(count);
    return key;
  }

  /// ['a.b'] or ["a.b"]; a quote within is doubled, as in SQL. Nothing for what has no end.
  std::optional<std::string> quoted() {
    rest_.remove_prefix(1);
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return std::nullopt;
    const char quote = rest_.front();
    rest_.remove_prefix(1);
    std::string key;
    while (true) {
      const std::size_t end = rest_.find(quote);
      if (end == std::string_view::npos) return std::nullopt;
      key += take(end);
      rest_.remove_prefix(1);
      if (!rest_.starts_with(quote)) break;
      key += quote;
      rest_.remove_prefix(1);
    }
    if (!rest_.starts_with(']')) return std::nullopt;
    rest_.remove_prefix(1);
    return key;
  }

  std::string_view rest_;
};

}  // namespace

//    path = key { "." key | "[" quoted "]" }      key: any characters but "." and "["
Result<std::vector<std::string>> parse_field_path(std::string_view text) {
  std::vector<std::string> keys;
  PathReader reader(text);
  while (!reader.at_end()) {
    auto key = reader.next(keys.empty());
    if (!key) {
      keys.clear();
      break;
    }
    keys.push_back(std::move(*key));
  }
  if (!keys.empty()) return keys;
  return Error{ErrorCode::invalid_argument,
               "\"" + std::string(text) +
                   "\" is no path of a field; write a.b, and a['b.c'] for a key with dots or "
                   "brackets",
               std::nullopt};
}

}  // namespace cairn::query
