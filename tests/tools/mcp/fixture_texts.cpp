// Resources, prompts and completions.

#include "tests/tools/mcp/fixture_server.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace cairn::test {
namespace {

using namespace tools::mcp;

Answer<ResourceContents> read_fixture(const std::string& uri, Context&) {
  if (uri == "test://static-text")
    return ResourceContents{
        {text_resource(uri, "text/plain", "This is the content of the static text resource.")}};
  if (uri == "test://static-binary")
    return ResourceContents{{blob_resource(uri, "image/png", fixture_image())}};
  if (uri == "test://watched-resource")
    return ResourceContents{{text_resource(uri, "text/plain", "watched")}};
  constexpr std::string_view before = "test://template/";
  constexpr std::string_view after = "/data";
  if (!uri.starts_with(before) || !uri.ends_with(after) ||
      uri.size() <= before.size() + after.size())
    return resource_not_found(uri);
  const std::string id = uri.substr(before.size(), uri.size() - before.size() - after.size());
  const json::object data{{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}};
  return ResourceContents{{text_resource(uri, "application/json", json::serialize(data))}};
}

void add_prompt(ServerDefinition& server, const char* name, std::vector<PromptArgument> arguments,
                PromptHandler get) {
  server.prompts.push_back(
      {name, "A prompt", "For tests of the protocol.", std::move(arguments), std::move(get)});
}

PromptResult prompt_of(json::array messages) { return {"A prompt", std::move(messages)}; }

}  // namespace

void add_fixture_resources(ServerDefinition& server) {
  server.resources = {
      {"test://static-text", "static text", "", "A text.", "text/plain", std::nullopt},
      {"test://static-binary", "static binary", "", "An image.", "image/png", 70},
      {"test://watched-resource", "watched", "", "A text that changes.", "text/plain",
       std::nullopt}};
  server.templates = {
      {"test://template/{id}/data", "template", "", "Data of an id.", "application/json"}};
  server.read_resource = read_fixture;
  server.complete = [](const CompletionRequest& request, Context&) -> Answer<Completions> {
    Completions completions;
    for (const char* value : {"paris", "park", "party"})
      if (std::string_view(value).starts_with(request.value))
        completions.values.emplace_back(value);
    return completions;
  };
}

void add_fixture_prompts(ServerDefinition& server) {
  add_prompt(server, "test_simple_prompt", {}, [](const Texts&, Context&) {
    return prompt_of(
        {prompt_message("user", text_content("This is a simple prompt for testing."))});
  });
  add_prompt(
      server, "test_prompt_with_arguments",
      {{"arg1", "", "First test argument", true}, {"arg2", "", "Second test argument", true}},
      [](const Texts& arguments, Context&) {
        return prompt_of({prompt_message(
            "user", text_content("Prompt with arguments: arg1='" + arguments.at("arg1") +
                                 "', arg2='" + arguments.at("arg2") + "'"))});
      });
  add_prompt(
      server, "test_prompt_with_embedded_resource",
      {{"resourceUri", "", "URI of the resource to embed", true}},
      [](const Texts& arguments, Context&) {
        return prompt_of(
            {prompt_message("user", embedded_text(arguments.at("resourceUri"), "text/plain",
                                                  "Embedded resource content for testing.")),
             prompt_message("user", text_content("Please process the embedded resource above."))});
      });
  add_prompt(server, "test_prompt_with_image", {}, [](const Texts&, Context&) {
    return prompt_of({prompt_message("user", image_content(fixture_image(), "image/png")),
                      prompt_message("user", text_content("Please analyze the image above."))});
  });
}

}  // namespace cairn::test
