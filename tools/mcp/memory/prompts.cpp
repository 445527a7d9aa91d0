// Prompts for users to pick: each contains stored text, framed like that in answers of tools.

#include "tools/mcp/memory/resources.hpp"
#include "tools/mcp/memory/tools.hpp"

#include <utility>

namespace cairn::tools::mcp {
namespace {

/// Returns the answer of a tool as text.
std::string text_of(const Tool& tool, const json::object& arguments, Context& context) {
  const auto answer = tool.call(arguments, context);
  const auto* result = std::get_if<ToolResult>(&answer);
  if (result == nullptr || result->content.empty()) return {};
  return std::string(result->content.front().as_object().at("text").as_string());
}

PromptResult prompt_of(std::string description, const std::string& task,
                       const std::string& stored) {
  return {
      std::move(description),
      {prompt_message("user", text_content(stored)), prompt_message("user", text_content(task))}};
}

Prompt recall_prompt(const MemoryCaller& caller) {
  Prompt prompt;
  prompt.name = "recall";
  prompt.title = "Recall before answering";
  prompt.description = "Answer a question by what is remembered, with its sources";
  prompt.arguments = {{"question", "Question", "What is to be answered", true}};
  prompt.get = [search = search_tool(caller)](const Texts& arguments,
                                              Context& context) -> Answer<PromptResult> {
    const std::string& question = arguments.at("question");
    return prompt_of(
        "Memories about the question, and the question itself",
        "Answer the question below. Use what was found above where it helps, and name the ids that "
        "you rely on. If something is missing, ask search_memory in other words before you say "
        "that it is not known.\n\nQuestion: " +
            question,
        text_of(search, {{"query", question}, {"limit", 10}}, context));
  };
  return prompt;
}

Prompt consolidate_prompt(const MemoryCaller& caller) {
  Prompt prompt;
  prompt.name = "consolidate";
  prompt.title = "Consolidate a session";
  prompt.description = "Turn the memories of a session into a few that last";
  prompt.arguments = {{"session", "Session", "Its name, as sessionId has it", true}};
  prompt.get = [list = list_tool(caller)](const Texts& arguments,
                                          Context& context) -> Answer<PromptResult> {
    return prompt_of(
        "The memories of a session, and what to do with them",
        "Above are the newest memories of one session. If it says that a cursor gives more, read "
        "them by list_memories with sessionId, limit 100 and that cursor. Write down what is worth "
        "knowing later: each "
        "fact, decision and open task once, in a sentence that is clear without the session. Store "
        "each with store_memory, as insight, decision or task, with tags and the ids that it is "
        "from "
        "in metadata.sources. Then name the memories that are no longer needed, and let the user "
        "decide before you call forget_memories.",
        text_of(list,
                {{"sessionId", arguments.at("session")}, {"limit", 100}, {"max_tokens", 10'000}},
                context));
  };
  return prompt;
}

}  // namespace

void offer_prompts(const MemoryCaller& caller, ServerDefinition& server) {
  server.prompts.push_back(recall_prompt(caller));
  if (caller.settings().may(Role::write)) server.prompts.push_back(consolidate_prompt(caller));
}

}  // namespace cairn::tools::mcp
