// A model is loaded once a database: attached processes send their texts to the host.
#include "tests/query/attach/attached_fixture.hpp"

#include <cairn/embedder.hpp>
#include <cairn/embedding_space.hpp>
#include <cairn/host_embedder.hpp>
#include <cairn/memory/memory.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {
namespace {

constexpr std::size_t dimension = 32;

/// Processes that are attached to a host with an embedder.
struct EmbedderFixture {
  TemporaryDirectory directory;
  HostProcess host{directory.path() / "db", {}, {"embeds=" + std::to_string(dimension)}};
  Database database = must(Database::open(directory.path() / "db"));
  int made = 0;

  std::shared_ptr<const Embedder> share(const std::string& spec) {
    return must(share_embedder(database, spec, [this] {
      ++made;
      return Result<std::shared_ptr<const Embedder>>(make_hashing_embedder(dimension));
    }));
  }
};

std::vector<std::vector<float>> components(const std::vector<Vector>& vectors) {
  std::vector<std::vector<float>> all;
  for (const Vector& vector : vectors)
    all.emplace_back(vector.components().begin(), vector.components().end());
  return all;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(shared_embedder, EmbedderFixture)

BOOST_AUTO_TEST_CASE(texts_are_sent_to_the_host_until_it_ends) {
  std::vector<std::string> texts;
  for (int i = 0; i < 150; ++i) texts.push_back("text number " + std::to_string(i));
  texts.emplace_back(std::size_t{3} << 20, 'x');
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const auto wanted = components(must(make_hashing_embedder(dimension)->embed(views)));
  const auto embedder = share("hash");
  BOOST_TEST(embedder->model() == make_hashing_embedder()->model());
  BOOST_TEST(embedder->dimension() == dimension);
  BOOST_TEST((components(must(embedder->embed(views))) == wanted));
  BOOST_TEST((components(must(embedder->embed_documents(views))) == wanted));
  BOOST_TEST(must(embedder->embed({})).empty());
  BOOST_TEST(made == 0);
  host.kill();
  BOOST_TEST((components(must(embedder->embed(views))) == wanted));
  BOOST_TEST((components(must(embedder->embed(views))) == wanted));
  BOOST_TEST(made == 1);
}

BOOST_AUTO_TEST_CASE(another_spec_is_made_here) {
  share("words:other");
  BOOST_TEST(made == 1);
}

BOOST_AUTO_TEST_CASE(an_embedder_is_kept_for_the_time_as_host) {
  must(set_embedder(database, make_hashing_embedder(16), "hash 16"));
  host.end();
  must(execute(database, "CALL memory.add({content: 'red tea'})"));
  BOOST_TEST(must(database.role()).is_host);
  Rows rows = must(execute(database, "MATCH (m:Memory) RETURN size(m.embedding) AS n"));
  BOOST_TEST((*must(rows.next()))["n"].as_integer() == 16);
}

BOOST_AUTO_TEST_CASE(a_typed_memory_embeds_by_the_host) {
  memory::MemoryOptions options;
  options.embedder = share("hash");
  memory::Memory memory = must(memory::Memory::open(database, options));
  BOOST_TEST(must(memory.add(memory::note("red tea"))).warnings.empty());
  BOOST_TEST(made == 0);
  BOOST_TEST(must(noted_embedder(database, options.embedder->model())) == "hash");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
