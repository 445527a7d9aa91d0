// A program that answers for an embedder: made_model PLAN STATE. A letter of the plan says what it does with a request, counted
// over all its starts in the file STATE; behind the end of the plan it answers as it should.
//
//    . answers  d ends before it answers  D ends within its answer  h says nothing  g no JSON  c one vector too few
//    l vectors of another length  n a number that is none  i another id  e an error  x two lines  m another model
#include <cairn/json.hpp>
#include <cairn/value.hpp>

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>

using namespace cairn;

namespace {

/// Returns the number of this request, and counts it.
std::size_t count_request(const char* file) {
  std::size_t before = 0;
  std::ifstream(file) >> before;
  std::ofstream(file) << before + 1;
  return before;
}

/// Distinguishes texts by their length and first byte, and questions from documents.
Value vector_of(const std::string& text, bool is_document) {
  const auto first = text.empty() ? 0 : static_cast<unsigned char>(text.front());
  return List{static_cast<std::int64_t>(text.size()), std::int64_t{first}, is_document ? 1.5 : 0.5};
}

Map answer_to(const Map& request, char plan) {
  Map answer{{"id", request.at("id").as_integer() + (plan == 'i' ? 1 : 0)}};
  if (plan == 'e') {
    answer["error"] = "no\nvectors";
    return answer;
  }
  if (request.at("request").as_string() == "describe") {
    answer["model"] = plan == 'm' ? "other" : "made";
    answer["dimension"] = 3;
    return answer;
  }
  const bool is_document = request.at("input").as_string() == "document";
  List vectors;
  for (const Value& text : request.at("texts").as_list())
    vectors.push_back(plan == 'l'   ? Value(List{1, 2})
                      : plan == 'n' ? Value(List{1, 2, "NaN"})
                                    : vector_of(text.as_string(), is_document));
  if (plan == 'c' && !vectors.empty()) vectors.pop_back();
  answer["vectors"] = std::move(vectors);
  return answer;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string plans = argv[1];
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t number = count_request(argv[2]);
    const char plan = number < plans.size() ? plans[number] : '.';
    if (plan == 'd') return 7;
    if (plan == 'h') ::sleep(600);
    const auto request = parse_json(line);
    if (!request) return 3;
    const std::string answer = to_json(Value(answer_to(request->as_map(), plan)));
    if (plan == 'D') std::cout << answer.substr(0, answer.size() / 2) << std::flush;
    if (plan == 'D') return 8;
    std::cout << (plan == 'g' ? "loading model" : answer) << '\n';
    if (plan == 'x') std::cout << answer << '\n';
    std::cout << std::flush;
  }
}
