// The =~ operator and regular expressions in filters, by RE2. Only this file uses the library.
//
// RE2 takes linear time for every pattern. The regular expressions of Java, which Neo4j uses, may take exponential
// time, but have backreferences and lookaround, which RE2 lacks.
//
// A match by RE2 cannot be interrupted and takes 2 to 1,350 ns for each byte. So a long text is matched on a thread of
// its own. The statement waits for the thread and checks its limits. If a limit is exceeded, the statement returns, and
// the thread finishes the match unattended. The thread owns copies of the text and the pattern and does not access the
// database.
#include "query/functions/pattern_match.hpp"

#include "query/functions/call.hpp"
#include "query/functions/value_semantics.hpp"

#include <re2/re2.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>

namespace cairn::query {
namespace {

using Pattern = std::shared_ptr<const re2::RE2>;  // shared by the cache and running matches

/// Bounds the memory of a pattern, because patterns come from users. Beyond this bound, RE2 uses a slower automaton,
/// which is linear too. Errors are returned and not logged.
re2::RE2::Options options() {
  re2::RE2::Options chosen;
  chosen.set_log_errors(false);
  chosen.set_max_mem(std::int64_t{8} << 20);
  return chosen;
}

/// Returns a compiled pattern from the cache of this thread. Patterns that come from data differ in each row, so a
/// full cache is cleared.
Pattern compiled(const std::string& text) {
  constexpr std::size_t most_patterns = 64;
  thread_local std::unordered_map<std::string, Pattern> cache;
  if (const auto found = cache.find(text); found != cache.end()) return found->second;
  if (cache.size() >= most_patterns) cache.clear();
  return cache.emplace(text, std::make_shared<const re2::RE2>(text, options())).first->second;
}

/// RE2 parses a whole pattern before it checks its memory, and cannot be interrupted meanwhile. Of longer patterns it
/// compiles hardly any within max_mem.
constexpr std::size_t longest_pattern = 512 * 1024;

Status check_length(const std::string& pattern) {
  if (pattern.size() <= longest_pattern) return {};
  return Error{ErrorCode::invalid_argument,
               "a regular expression has at most " + std::to_string(longest_pattern) +
                   " bytes, got " + std::to_string(pattern.size()),
               {}};
}

enum class Extent : std::uint8_t { whole, part };

bool matches(const re2::RE2& pattern, const std::string& text, Extent extent) {
  return extent == Extent::whole ? re2::RE2::FullMatch(text, pattern)
                                 : re2::RE2::PartialMatch(text, pattern);
}

/// Shorter texts are matched directly: a match takes at most about 40 ms, and a thread would cost more than most
/// matches.
constexpr std::size_t short_text = 32 * 1024;

/// Counts the matches of this process that run on threads, including those whose statement has ended.
class LongMatches {
 public:
  /// Starts a match. Returns nullopt if the limit of running matches is reached.
  static std::optional<std::future<bool>> start(const Pattern& pattern, const std::string& text,
                                                Extent extent) {
    if (count().fetch_add(1) >= most) {
      count().fetch_sub(1);
      return std::nullopt;
    }
    std::packaged_task<bool()> task([pattern, text, extent] {
      const Leave leave;
      return matches(*pattern, text, extent);
    });
    auto found = task.get_future();
    try {
      std::thread(std::move(task)).detach();
    } catch (const std::system_error&) {  // the system has no more threads
      count().fetch_sub(1);
      return std::nullopt;
    }
    return found;
  }

 private:
  static constexpr int most = 16;
  static std::atomic<int>& count() {
    static std::atomic<int> running = 0;
    return running;
  }
  // Decrements the count at the end of a match.
  struct Leave {
    Leave() = default;
    Leave(const Leave&) = delete;
    Leave& operator=(const Leave&) = delete;
    ~Leave() { count().fetch_sub(1); }
  };
};

/// Errors: the errors of the limits, within some milliseconds after they occur.
Result<bool> match_long(const Pattern& pattern, const std::string& text, Extent extent,
                        engine::Limits& limits) {
  constexpr std::uint64_t at_once = 256;  // enough steps that the limits check the time
  constexpr std::chrono::milliseconds between_looks{2};
  CAIRN_TRY(limits.check_room(text.size()));
  auto match = LongMatches::start(pattern, text, extent);
  for (; !match; match = LongMatches::start(pattern, text, extent)) {
    CAIRN_TRY(limits.step(at_once));
    std::this_thread::sleep_for(between_looks);
  }
  while (match->wait_for(between_looks) != std::future_status::ready)
    CAIRN_TRY(limits.step(at_once));
  return match->get();
}

Result<bool> match(const Pattern& pattern, const std::string& text, Extent extent,
                   engine::Limits* limits) {
  if (limits == nullptr || text.size() <= short_text) return matches(*pattern, text, extent);
  return match_long(pattern, text, extent, *limits);
}

Error no_pattern(const std::string& text, const re2::RE2& pattern) {
  return {ErrorCode::invalid_argument,
          "not a regular expression: " + shown(Value(text)) + ": " + pattern.error() +
              " (RE2 syntax; there are no backreferences and no lookaround)",
          {}};
}

}  // namespace

Status check_pattern(const std::string& pattern) {
  CAIRN_TRY(check_length(pattern));
  const Pattern one = compiled(pattern);
  return one->ok() ? Status() : Status(no_pattern(pattern, *one));
}

// Searches for the pattern anywhere in the text, while =~ must match the whole text.
Result<bool> finds_pattern(const std::string& text, const std::string& pattern,
                           engine::Limits* limits) {
  CAIRN_TRY(check_length(pattern));
  const Pattern one = compiled(pattern);
  if (!one->ok()) return no_pattern(pattern, *one);
  return match(one, text, Extent::part, limits);
}

// A value that is not a text gives null, as for STARTS WITH. An invalid pattern is an error of the query.
Result<Value> matches_pattern(const Value& text, const Value& pattern, engine::Limits* limits) {
  if (text.is_null() || pattern.is_null()) return Value();
  if (!pattern.string())
    return Error{ErrorCode::type_error,
                 "=~ needs a regular expression on its right, got " + described(pattern),
                 {}};
  CAIRN_TRY(check_length(pattern.as_string()));
  const Pattern compiled_pattern = compiled(pattern.as_string());
  if (!compiled_pattern->ok()) return no_pattern(pattern.as_string(), *compiled_pattern);
  if (!text.string()) return Value();
  CAIRN_ASSIGN(const bool found, match(compiled_pattern, text.as_string(), Extent::whole, limits));
  return Value(found);
}

}  // namespace cairn::query
