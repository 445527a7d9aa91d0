// Parsing is most of an import's work beside the store's; a thread reads and parses ahead, 16
// pieces of 512 lines at most, so that memory is bounded. Order is kept.
#include "tools/transfer/line_feed.hpp"

#include <string>
#include <utility>

namespace cairn::tools {
namespace {

constexpr std::size_t lines_a_piece = 512;
constexpr std::size_t pieces_ahead = 16;

}  // namespace

Result<std::unique_ptr<LineFeed>> LineFeed::open(const std::filesystem::path& file) {
  std::error_code problem;
  if (!std::filesystem::exists(file, problem))
    return Error{ErrorCode::not_found, "there is no file " + file.string(), std::nullopt};
  std::ifstream input(file, std::ios::binary);
  if (!input || std::filesystem::is_directory(file, problem))
    return Error{ErrorCode::io_error, "cannot read " + file.string(), std::nullopt};
  return std::unique_ptr<LineFeed>(new LineFeed(std::move(input)));
}

LineFeed::LineFeed(std::ifstream input) : input_(std::move(input)) {
  reader_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

LineFeed::~LineFeed() = default;

// Waits for the reading thread. Nothing left is the end; whoever waits for room is woken.
std::vector<NumberedLine> LineFeed::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_ || !ready_.empty(); });
  if (ready_.empty()) return {};
  std::vector<NumberedLine> lines = std::move(ready_.front());
  ready_.pop_front();
  changed_.notify_all();
  return lines;
}

// Lines are numbered from 1, blank ones counted.
void LineFeed::run(const std::stop_token& stop) {
  std::vector<NumberedLine> lines;
  std::string text;
  for (std::uint64_t number = 1; !stop.stop_requested() && std::getline(input_, text); ++number) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    lines.push_back({number, parse_apoc_line(text)});
    if (lines.size() >= lines_a_piece && !put(std::exchange(lines, {}), stop)) return;
  }
  if (!lines.empty() && !put(std::move(lines), stop)) return;
  const std::scoped_lock lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

bool LineFeed::put(std::vector<NumberedLine> lines, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait(lock, stop, [this] { return ready_.size() < pieces_ahead; })) return false;
  ready_.push_back(std::move(lines));
  changed_.notify_all();
  return true;
}

}  // namespace cairn::tools
