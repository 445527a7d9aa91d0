#include "tools/mcp/protocol/calls.hpp"

#include <utility>

namespace cairn::tools::mcp {

OpenCall& CallTable::add(OpenCall call) {
  const std::uint64_t number = next_call_++;
  call.call.number = number;
  call.call.info.stop = call.stop.get_token();
  numbers_[json::serialize(call.id)] = number;
  return calls_.emplace(number, std::move(call)).first->second;
}

OpenCall* CallTable::find(std::uint64_t number) {
  const auto found = calls_.find(number);
  return found == calls_.end() ? nullptr : &found->second;
}

OpenCall* CallTable::find_request(const json::value& id) {
  const auto found = numbers_.find(json::serialize(id));
  return found == numbers_.end() ? nullptr : find(found->second);
}

void CallTable::remove(std::uint64_t number) {
  const auto found = calls_.find(number);
  if (found == calls_.end()) return;
  numbers_.erase(json::serialize(found->second.id));
  calls_.erase(found);
}

std::vector<std::uint64_t> CallTable::numbers() const {
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, call] : calls_) numbers.push_back(number);
  return numbers;
}

std::string CallTable::add_question(Question question) {
  std::string id = "question-" + std::to_string(next_question_++);
  questions_.emplace(id, std::move(question));
  return id;
}

std::optional<CallTable::Question> CallTable::take_question(const std::string& id) {
  const auto found = questions_.find(id);
  if (found == questions_.end()) return std::nullopt;
  Question question = std::move(found->second);
  questions_.erase(found);
  return question;
}

std::vector<std::string> CallTable::drop_questions(std::uint64_t call) {
  std::vector<std::string> ids;
  for (const auto& [id, question] : questions_)
    if (question.call == call) ids.push_back(id);
  for (const std::string& id : ids) questions_.erase(id);
  return ids;
}

}  // namespace cairn::tools::mcp
