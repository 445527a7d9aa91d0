// Calls on threads other than the statement's: their results, that a stopped call does not block, and that threads are
// reused.
#include "query/registered/call_body.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace cairn::query {
namespace {

using namespace std::chrono_literals;

/// Stops after so many looks.
class FewLooks final : public engine::Limits {
 public:
  explicit FewLooks(int looks) : looks_(looks) {}
  Status step(std::uint64_t) override {
    if (looks_-- > 0) return {};
    return Error{ErrorCode::cancelled, "that was enough", std::nullopt};
  }
  Status check_room(std::size_t) const override { return {}; }
  Status charge(std::size_t) override { return {}; }
  void release(std::size_t) noexcept override {}

 private:
  int looks_;
};

constexpr int very_many = 1'000'000;

}  // namespace

BOOST_AUTO_TEST_SUITE(side_calls)

BOOST_AUTO_TEST_CASE(work_is_done_on_another_thread_before_the_call_returns) {
  FewLooks limits(very_many);
  std::thread::id thread;
  BOOST_TEST(call_beside([&] { thread = std::this_thread::get_id(); }, limits).has_value());
  BOOST_TEST((thread != std::thread::id()));
  BOOST_TEST((thread != std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(one_call_behind_the_other_needs_few_threads) {
  FewLooks limits(very_many);
  std::set<std::thread::id> threads;
  for (int i = 0; i < 5'000; ++i)
    BOOST_TEST_REQUIRE(
        call_beside([&] { threads.insert(std::this_thread::get_id()); }, limits).has_value());
  BOOST_TEST(threads.size() <= 3U);
}

BOOST_AUTO_TEST_CASE(a_call_that_takes_too_long_is_left_alone) {
  const auto release = std::make_shared<std::promise<void>>();
  const auto ended = std::make_shared<std::promise<void>>();
  auto end = ended->get_future();
  FewLooks limits(5);
  const Status status = call_beside(
      [release, ended] {
        release->get_future().wait();
        ended->set_value();
      },
      limits);
  BOOST_REQUIRE(!status.has_value());
  BOOST_TEST((status.error().code == ErrorCode::cancelled));
  release->set_value();
  BOOST_TEST((end.wait_for(10s) == std::future_status::ready));
}

BOOST_AUTO_TEST_CASE(many_callers_at_once_get_each_their_own) {
  std::atomic<int> done = 0;
  std::vector<std::jthread> callers;
  for (int caller = 0; caller < 8; ++caller)
    callers.emplace_back([&] {
      FewLooks limits(very_many);
      for (int i = 0; i < 500; ++i) {
        int result = 0;
        if (call_beside([&] { result = i + 1; }, limits) && result == i + 1) ++done;
      }
    });
  callers.clear();
  BOOST_TEST(done == 8 * 500);
}

// Where all threads are taken by calls that do not end, a further one waits for its limits.
BOOST_AUTO_TEST_CASE(calls_beyond_the_number_of_threads_wait) {
  const auto release = std::make_shared<std::promise<void>>();
  const std::shared_future<void> released = release->get_future().share();
  const auto running = std::make_shared<std::atomic<int>>(0);
  const auto block = [released, running] {
    ++*running;
    released.wait();
    --*running;
  };
  for (int i = 0; i < 64; ++i) {
    FewLooks limits(0);
    BOOST_TEST(!call_beside(block, limits).has_value());
  }
  FewLooks limits(3);
  bool is_done = false;
  const auto done = std::make_shared<std::atomic<bool>>(false);
  is_done = call_beside([done] { *done = true; }, limits).has_value();
  BOOST_TEST(!is_done);
  release->set_value();
  FewLooks patient(very_many);
  BOOST_TEST(call_beside([done] { *done = true; }, patient).has_value());
  BOOST_TEST(done->load());
  while (running->load() > 0) std::this_thread::sleep_for(1ms);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
