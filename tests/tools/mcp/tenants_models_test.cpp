// A tenant does not learn which embedding model made the vectors of another one.

#include "tests/query/memory/support.hpp"
#include "tests/tools/mcp/tenants_world.hpp"

#include <cairn/host_embedder.hpp>
#include <cairn/memory/memory.hpp>

#include <array>
#include <memory>
#include <string>

namespace cairn::test {
namespace {

/// The model of the other tenant.
class OtherModel final : public memory::WordEmbedder {
 public:
  [[nodiscard]] std::string model() const override { return "globex-model"; }
};

/// The other tenant has made vectors with a model that the process no longer has.
struct WithoutModel : Tenants {
  WithoutModel() : Tenants(tools::mcp::ToolSet::memory, Start::bare) {
    add_by_model(with_others, "globex");
  }
  static void add_by_model(World& world, const std::string& name) {
    must(set_embedder(*world.database, std::make_shared<OtherModel>()));
    world.add(name, {"CALL memory.add({content: 'green tea of " + name +
                     "'}) YIELD id RETURN count(id)"});
    must(set_embedder(*world.database, nullptr));
  }
};

constexpr std::array reads = {
    "CALL memory.recall({query: 'green tea'})",
    "CALL memory.recall({query: 'green tea', strategy: 'vector'})",
    "CALL memory.recall({query: 'green tea', strategy: 'text'})",
    "CALL memory.search()",
    "CALL memory.list({of: 'tasks'})",
    "CALL memory.describe()",
    "CALL memory.find({external_id: 'tea'})",
    "CALL memory.update({external_id: 'tea', content: 'black tea'})",
    "CALL memory.update({selection: {kinds: ['note']}, changes: {a: 1}})",
    "CALL memory.update({selection: {kinds: ['note']}, content: 'black tea'})",
    "CALL memory.forget({external_id: 'tea'})",
    "CALL memory.view_file({command: 'view', path: '/memories'})",
    "CALL memory.view_file({command: 'view', path: '/memories/a.txt'})",
    "SHOW INDEXES"};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tenants_models, WithoutModel)

BOOST_AUTO_TEST_CASE(a_tenant_without_records_learns_of_no_model) {
  for (const char* statement : reads) compare(statement);
  compare_tool("search_memory", R"j({"query":"green tea","mode":"semantic"})j");
  compare_tool("describe_memory", "{}");
}

// Its first record is stored without a vector, because there is one index of vectors.
BOOST_AUTO_TEST_CASE(a_first_record_does_not_show_the_model) {
  const std::string added = with_others.answer(
      "CALL memory.add({content: 'green tea', external_id: 'tea'}) YIELD id RETURN count(id)");
  BOOST_TEST(added.find("pending") != std::string::npos, added);
  for (const std::string& answer :
       {added, with_others.answer("SHOW INDEXES YIELD name, options"),
        with_others.answer("CALL memory.remember({content: 'more tea'}) YIELD id RETURN 1"),
        with_others.answer("CALL memory.recall({query: 'green tea', strategy: 'vector'})"),
        with_others.answer("CALL memory.recall({query: 'green tea', strategy: 'hybrid'})"),
        with_others.answer("MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_embedding FOR "
                           "embed('green tea') LIMIT 3) RETURN m.content"),
        with_others.answer("CALL db.recall('green tea', {index: 'memory_contents', vector_index: "
                           "'memory_embedding', vector: [1, 2], vector_model: 'mine'})"),
        with_others.reply("tools/call", R"j({"name":"describe_memory","arguments":{}})j"),
        with_others.reply("tools/call",
                          R"j({"name":"search_memory","arguments":{"query":"green tea",
                              "mode":"semantic"}})j")})
    BOOST_TEST(answer.find("globex") == std::string::npos, answer);
  // It is found by its words.
  const std::string found = with_others.answer(
      "CALL memory.recall({query: 'green tea'}) YIELD record RETURN "
      "record.external_id");
  BOOST_TEST(found.find("'tea'") != std::string::npos, found);
}

// A program that serves a tenant is told no more than the tenant's statements.
BOOST_AUTO_TEST_CASE(the_calls_of_a_program_do_not_show_the_model) {
  memory::MemoryOptions options;
  options.name_space = "acme";
  options.limits = of_a();
  auto memory = must(memory::Memory::open(*with_others.database, options));
  BOOST_TEST(must(memory.recall({.query = "green tea"})).hits.empty());
  const auto added = memory.add({.content = "green tea"});
  BOOST_REQUIRE(!added);
  BOOST_TEST(added.error().message.find("globex") == std::string::npos, added.error().message);
  BOOST_TEST(added.error().message.find("do not fit") != std::string::npos);
}

// What a tenant's own vectors were made by, it may know.
BOOST_AUTO_TEST_CASE(a_tenant_is_told_the_model_of_its_own_vectors) {
  add_by_model(with_others, "acme");
  for (const char* statement : {"SHOW INDEXES YIELD name, options",
                                "CALL memory.recall({query: 'green tea', strategy: "
                                "'vector'})"}) {
    const std::string answer = with_others.answer(statement);
    BOOST_TEST(answer.find("globex-model") != std::string::npos, answer);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
