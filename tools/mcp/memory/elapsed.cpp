#include "tools/mcp/memory/elapsed.hpp"

#include <future>

namespace cairn::tools::mcp {

Result<CalledRows> run_with_progress(const std::function<Result<CalledRows>()>& work,
                                     std::optional<std::chrono::milliseconds> most,
                                     Context& context) {
  if (!context.wants_progress()) return work();
  using Seconds = std::chrono::duration<double>;
  constexpr std::chrono::milliseconds interval{250};
  const auto total = most ? std::optional(Seconds(*most).count()) : std::nullopt;
  const auto begin = std::chrono::steady_clock::now();
  auto running = std::async(std::launch::async, work);
  while (running.wait_for(interval) != std::future_status::ready)
    context.progress(Seconds(std::chrono::steady_clock::now() - begin).count(), total, "seconds");
  return running.get();
}

}  // namespace cairn::tools::mcp
