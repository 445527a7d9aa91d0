// An embedder that is a service, which a server of the test plays: its interfaces, and its faults, each at every request.
#include "tools/embedders/http_embedder.hpp"

#include "tests/support/graph_builder.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/tools/embedders/model_server.hpp"

#include <cairn/make_embedder.hpp>
#include <cairn/value.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace cairn;
using namespace cairn::tools;
using test::ModelServer;
using test::must;

namespace {

using Texts = std::vector<std::string_view>;
using std::chrono::milliseconds;

const std::vector<std::string> interfaces = {"/v1/embeddings", "/api/embed", "/embed"};

struct Service {
  Service() {
    ::setenv("no_proxy", "127.0.0.1,localhost", 1);
    ::unsetenv("CAIRN_EMBEDDER_KEY");
  }

  ModelServer server;
  EmbedderOptions options{milliseconds(10'000), milliseconds(5'000), {}};

  /// Waits a short time between tries.
  Result<std::unique_ptr<Embedder>> make(const std::string& path,
                                         std::vector<std::string> settings = {}) {
    settings.insert(settings.begin(), {server.endpoint() + path, "model=made"});
    CAIRN_ASSIGN(HttpSettings read, read_http_settings(settings, options));
    read.first_wait = milliseconds(1);
    return make_http_embedder(std::move(read));
  }
};

std::vector<float> components(const Vector& vector) {
  return {vector.components().begin(), vector.components().end()};
}

/// Whether each vector is that of its text.
bool fit(const std::vector<Vector>& vectors, const Texts& texts, const std::string& prefix = {}) {
  return std::ranges::equal(vectors, texts, [&](const Vector& vector, std::string_view text) {
    return components(vector) == ModelServer::vector_of(prefix + std::string(text));
  });
}

std::string message_of(const Result<std::vector<Vector>>& result) {
  return result ? "" : result.error().message;
}
std::string message_of(const Result<std::unique_ptr<Embedder>>& result) {
  return result ? "" : result.error().message;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> many_texts(std::size_t count) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i)
    texts.push_back(std::string(1 + i % 50, static_cast<char>('a' + i % 26)) + std::to_string(i));
  return texts;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(http_embedder, Service)

BOOST_DATA_TEST_CASE(each_interface_makes_the_vectors, interfaces) {
  const auto embedder = must(make(sample));
  BOOST_TEST(embedder->dimension() == ModelServer::dimension);
  BOOST_TEST(embedder->model() == "made");
  const auto texts = many_texts(100);
  const Texts views(texts.begin(), texts.end());
  BOOST_TEST(fit(must(embedder->embed(views)), views));
  BOOST_TEST(fit(must(embedder->embed_documents(views)), views));
  BOOST_TEST(must(embedder->embed({})).empty());
}

BOOST_AUTO_TEST_CASE(requests_have_the_shapes_of_their_interfaces) {
  const Texts texts = {"x \"y\"", "\xff"};
  const List sent{"x \"y\"", "\xEF\xBF\xBD"};
  server.plan("");
  must(must(make("/v1/embeddings", {"dimension=4"}))->embed(texts));
  BOOST_TEST((server.bodies.back() ==
              Map{{"model", "made"}, {"input", sent}, {"encoding_format", "float"}}));
  must(must(make("/api/embed", {"shorten=4"}))->embed(texts));
  BOOST_TEST((server.bodies.back() ==
              Map{{"model", "made"}, {"input", sent}, {"truncate", false}, {"dimensions", 4}}));
  must(must(make("/embed", {"dimension=4", "truncate=yes", "query_type=q"}))->embed(texts));
  BOOST_TEST(
      (server.bodies.back() == Map{{"inputs", sent}, {"truncate", true}, {"prompt_name", "q"}}));
  BOOST_TEST(server.requests == 3U);
}

BOOST_AUTO_TEST_CASE(questions_and_documents_are_sent_in_their_own_ways) {
  const auto embedder = must(make(
      "/v1/embeddings", {"query_prefix=query: ", "document_prefix=passage: ", "query_type=query",
                         "document_type=document"}));
  const Texts texts = {"a", "bc"};
  BOOST_TEST(fit(must(embedder->embed(texts)), texts, "query: "));
  BOOST_TEST((server.bodies.back().at("input_type") == Value("query")));
  BOOST_TEST(fit(must(embedder->embed_documents(texts)), texts, "passage: "));
  BOOST_TEST((server.bodies.back().at("input_type") == Value("document")));
  BOOST_TEST(embedder->model() ==
             "made query_prefix='query: ' query_type='query' document_prefix='passage: ' "
             "document_type='document'");
}

BOOST_AUTO_TEST_CASE(blank_texts_are_not_sent_and_have_zero_vectors) {
  const auto embedder = must(make("/embed"));
  const std::size_t before = server.texts;
  const auto vectors = must(embedder->embed(Texts{"", "a", " \n", "b"}));
  BOOST_REQUIRE(vectors.size() == 4U);
  BOOST_TEST(server.texts - before == 2U);
  BOOST_TEST(components(vectors[0]) == std::vector<float>(4, 0), boost::test_tools::per_element());
  BOOST_TEST(components(vectors[2]) == std::vector<float>(4, 0), boost::test_tools::per_element());
  BOOST_TEST(components(vectors[3]) == ModelServer::vector_of("b"),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(base64_is_read_although_it_is_not_asked_for) {
  server.sends_base64 = true;
  const auto embedder = must(make("/v1/embeddings"));
  const Texts texts = {"one", "two", "three"};
  BOOST_TEST(fit(must(embedder->embed(texts)), texts));
}

BOOST_DATA_TEST_CASE(a_fault_that_passes_loses_no_vector, interfaces) {
  const auto texts = many_texts(100);  // four requests
  const Texts views(texts.begin(), texts.end());
  for (const std::string fault : {"0", "00", "3", "w", "d", "u", "r", "333", "dwu", "3d00"})
    for (std::size_t at = 0; at < 4; ++at) {
      const auto embedder = must(make(sample, {"dimension=4"}));
      server.plan(std::string(at, '.') + fault);
      const auto vectors = embedder->embed(views);
      BOOST_TEST(vectors.has_value(), fault << " at " << at << ": " << message_of(vectors));
      if (vectors) BOOST_TEST(fit(*vectors, views), fault << " at " << at);
      BOOST_TEST(server.requests == 4 + fault.size());
    }
}

BOOST_DATA_TEST_CASE(a_wrong_answer_is_an_error_at_every_request, interfaces) {
  const auto texts = many_texts(100);
  const Texts views(texts.begin(), texts.end());
  const bool has_index = sample == "/v1/embeddings";
  for (const char fault : std::string(has_index ? "gcClnIkbRW" : "gcClnkbRW"))
    for (std::size_t at = 0; at < 4; ++at) {
      const auto embedder = must(make(sample, {"dimension=4"}));
      server.plan(std::string(at, '.') + fault);
      const auto failed = embedder->embed(views);
      BOOST_TEST(!failed, fault << " at " << at);
      BOOST_TEST(has(message_of(failed), "the embedder " + server.endpoint() + sample));
      BOOST_TEST(server.requests == at + 1);
      BOOST_TEST(fit(must(embedder->embed(views)), views));
    }
}

BOOST_AUTO_TEST_CASE(a_first_vector_decides_the_dimension_and_others_have_it) {
  server.plan("l");
  const auto embedder = must(make("/embed"));
  BOOST_TEST(embedder->dimension() == 3U);
  BOOST_TEST(has(message_of(embedder->embed(Texts{"a"})), "a vector of 4 components"));
  BOOST_TEST(
      has(message_of(must(make("/embed", {"dimension=5"}))->embed(Texts{"a"})), "must have 5"));
}

BOOST_DATA_TEST_CASE(batches_are_halved_until_they_fit_and_stay_so, interfaces) {
  server.most_texts = 9;
  const auto embedder = must(make(sample, {"dimension=4"}));
  const auto texts = many_texts(10'000);
  const Texts views(texts.begin(), texts.end());
  BOOST_TEST(fit(must(embedder->embed(views)), views));
  BOOST_TEST(server.requests <= 10'000 / 8 + 2U);
  BOOST_TEST(server.texts == 10'000U);
}

BOOST_AUTO_TEST_CASE(a_text_that_is_too_long_is_an_error_and_batches_grow_again) {
  server.most_bytes = 100;
  const auto embedder = must(make("/embed", {"dimension=4"}));
  auto texts = many_texts(64);
  const std::string long_text(101, 'x');
  Texts views(texts.begin(), texts.end());
  views[40] = long_text;
  const auto failed = embedder->embed(views);
  BOOST_REQUIRE(!failed);
  BOOST_TEST(has(failed.error().message, "a text is too long: too many tokens"),
             failed.error().message);
  views[40] = "short";
  server.plan("");
  BOOST_TEST(fit(must(embedder->embed(views)), views));
  BOOST_TEST(server.requests == 2U);
}

BOOST_AUTO_TEST_CASE(batches_that_were_halved_grow_again) {
  const auto embedder = must(make("/embed", {"dimension=4"}));
  const auto texts = many_texts(64);
  const Texts views(texts.begin(), texts.end());
  server.most_texts = 4;
  for (int call = 0; call < 64; ++call) BOOST_TEST(fit(must(embedder->embed(views)), views));
  BOOST_TEST(server.requests <= 64 * 16 + 10U);
  server.most_texts = 1'000'000;
  for (int call = 0; call < 70; ++call) BOOST_TEST(fit(must(embedder->embed(views)), views));
  server.plan("");
  BOOST_TEST(fit(must(embedder->embed(views)), views));
  BOOST_TEST(server.requests == 2U);
}

BOOST_AUTO_TEST_CASE(a_service_that_is_away_half_of_the_time_makes_all_vectors) {
  const auto embedder = must(make("/v1/embeddings", {"dimension=4"}));
  server.is_away_half_of_the_time = true;
  const auto texts = many_texts(1'000);
  const Texts views(texts.begin(), texts.end());
  BOOST_TEST(fit(must(embedder->embed(views)), views));
  BOOST_TEST(server.texts == 1'000U);
}

BOOST_AUTO_TEST_CASE(patience_and_time_end) {
  options.patience = milliseconds(50);
  options.timeout = milliseconds(1'000);
  const auto embedder = must(make("/embed", {"dimension=4"}));
  server.plan(std::string(1'000, '3'));
  const auto away = embedder->embed(Texts{"a"});
  BOOST_REQUIRE(!away);
  BOOST_TEST((away.error().code == ErrorCode::busy));
  BOOST_TEST(has(away.error().message, "status 503: too much to do"), away.error().message);
  server.plan("W");
  BOOST_TEST(has(message_of(embedder->embed(Texts{"a"})), "Retry-After: 3600"));
  BOOST_TEST(server.requests == 1U);
  server.plan("ssssssss");
  const auto late = embedder->embed(Texts{"a"});
  BOOST_REQUIRE(!late);
  BOOST_TEST((late.error().code == ErrorCode::busy));
  BOOST_TEST(has(late.error().message, "gave no answer"), late.error().message);
}

BOOST_AUTO_TEST_CASE(a_service_that_is_not_there_is_an_error) {
  options.patience = milliseconds(50);
  HttpSettings settings =
      must(read_http_settings({"http://127.0.0.1:1/embed", "model=made"}, options));
  settings.first_wait = milliseconds(1);
  const auto failed = make_http_embedder(std::move(settings));
  BOOST_REQUIRE(!failed);
  BOOST_TEST((failed.error().code == ErrorCode::busy));
}

BOOST_AUTO_TEST_CASE(redirects_stay_on_their_host) {
  const auto embedder = must(make("/embed", {"dimension=4"}));
  server.plan("r");
  BOOST_TEST(embedder->embed(Texts{"a"}).has_value());
  BOOST_TEST(server.paths.back() == "/moved/embed");
  server.plan("R");
  BOOST_TEST(has(message_of(embedder->embed(Texts{"a"})), "http://localhost:1, which is another"));
  server.plan("rrrrrrrr");
  BOOST_TEST(has(message_of(embedder->embed(Texts{"a"})), "too many redirects"));
}

BOOST_AUTO_TEST_CASE(the_key_is_sent_and_in_no_message) {
  const test::TemporaryDirectory directory;
  server.key = "sk-secret-0123456789";
  BOOST_TEST(has(message_of(make("/v1/embeddings")), "requires a key"));
  options.key = server.key + "x";
  const std::string refused = message_of(make("/v1/embeddings"));
  BOOST_TEST(has(refused, "refuses the key"));
  BOOST_TEST(!has(refused, "CAIRN_EMBEDDER_KEY"));  // it has another source
  BOOST_TEST(!has(refused, "sk-"));
  options.key.clear();
  ::setenv("CAIRN_EMBEDDER_KEY", server.key.c_str(), 1);
  const auto embedder = must(make("/v1/embeddings"));
  for (const char fault : std::string("gcClnIkbRWd3")) {
    server.plan(std::string(1, fault));
    const std::string message = message_of(embedder->embed(Texts{"a", "b"}));
    BOOST_TEST(!has(message, "sk-"), message);
    BOOST_TEST(!has(message, "\x1b"), message);
  }
  BOOST_TEST(!has(embedder->model(), "sk-"));
  ::unsetenv("CAIRN_EMBEDDER_KEY");
  const auto file = directory.path() / "key";
  std::ofstream(file) << server.key << "\n";
  BOOST_TEST(make("/v1/embeddings", {"key_file=" + file.string()}).has_value());
  BOOST_TEST(!make("/v1/embeddings", {"key_file=" + file.string() + "x"}).has_value());
  options.key = "a\r\nX-Other: b";
  BOOST_TEST(has(message_of(make("/v1/embeddings")), "blanks or characters beyond ASCII"));
}

BOOST_AUTO_TEST_CASE(a_key_is_not_sent_where_others_can_read_along) {
  options.key = "sk-secret-0123456789";
  const auto read = [&](const std::string& address, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {address + "/embed", "model=made"});
    return read_http_settings(more, options);
  };
  for (const char* const address :
       {"http://10.0.0.5:8080", "http://example.org", "http://127.example.org", "http://[::2]"}) {
    const auto refused = read(address);
    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().code == ErrorCode::invalid_argument));
    BOOST_TEST(has(refused.error().message, "without encryption"), refused.error().message);
    BOOST_TEST(!has(refused.error().message, "sk-"));
    BOOST_TEST(read(address, {"clear_key=yes"}).has_value());
  }
  for (const char* const address : {"https://example.org", "http://localhost:1", "http://[::1]:1",
                                    "http://127.0.0.2", "http://a.localhost"})
    BOOST_TEST(read(address).has_value(), address);
  options.key.clear();
  BOOST_TEST(read("http://10.0.0.5:8080").has_value());
}

BOOST_AUTO_TEST_CASE(many_threads_get_their_own_vectors) {
  const auto embedder = must(make("/v1/embeddings"));
  std::vector<std::thread> threads;
  std::vector<char> was_right(8, 0);
  for (std::size_t i = 0; i < was_right.size(); ++i)
    threads.emplace_back([&, i] {
      const std::string text(i + 1, static_cast<char>('a' + i));
      bool is_right = true;
      for (int round = 0; round < 20; ++round) {
        const auto vectors = embedder->embed(Texts{text});
        is_right = is_right && vectors && fit(*vectors, Texts{text});
      }
      was_right[i] = is_right ? 1 : 0;
    });
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(was_right == std::vector<char>(8, 1), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(settings_that_are_wrong_are_refused) {
  const auto refusal = [&](const std::string& spec) {
    const auto made = make_embedder(spec, options);
    BOOST_TEST(!made);
    return message_of(made);
  };
  const std::string place = server.endpoint();
  BOOST_TEST(has(refusal("http:" + place + "/embed"), "model=NAME"));
  BOOST_TEST(has(refusal(place + "/embed"), "model=NAME"));
  BOOST_TEST(has(refusal("http:" + place + "/api/embeddings model=m"), "name the interface"));
  BOOST_TEST(has(refusal("http:" + place + "/other model=m"), "kind=openai"));
  BOOST_TEST(has(refusal("http:" + place + "/embed model=m kind=new"), "openai, ollama or tei"));
  BOOST_TEST(has(refusal("http:" + place + "/embed model=m size=3"), "no setting size"));
  BOOST_TEST(has(refusal("http:" + place + "/embed model=m small"), "NAME=VALUE"));
  BOOST_TEST(has(refusal("http:" + place + "/embed model=m batch=0"), "from 1 to 2048"));
  BOOST_TEST(has(refusal("http:" + place + "/embed model=m dimension=9999"), "from 1 to 4096"));
  BOOST_TEST(has(refusal("http:" + place + "/embed model=m truncate=1"), "yes or no"));
  BOOST_TEST(has(refusal("http:" + place + "/v1/embeddings model=m truncate=yes"), "alone"));
  BOOST_TEST(has(refusal("http:" + place + "/api/embed model=m query_type=q"), "no types"));
  BOOST_TEST(has(refusal("http:ftp://x/embed model=m"), "http:// or https://"));
  BOOST_TEST(has(refusal("http:"), "http:URL"));
  const std::string with_user = refusal("http://user:sk-secret@127.0.0.1/embed model=m");
  BOOST_TEST(has(with_user, "CAIRN_EMBEDDER_KEY"));
  BOOST_TEST(!has(with_user, "sk-"));
  BOOST_TEST(
      make_embedder(place + "/other?api-version=1 model=m kind=openai 'query_prefix=q: '", options)
          .has_value());
}

// It has the connections of its parent, and would take the answers to its requests.
BOOST_AUTO_TEST_CASE(a_fork_leaves_the_connections_to_its_parent) {
  const auto embedder = must(make("/api/embed"));
  const Texts texts = {"a text"};
  const std::size_t before = server.requests;
  const pid_t child = ::fork();
  if (child == 0) {
    const auto vectors = embedder->embed(texts);
    ::_exit(!vectors && vectors.error().code == ErrorCode::unsupported ? 0 : 1);
  }
  int status = -1;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_TEST(status == 0);
  BOOST_TEST(server.requests == before);
  BOOST_TEST(fit(must(embedder->embed(texts)), texts));
}

BOOST_AUTO_TEST_SUITE_END()
