// Stores what users say to an assistant: for thirty days, each sentence of a user once, and separately for each user.
#include <cairn/cairn.hpp>
#include <cairn/memory/memory.hpp>

#include <chrono>
#include <iostream>
#include <string>

using namespace cairn::memory;

namespace {

using Microseconds = std::chrono::microseconds;
constexpr Microseconds month = std::chrono::days{30};
constexpr Microseconds first_of_may =
    std::chrono::sys_days{std::chrono::May / 1 / 2026}.time_since_epoch();

// Each user has a namespace, so no question finds what another user said.
Memory memory_of(cairn::Database& database, const std::string& user, Microseconds now) {
  return Memory::open(database, {.name_space = user, .now = now.count()}).value();
}

// False where the user said so before and it is still remembered.
bool hear(Memory& memory, const std::string& user, const std::string& text) {
  NewRecord said = message(text, "user", user_id(user), agent_id("helper"), chat_id("kitchen"), {});
  said.external_id = text;
  said.lifetime.time_to_live = month;
  const auto added = memory.add(said);
  if (!added && added.error().code == cairn::ErrorCode::already_exists) return false;
  (void)added.value();
  return true;
}

void ask(const Memory& memory, const std::string& question) {
  const RecallResult found = memory.recall({.query = question, .limit = 1}).value();
  std::cout << question << " "
            << (found.hits.empty() ? "(nothing)" : record_of(found.hits[0]).content) << "\n";
}

}  // namespace

int main(int, char** arguments) {
  cairn::Database database = cairn::Database::open(arguments[1]).value();
  Memory ada = memory_of(database, "ada", first_of_may);
  Memory bob = memory_of(database, "bob", first_of_may);
  int kept = 0;
  for (const char* text : {"I drink tea.", "My sister lives in Turin.", "I drink tea."})
    kept += hear(ada, "ada", text);
  kept += hear(bob, "bob", "I drink coffee.");
  kept += hear(bob, "bob", "I drink tea.");
  std::cout << kept << " of 5 sentences kept\n";
  ask(ada, "What does Ada drink?");
  ask(ada, "Where does my sister live?");
  ask(bob, "Who drinks coffee?");

  const Memory later = memory_of(database, "ada", first_of_may + month);
  ask(later, "What does Ada drink?");
  std::cout << "after a month " << later.search({}).value().total << " sentences of ada\n";
}
