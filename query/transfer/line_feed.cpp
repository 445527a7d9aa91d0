// A bounded queue of parsed lines between a reading thread and the importing thread.
#include "query/transfer/line_feed.hpp"

#include <new>
#include <system_error>
#include <utility>

namespace cairn::query {
namespace {

// A piece ends at whichever limit comes first.
constexpr std::size_t lines_a_piece = 512;

constexpr std::size_t bytes_a_piece = std::size_t{1} << 20;

// The reading thread waits once this much is parsed and not taken.
constexpr std::size_t pieces_ahead = 16;

constexpr std::size_t bytes_ahead = 16 * bytes_a_piece;

Error too_long(std::size_t limit) {
  return Error{ErrorCode::invalid_argument,
               "it has more than " + std::to_string(limit) +
                   " bytes (ImportOptions::max_line_bytes, --max-line-mib); split the record, or "
                   "import with a larger limit",
               std::nullopt};
}

Error unreadable(std::uint64_t bytes_read) {
  return Error{ErrorCode::io_error,
               "the file cannot be read after byte " + std::to_string(bytes_read) +
                   "; check the disk or connection that holds it",
               std::nullopt};
}

Error no_memory() {
  return Error{ErrorCode::resource_limit,
               "not enough memory to read the record; end other programs, or split the record",
               std::nullopt};
}

}  // namespace

Result<std::unique_ptr<LineFeed>> LineFeed::open(const std::filesystem::path& file,
                                                 std::size_t max_line_bytes) {
  std::error_code problem;
  if (!std::filesystem::exists(file, problem))
    return Error{ErrorCode::not_found, "there is no file " + file.string(), std::nullopt};
  std::ifstream input(file, std::ios::binary);
  if (!input || std::filesystem::is_directory(file, problem))
    return Error{ErrorCode::io_error,
                 "cannot read " + file.string() + "; check that it is a file and may be read",
                 std::nullopt};
  std::unique_ptr<LineFeed> feed(new LineFeed(std::move(input), max_line_bytes));
  try {
    feed->reader_ =
        std::jthread([one = feed.get()](const std::stop_token& stop) { one->run(stop); });
  } catch (const std::system_error& none) {
    return Error{ErrorCode::resource_limit,
                 "cannot start a thread to read " + file.string() + " (" + none.what() +
                     "); end other threads or raise the limit of threads (ulimit -u, pids.max)",
                 std::nullopt};
  }
  return feed;
}

LineFeed::LineFeed(std::ifstream input, std::size_t max_line_bytes)
    : max_line_bytes_(max_line_bytes), input_(std::move(input)) {}

LineFeed::~LineFeed() = default;

// Blocks until the reading thread has a piece or has ended; an empty result is the end. Wakes the reading thread, which
// may wait for room.
std::vector<NumberedLine> LineFeed::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_ || !ready_.empty(); });
  if (ready_.empty()) return {};
  Piece piece = std::move(ready_.front());
  ready_.pop_front();
  bytes_ready_ -= piece.bytes;
  changed_.notify_all();
  return std::move(piece.lines);
}

// Numbers lines from 1, blank lines included. A failed read must not look like the end of the file: then an import of
// half a file would succeed.
// Without memory for a line, the file ends there with an error: an exception that leaves the thread would end the process.
void LineFeed::run(const std::stop_token& stop) {
  Piece piece;
  std::uint64_t number = 1;
  try {
    if (!read_pieces(piece, number, stop)) return;
    if (has_failed_) piece.lines.push_back({number, unreadable(bytes_read_), bytes_read_});
  } catch (const std::bad_alloc&) {
    piece = {};
    piece.lines.push_back({number, no_memory(), bytes_read_});
  }
  if (!piece.lines.empty() && !put(std::move(piece), stop)) return;
  const std::scoped_lock lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

// Parses lines up to the end of the file. `piece` has the last of them.
bool LineFeed::read_pieces(Piece& piece, std::uint64_t& number, const std::stop_token& stop) {
  std::string text;
  bool is_long = false;
  for (; !stop.stop_requested() && read_line(text, is_long); ++number) {
    if (!is_long && text.find_first_not_of(" \t\r") == std::string::npos) continue;
    piece.lines.push_back(
        {number, is_long ? Result<ApocLine>(too_long(max_line_bytes_)) : parse_apoc_line(text),
         bytes_read_});
    piece.bytes += text.size();
    const bool is_full = piece.lines.size() >= lines_a_piece || piece.bytes >= bytes_a_piece;
    if (is_full && !put(std::exchange(piece, {}), stop)) return false;
  }
  return true;
}

// Reads one line through the buffer, in parts if it is longer. The rest of a line that is too long is skipped, so that
// the next line can be read.
bool LineFeed::read_line(std::string& text, bool& is_long) {
  text.clear();
  is_long = false;
  while (true) {
    input_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    const bool is_cut = input_.fail();  // the buffer was full, or nothing was left to read
    std::size_t size = static_cast<std::size_t>(input_.gcount());
    bytes_read_ += size;
    if (is_cut && input_.eof()) return is_long || !text.empty();
    has_failed_ = is_cut && size + 1 < buffer_.size();
    if (has_failed_) return false;
    if (!is_cut && !input_.eof()) --size;  // gcount() includes the line end
    is_long = is_long || size > max_line_bytes_ - text.size();
    if (is_long)
      text.clear();
    else
      text.append(buffer_.data(), size);
    if (!is_cut) return true;
    input_.clear();
  }
}

/// Appends a piece, and waits while the queue is full. A single piece may exceed the limit of bytes. Returns false if the
/// feed is being destroyed.
bool LineFeed::put(Piece piece, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto has_room = [this] {
    return ready_.empty() || (ready_.size() < pieces_ahead && bytes_ready_ < bytes_ahead);
  };
  if (!changed_.wait(lock, stop, has_room)) return false;
  bytes_ready_ += piece.bytes;
  ready_.push_back(std::move(piece));
  changed_.notify_all();
  return true;
}

}  // namespace cairn::query
