// Records of each kind from their typed parts. Only values are made here; they are checked when
// they are added.
#include <cairn/memory/records.hpp>

#include <algorithm>
#include <utility>

namespace cairn::memory {
namespace {

// Typed fields win: what a caller adds must not change who said something.
// With the current schema's version, unless the caller has set one.
NewRecord make(std::string kind, std::string content, Properties typed, Properties more) {
  typed.merge(more);
  typed.try_emplace("schemaVersion", current_schema_version);
  return {std::move(kind), std::move(content), std::move(typed), {}, {}, {}};
}

List list_of(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

constexpr std::string_view process_kinds[] = {"thought", "reflection", "planning", "evaluation",
                                              "decision"};

}  // namespace

// Nobody means a moment that no number holds: there it is for ever.
std::optional<std::int64_t> Lifetime::moment(std::int64_t now) const {
  std::optional<std::int64_t> after;
  std::int64_t sum = 0;
  if (time_to_live && !__builtin_add_overflow(now, time_to_live->count(), &sum)) after = sum;
  if (!after || !expires_at) return after ? after : expires_at;
  return std::min(*after, *expires_at);
}

NewRecord message(std::string content, std::string role, const StructuredId& user,
                  const StructuredId& agent, const StructuredId& chat, const ThreadInfo& thread,
                  Properties more) {
  return make("message", std::move(content),
              {{"role", std::move(role)},
               {"userId", to_value(user)},
               {"agentId", to_value(agent)},
               {"chatId", to_value(chat)},
               {"thread", to_value(thread)}},
              std::move(more));
}

// An insight of source document 4 is another thing than a process of that type.
NewRecord cognitive_process(std::string content, std::string process_type,
                            const StructuredId& agent, Properties more) {
  const bool is_kind = std::ranges::count(process_kinds, process_type) > 0;
  std::string kind = is_kind ? process_type : "cognitive";
  return make(std::move(kind), std::move(content),
              {{"processType", std::move(process_type)}, {"agentId", to_value(agent)}},
              std::move(more));
}

NewRecord thought(std::string content, const StructuredId& agent, Properties more) {
  return cognitive_process(std::move(content), "thought", agent, std::move(more));
}

NewRecord reflection(std::string content, const StructuredId& agent, Properties more) {
  return cognitive_process(std::move(content), "reflection", agent, std::move(more));
}

NewRecord document(std::string content, std::string source, const StructuredId& agent,
                   Properties more) {
  return make("document", std::move(content),
              {{"source", std::move(source)}, {"agentId", to_value(agent)}}, std::move(more));
}

NewRecord task(std::string content, std::string title, std::string status, std::string priority,
               const StructuredId& agent, Properties more) {
  return make("task", std::move(content),
              {{"title", std::move(title)},
               {"status", std::move(status)},
               {"priority", std::move(priority)},
               {"agentId", to_value(agent)}},
              std::move(more));
}

// What is searched is the query with its reflection.
NewRecord episode(std::string query, double reward, std::string reflection,
                  std::vector<std::string> tags, Properties more) {
  std::string content = reflection.empty() ? query : query + "\n\n" + reflection;
  return make("episode", std::move(content),
              {{"query", std::move(query)},
               {"reward", reward},
               {"reflection", std::move(reflection)},
               {"tags", list_of(tags)}},
              std::move(more));
}

NewRecord insight(std::string content, std::vector<std::string> source_ids,
                  std::vector<std::string> tags, Properties more) {
  return make("insight", std::move(content),
              {{"source_ids", list_of(source_ids)}, {"tags", list_of(tags)}}, std::move(more));
}

NewRecord note(std::string content, Properties more) {
  return make("note", std::move(content), {}, std::move(more));
}

}  // namespace cairn::memory
