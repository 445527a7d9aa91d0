// One contract for all stores: the directory's and S3's pass the same cases.
#include "engine/home/object_store.hpp"

#include "tests/engine/home/s3_stub.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/temporary_directory.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace cairn;
using namespace cairn::engine;
using test::must;
using test::S3Stub;
using Names = std::vector<std::string>;

namespace {

/// The address of a store that is there already, such as a bucket of Ceph. Empty if there is none.
std::string outside_store() {
  const char* said = std::getenv("CAIRN_TEST_STORE");
  return said == nullptr ? "" : said;
}

/// A store and what it lies in.
struct Place {
  explicit Place(const std::string& kind) {
    if (kind == "s3") {
      stub.emplace();
      stub->set_environment();
    }
    if (kind == "outside") prefix = must(random_object_name("/contract-"));
    store = open(kind);
  }
  [[nodiscard]] std::unique_ptr<ObjectStore> open(const std::string& kind) const {
    if (kind == "s3") return must(open_object_store("s3://bucket/some/prefix"));
    if (kind == "dir")
      return must(open_object_store("dir:" + (directory.path() / "home").string()));
    auto outside = must(open_object_store(outside_store() + prefix));
    // It finds out how the store wants tags.
    must(probe(*outside, ""));
    return outside;
  }

  test::TemporaryDirectory directory;
  std::string prefix;
  std::optional<S3Stub> stub;
  std::unique_ptr<ObjectStore> store;
};

bool is_done(const WriteAnswer& answer) { return answer.outcome == WriteOutcome::done; }
bool is_refused(const WriteAnswer& answer) { return answer.outcome == WriteOutcome::refused; }
bool is_unknown(const WriteAnswer& answer) { return answer.outcome == WriteOutcome::unknown; }

/// An external store is tested alone, because the S3 stub overwrites the credentials in the environment variables.
std::vector<std::string> tested_kinds() {
  if (!outside_store().empty()) return {"outside"};
#ifdef CAIRN_TEST_S3
  return {"dir", "s3"};
#else
  return {"dir"};
#endif
}

const std::vector<std::string> kinds = tested_kinds();

/// Repeats a write until the store answers whether it was made. In a race, a store may lose the answer, even the
/// winner's.
template <typename Write>
bool has_won(ObjectStore& store, const std::string& name, const std::string& mine,
             const Write& write) {
  WriteAnswer answer = write();
  const bool was_lost = is_unknown(answer);
  while (is_unknown(answer)) answer = write();
  return is_done(answer) || (was_lost && must(store.get(name))->bytes == mine);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(object_store)

BOOST_DATA_TEST_CASE(an_object_is_made_once, kinds) {
  Place place(sample);
  BOOST_TEST(is_done(place.store->create("log/1/1", "one")));
  BOOST_TEST(is_refused(place.store->create("log/1/1", "two")));
  BOOST_TEST(must(place.store->get("log/1/1"))->bytes == "one");
}

BOOST_DATA_TEST_CASE(an_object_is_replaced_by_who_knows_its_tag, kinds) {
  Place place(sample);
  const std::string old = place.store->create("head", "one").tag;
  const WriteAnswer replaced = place.store->replace("head", "two", old);
  BOOST_TEST(is_done(replaced));
  BOOST_TEST(is_refused(place.store->replace("head", "three", old)));
  const auto object = must(place.store->get("head"));
  BOOST_TEST(object->bytes == "two");
  BOOST_TEST(object->tag == replaced.tag);
}

BOOST_DATA_TEST_CASE(what_is_absent_is_not_replaced, kinds) {
  Place place(sample);
  const std::string tag = place.store->create("one", "one").tag;
  BOOST_TEST(is_refused(place.store->replace("other", "two", tag)));
  BOOST_TEST(!must(place.store->get("other")).has_value());
}

BOOST_DATA_TEST_CASE(what_is_erased_is_absent_and_its_name_free, kinds) {
  Place place(sample);
  BOOST_TEST(is_done(place.store->create("log/1/1", "one")));
  BOOST_TEST(is_done(place.store->erase("log/1/1")));
  BOOST_TEST(is_done(place.store->erase("log/1/1")));
  BOOST_TEST(!must(place.store->get("log/1/1")).has_value());
  BOOST_TEST(is_done(place.store->create("log/1/1", "two")));
}

BOOST_DATA_TEST_CASE(a_range_is_cut_at_the_end, kinds) {
  Place place(sample);
  (void)place.store->create("part", "0123456789");
  BOOST_TEST(*must(place.store->get_range("part", 2, 3)) == "234");
  BOOST_TEST(*must(place.store->get_range("part", 8, 10)) == "89");
  BOOST_TEST(!must(place.store->get_range("absent", 0, 1)).has_value());
}

BOOST_DATA_TEST_CASE(only_a_changed_object_is_sent, kinds) {
  Place place(sample);
  const std::string tag = place.store->create("head", "one").tag;
  BOOST_TEST(!must(place.store->get_if_changed("head", tag)).has_value());
  (void)place.store->replace("head", "two", tag);
  BOOST_TEST(must(place.store->get_if_changed("head", tag))->bytes == "two");
  const auto absent = place.store->get_if_changed("absent", tag);
  BOOST_TEST((!absent && absent.error().code == ErrorCode::not_found));
}

BOOST_DATA_TEST_CASE(a_list_has_all_names_of_a_prefix_in_their_order, kinds) {
  Place place(sample);
  Names wanted;
  for (int i = 11; i < 22; ++i) {
    wanted.push_back("log/1/" + std::to_string(i));
    (void)place.store->create(wanted.back(), "x");
  }
  (void)place.store->create("log/2/1", "x");
  (void)place.store->create("head", "x");
  BOOST_TEST(must(place.store->list("log/1/")) == wanted, boost::test_tools::per_element());
  BOOST_TEST(must(place.store->list("log/1/2")).size() == 2U);
  BOOST_TEST(must(place.store->list("")).size() == 13U);
  BOOST_TEST(must(place.store->list("nothing/")).empty());
}

BOOST_DATA_TEST_CASE(large_and_empty_objects_and_all_bytes_come_back, kinds) {
  Place place(sample);
  std::string large;
  for (std::size_t i = 0; i < 3'000'000; ++i) large += static_cast<char>(i * 7 % 256);
  BOOST_TEST(is_done(place.store->create("large", large)));
  BOOST_TEST((must(place.store->get("large"))->bytes == large));
  BOOST_TEST(is_done(place.store->create("empty", "")));
  BOOST_TEST(must(place.store->get("empty"))->bytes.empty());
}

BOOST_DATA_TEST_CASE(the_probe_finds_a_store_that_keeps_conditions_and_leaves_nothing, kinds) {
  Place place(sample);
  must(probe(*place.store, ""));
  BOOST_TEST(must(place.store->list("")).empty());
}

BOOST_DATA_TEST_CASE(of_eight_clients_that_make_one_name_exactly_one_wins, kinds) {
  Place place(sample);
  const std::size_t rounds = test::rounds(sample == "dir" ? 200 : 60, 10'000);
  constexpr std::size_t clients = 8;
  std::vector<std::atomic<int>> wins(rounds);
  std::vector<std::atomic<int>> replacements(rounds);
  std::vector<std::unique_ptr<ObjectStore>> stores;
  for (std::size_t i = 0; i < clients; ++i) stores.push_back(place.open(sample));
  std::string tag = place.store->create("head", "0").tag;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < clients; ++i)
      threads.emplace_back([&, i, round] {
        const std::string mine = std::to_string(round) + "." + std::to_string(i);
        const std::string name = "log/" + std::to_string(round);
        ObjectStore& store = *stores[i];
        if (has_won(store, name, mine, [&] { return store.create(name, mine); })) ++wins[round];
        if (has_won(store, "head", mine, [&] { return store.replace("head", mine, tag); }))
          ++replacements[round];
      });
    for (std::thread& thread : threads) thread.join();
    tag = must(place.store->get("head"))->tag;
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    BOOST_REQUIRE(wins[round] == 1);
    BOOST_REQUIRE(replacements[round] == 1);
  }
}

BOOST_AUTO_TEST_CASE(a_directory_keeps_its_objects) {
  const test::TemporaryDirectory directory;
  const auto root = directory.path() / "a" / "b";
  (void)must(open_directory_store(root))->create("head", "one");
  BOOST_TEST(must(must(open_directory_store(root))->get("head"))->bytes == "one");
}

// A store needs no right to read the directory that contains its root. A superuser may read every directory, so the
// test runs as `nobody` meanwhile.
BOOST_AUTO_TEST_CASE(a_directory_needs_no_right_to_read_the_one_above) {
  constexpr uid_t nobody = 65'534;
  const test::TemporaryDirectory directory;
  const auto root = directory.path() / "home";
  std::filesystem::create_directory(root);
  const bool is_superuser = ::geteuid() == 0;
  if (is_superuser) BOOST_REQUIRE(::chown(root.c_str(), nobody, nobody) == 0);
  BOOST_REQUIRE(::chmod(directory.path().c_str(), is_superuser ? 0711 : 0300) == 0);
  if (is_superuser) BOOST_REQUIRE(::seteuid(nobody) == 0);
  const auto store = open_directory_store(root);
  const bool is_made = store && is_done((*store)->create("log/1", "one"));
  if (is_superuser) BOOST_REQUIRE(::seteuid(0) == 0);
  BOOST_REQUIRE(::chmod(directory.path().c_str(), 0700) == 0);
  BOOST_TEST(is_made);
}

BOOST_AUTO_TEST_CASE(what_is_no_address_of_a_store_is_refused) {
  const auto refused = open_object_store("ftp://there");
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == ErrorCode::invalid_argument));
  BOOST_TEST(refused.error().message.find("dir:PATH") != std::string::npos);
  BOOST_TEST(!open_object_store("dir:"));
}

BOOST_AUTO_TEST_CASE(names_of_objects_lead_nowhere_else) {
  for (const char* good : {"head", "log/01/02", "part/a-b", "x.y_z"})
    BOOST_TEST(is_object_name(good));
  for (const char* bad :
       {"", "/", "/a", "a/", "a//b", "../a", "a/../b", "a/.b", "a b", "a%2e", "ä"})
    BOOST_TEST(!is_object_name(bad));
}

BOOST_AUTO_TEST_SUITE_END()

#ifdef CAIRN_TEST_S3

BOOST_AUTO_TEST_SUITE(s3_store)

namespace {

std::string refusal_of(Place& place) {
  const Status probed = probe(*place.store, "");
  BOOST_REQUIRE(!probed.has_value());
  BOOST_TEST((probed.error().code == ErrorCode::unsupported));
  return probed.error().message;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_request_is_signed_as_the_store_wants_it) {
  Place place("s3");
  (void)place.store->create("log/0-1_2.x", "one");
  (void)place.store->list("log/");
  BOOST_TEST(place.stub->requests > 1U);
  BOOST_TEST(place.stub->wrong_signatures == 0U);
}

BOOST_AUTO_TEST_CASE(a_session_token_is_signed_too) {
  const S3Stub stub;
  stub.set_environment();
  ::setenv("AWS_SESSION_TOKEN", "token", 1);
  const auto store = must(open_object_store("s3://bucket"));
  ::unsetenv("AWS_SESSION_TOKEN");
  BOOST_TEST(is_done(store->create("head", "one")));
}

BOOST_AUTO_TEST_CASE(wrong_credentials_are_named_and_nothing_to_wait_for) {
  const S3Stub stub;
  stub.set_environment();
  ::setenv("AWS_SECRET_ACCESS_KEY", "wrong", 1);
  const auto store = must(open_object_store("s3://bucket"));
  const WriteAnswer answer = store->create("head", "one");
  BOOST_TEST(is_unknown(answer));
  BOOST_REQUIRE(answer.why.has_value());
  BOOST_TEST((answer.why->code == ErrorCode::io_error));
  for (const char* part : {"s3://bucket", "SignatureDoesNotMatch", "AWS_SECRET_ACCESS_KEY", "key"})
    BOOST_TEST(answer.why->message.find(part) != std::string::npos);
  BOOST_TEST(answer.why->message.find("wrong") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(credentials_of_the_environment_that_changed_are_read_again) {
  S3Stub stub;
  stub.set_environment();
  const auto store = must(open_object_store("s3://bucket"));
  stub.wants_credentials("fresh", "token");
  ::setenv("AWS_SECRET_ACCESS_KEY", "fresh", 1);
  ::setenv("AWS_SESSION_TOKEN", "token", 1);
  BOOST_TEST(is_done(store->create("head", "one")));
  const std::size_t before = stub.requests;
  BOOST_TEST(must(store->get("head"))->bytes == "one");
  BOOST_TEST(stub.requests - before == 1U);
  stub.set_environment();
}

namespace {

void write_credentials(const std::filesystem::path& file, const std::string& secret,
                       const std::string& token, const std::string& end) {
  std::ofstream(file) << "[default]\naws_access_key_id = " << S3Stub::key_id
                      << "\naws_secret_access_key = " << secret << "\naws_session_token = " << token
                      << "\nexpiration = " << end << "\n";
}

/// While it exists, credentials come from a file.
struct CredentialsFile {
  explicit CredentialsFile(const S3Stub& stub) {
    stub.set_environment();
    ::unsetenv("AWS_ACCESS_KEY_ID");
    ::setenv("AWS_SHARED_CREDENTIALS_FILE", path.c_str(), 1);
  }
  CredentialsFile(const CredentialsFile&) = delete;
  CredentialsFile& operator=(const CredentialsFile&) = delete;
  ~CredentialsFile() { ::unsetenv("AWS_SHARED_CREDENTIALS_FILE"); }

  test::TemporaryDirectory directory;
  std::filesystem::path path = directory.path() / "credentials";
};

}  // namespace

BOOST_AUTO_TEST_CASE(credentials_of_a_file_are_read_again_when_they_end) {
  S3Stub stub;
  const CredentialsFile file(stub);
  stub.wants_credentials("one", "first");
  write_credentials(file.path, "one", "first", "2001-01-01T00:00:00Z");
  const auto store = must(open_object_store("s3://bucket"));
  BOOST_TEST(is_done(store->create("head", "one")));
  stub.wants_credentials("two", "second");
  write_credentials(file.path, "two", "second", "9001-01-01T00:00:00Z");
  const std::size_t before = stub.requests;
  BOOST_TEST(must(store->get("head"))->bytes == "one");
  // The old credentials were known to have expired, so no request was wasted on them.
  BOOST_TEST(stub.requests - before == 1U);
}

// A program that writes new ones may be late, or has written half of them.
BOOST_AUTO_TEST_CASE(credentials_that_ended_are_named_and_worth_a_wait) {
  S3Stub stub;
  const CredentialsFile file(stub);
  stub.wants_credentials("one", "first");
  write_credentials(file.path, "one", "first", "9001-01-01T00:00:00Z");
  const auto store = must(open_object_store("s3://bucket"));
  stub.wants_credentials("two", "second");
  std::ofstream(file.path) << "[default]\naws_access_key_id = other\n";
  const WriteAnswer refused = store->create("head", "one");
  BOOST_REQUIRE((is_unknown(refused) && refused.why));
  BOOST_TEST((refused.why->code == ErrorCode::busy));
  for (const std::string& part : {std::string("ExpiredToken"), file.path.string()})
    BOOST_TEST(refused.why->message.find(part) != std::string::npos);
  write_credentials(file.path, "two", "second", "9001-01-01T00:00:00Z");
  BOOST_TEST(is_done(store->create("head", "one")));
}

BOOST_AUTO_TEST_CASE(each_refusal_of_the_store_names_its_fix) {
  const std::vector<std::pair<const char*, const char*>> fixes = {
      {"RequestTimeTooSkewed", "set the clock of this machine"},
      {"InvalidAccessKeyId", "check the access key key"},
      {"AccessDenied", "must be allowed to get, put, delete and list"},
      {"AuthorizationHeaderMalformed", "AWS_REGION"},
      {"Unheard", "check the bucket, the region and the credentials"}};
  for (const auto& [code, fix] : fixes) {
    Place place("s3");
    place.stub->refuse_as(code);
    const auto got = place.store->get("head");
    BOOST_REQUIRE(!got);
    BOOST_TEST((got.error().code == ErrorCode::io_error));
    for (const char* part : {code, fix, "s3://bucket/some/prefix", "head"})
      BOOST_TEST(got.error().message.find(part) != std::string::npos);
    if (std::string(code) == "RequestTimeTooSkewed")
      BOOST_TEST(got.error().message.find("01 Jan 2026") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_bucket_that_is_not_there_is_no_absent_object) {
  const S3Stub stub;
  stub.set_environment();
  const auto store = must(open_object_store("s3://elsewhere"));
  BOOST_TEST(is_unknown(store->replace("head", "one", "\"tag\"")));
  const auto got = store->get("head");
  BOOST_REQUIRE(!got);
  BOOST_TEST((got.error().code == ErrorCode::io_error));
  BOOST_TEST(got.error().message.find("make the bucket") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_server_error_and_a_lost_answer_are_unknown_and_asked_again_refused) {
  Place place("s3");
  place.stub->fails_next = 1;
  const WriteAnswer failed = place.store->create("one", "x");
  BOOST_TEST(is_unknown(failed));
  BOOST_TEST((failed.why && failed.why->code == ErrorCode::busy));
  BOOST_TEST(is_refused(place.store->create("one", "x")));
  place.stub->drops_next = 1;
  // libcurl repeats a request if the connection of an earlier request has ended, so the store may have refused the
  // first one.
  BOOST_TEST(!is_done(place.store->create("two", "x")));
  BOOST_TEST(is_refused(place.store->create("two", "x")));
}

BOOST_AUTO_TEST_CASE(a_store_that_is_not_there_is_busy) {
  std::unique_ptr<ObjectStore> store;
  {
    const S3Stub stub;
    stub.set_environment();
    store = must(open_object_store("s3://bucket"));
  }
  const auto got = store->get("head");
  BOOST_TEST((!got && got.error().code == ErrorCode::busy));
}

BOOST_AUTO_TEST_CASE(a_store_that_ignores_conditions_is_refused_by_name) {
  Place place("s3");
  place.stub->ignores_conditions = true;
  const std::string message = refusal_of(place);
  BOOST_TEST(message.find("s3://bucket/some/prefix") != std::string::npos);
  BOOST_TEST(message.find("If-None-Match") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_store_that_ignores_ranges_is_refused) {
  Place place("s3");
  place.stub->ignores_ranges = true;
  (void)refusal_of(place);
}

BOOST_AUTO_TEST_CASE(the_probe_finds_out_that_tags_are_wanted_without_quotes) {
  Place place("s3");
  place.stub->wants_plain_tags = true;
  must(probe(*place.store, ""));
  const std::string tag = place.store->create("head", "one").tag;
  BOOST_TEST(is_done(place.store->replace("head", "two", tag)));
}

BOOST_AUTO_TEST_SUITE_END()

#endif
