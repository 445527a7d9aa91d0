// The state machine: which requests each state accepts, and how requests are answered. The handlers are in
// session_requests.cpp.
#include "query/bolt/session.hpp"

#include "query/bolt/chunks.hpp"
#include "query/bolt/session_impl.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query::bolt {
namespace {

// What happens to a request: it is handled, answered with IGNORED, or ends the connection.
enum class Treatment : std::uint8_t { taken, ignored, refused };

// The requests that a state accepts, and the state's name in error messages.
struct StateRequests {
  std::string_view name;
  std::vector<Tag> taken;
};

// The table is indexed by State.
const StateRequests& requests_of(State state) {
  static const StateRequests all[] = {
      {"before HELLO", {Tag::hello}},
      {"before LOGON", {Tag::logon}},
      {"outside of a transaction",
       {Tag::run, Tag::begin, Tag::route, Tag::telemetry, Tag::logoff, Tag::reset}},
      {"while a result is open", {Tag::pull, Tag::discard, Tag::telemetry, Tag::reset}},
      {"in a transaction",
       {Tag::run, Tag::pull, Tag::discard, Tag::commit, Tag::rollback, Tag::telemetry, Tag::reset}},
      {"after a failure", {Tag::reset}},
  };
  return all[static_cast<std::size_t>(state)];
}

// LOGON and LOGOFF exist since Bolt 5.1, TELEMETRY since 5.4.
bool is_known_to(Version version, Tag tag) {
  if (tag == Tag::logon || tag == Tag::logoff) return version >= Version{5, 1};
  if (tag == Tag::telemetry) return version >= Version{5, 4};
  return true;
}

// After a failure, every valid request is ignored until RESET.
Treatment treatment_of(Tag tag, State state, Version version) {
  if (!is_known_to(version, tag)) return Treatment::refused;
  const std::vector<Tag>& taken = requests_of(state).taken;
  if (std::ranges::find(taken, tag) != taken.end()) return Treatment::taken;
  return state == State::failed && tag != Tag::hello ? Treatment::ignored : Treatment::refused;
}

// Limits of the statement cache.
constexpr std::size_t most_statements = 64;
constexpr std::size_t most_text_bytes = std::size_t{16} << 10;

}  // namespace

bool Replies::add_chunks(std::string_view chunks) {
  ChunkReader reader;
  while (reader.take(chunks, static_cast<std::size_t>(-1)) == ChunkReader::Outcome::message)
    if (!add(reader.take_message())) return false;
  return true;
}

// A parsed statement refers to the functions that were registered when it was parsed, so a change of the functions
// empties the cache. The most recently used statement is first.
Result<StatementCache::StatementPtr> StatementCache::find_or_parse(std::string_view text,
                                                                   const Database& database) {
  auto registered = registered_calls(database);
  if (registered != registered_) statements_.clear();
  registered_ = std::move(registered);
  const auto found = std::ranges::find(
      statements_, text, [](const auto& entry) { return std::string_view(entry.first); });
  if (found != statements_.end()) {
    std::rotate(statements_.begin(), found, found + 1);
    return statements_.front().second;
  }
  CAIRN_ASSIGN(Statement parsed, Statement::parse(text, database));
  auto statement = std::make_shared<const Statement>(std::move(parsed));
  if (text.size() > most_text_bytes) return statement;
  if (statements_.size() == most_statements) statements_.pop_back();
  statements_.emplace(statements_.begin(), text, statement);
  return statement;
}

Session::Impl::Impl(Shared& shared, Version version, std::string peer, bool is_guest)
    : shared_(shared),
      version_(version),
      peer_(std::move(peer)),
      is_guest_(is_guest),
      work_(shared.database, shared.limits.results, interruption, shared.attached) {}

// Messages before an announced RESET are ignored without decoding them.
Next Session::Impl::handle(std::string_view message, Replies& replies) {
  if (interruption.is_cancelled()) return Next::close;
  const auto read = read_tag(message);
  if (const auto* failure = std::get_if<Failure>(&read)) return send_failure(*failure, replies);
  const Tag tag = std::get<Tag>(read);
  if (tag == Tag::goodbye) {
    work_.end();
    return Next::close;
  }
  const bool is_passed_over = tag != Tag::reset && interruption.is_reset_pending();
  const Treatment treatment =
      is_passed_over ? Treatment::ignored : treatment_of(tag, state_, version_);
  if (treatment == Treatment::ignored) return send(Tag::ignored, {}, replies);
  if (treatment == Treatment::taken) return answer(message, replies);
  return send_failure(invalid_request(std::string(to_string(tag)) + " cannot come " +
                                      std::string(requests_of(state_).name)),
                      replies);
}

// Checks that the token still exists and the transaction is still open, then dispatches the request.
Next Session::Impl::answer(std::string_view message, Replies& replies) {
  auto read = read_request(message, limits());
  if (const auto* failure = std::get_if<Failure>(&read)) return send_failure(*failure, replies);
  const auto& request = std::get<Request>(read);
  Map metadata;
  Answer failure;
  if (login.is_logged_on() && request.tag != Tag::reset) failure = login.check(shared_.database);
  if (!failure) failure = check_work(request.tag);
  if (!failure) failure = dispatch(request, metadata, replies);
  if (is_client_gone_) return Next::close;
  if (failure) return send_failure(*failure, replies);
  if (state_ == State::ready) leave_tenant();
  return send(Tag::success, std::move(metadata), replies);
}

Session::Impl::Answer Session::Impl::dispatch(const Request& request, Map& metadata,
                                              Replies& replies) {
  const auto map = [&]() -> const Map& { return request.fields.front().as_map(); };
  switch (request.tag) {
    case Tag::hello:
      return hello(map(), metadata);
    case Tag::logon:
      return log_on(map());
    case Tag::logoff:
      return log_off();
    case Tag::run:
      return run(request, metadata);
    case Tag::begin:
      return begin(map(), metadata);
    case Tag::commit:
      return commit(metadata);
    case Tag::rollback:
      return roll_back();
    case Tag::pull:
      return pull(map(), metadata, replies);
    case Tag::discard:
      return discard(map(), metadata);
    case Tag::route:
      return route(request, metadata);
    case Tag::reset:
      reset();
      return std::nullopt;
    default:  // TELEMETRY is accepted and ignored
      return std::nullopt;
  }
}

// Sends SUCCESS, FAILURE or IGNORED. Attached processes get values that drivers do not understand.
Next Session::Impl::send(Tag tag, Map metadata, Replies& replies) {
  message_.clear();
  codec::PackStreamWriter writer(message_);
  writer.begin_structure(static_cast<std::uint8_t>(tag), tag == Tag::ignored ? 0 : 1);
  if (tag != Tag::ignored && is_attached_)
    codec::write_whole_value(writer, Value(std::move(metadata)));
  else if (tag != Tag::ignored)
    codec::write_value(writer, Value(std::move(metadata)), codec::PackStreamVectors::as_lists);
  return replies.add(message_) ? Next::go_on : Next::close;
}

// A released transaction has read correct data and written nothing. Therefore COMMIT and ROLLBACK still succeed, and
// only further reading is a conflict.
Session::Impl::Answer Session::Impl::check_work(Tag tag) const {
  const bool asks = tag == Tag::run || tag == Tag::pull || tag == Tag::discard;
  if (!asks || !work_.was_let_go()) return std::nullopt;
  return failure_of(
      {ErrorCode::conflict,
       "the transaction was idle for " + std::to_string(shared_.limits.reading_idle_limit.count()) +
           " ms" + (is_attached_ ? " (Options::writer_idle_limit of the host)" : "") +
           ", so its snapshot was released; nothing of this was written: run it again",
       {}},
      Operation::transaction);
}

void Session::Impl::leave_tenant() noexcept {
  if (tenant_ == nullptr) return;
  work_.use(shared_.database);
  tenant_.reset();
}

// A client of this library decides whether its transaction continues after a failure.
bool Session::Impl::may_keep_transaction() const {
  return is_ours_ && state_ == State::in_transaction && work_.has_transaction();
}

void Session::Impl::fail_work() {
  keeps_transaction_ |= may_keep_transaction();
  if (!keeps_transaction_) {
    work_.end();
    leave_tenant();
  }
  state_ = State::failed;
}

// After a failure, the transaction of a driver is rolled back at once, because other transactions may wait for the
// writer lock. A statement that a RESET stopped is answered with IGNORED and not with FAILURE.
Next Session::Impl::send_failure(const Failure& failure, Replies& replies) {
  const bool was_in_transaction = state_ == State::in_transaction;
  fail_work();
  // If the host is closing, no answer is sent: the attached process then asks the next host what was committed.
  if (is_attached_ && interruption.is_cancelled()) return Next::close;
  const bool is_closing = failure.next == Next::close || interruption.is_cancelled() ||
                          !login.is_logged_on();  // otherwise RESET would continue without a logon
  if (!is_closing && interruption.is_reset_pending()) return send(Tag::ignored, {}, replies);
  Map metadata = metadata_of(failure, version_);
  if (is_ours_ && failure.error) metadata.emplace(attached_entry, value_of(*failure.error));
  if (is_ours_ && was_in_transaction && !keeps_transaction_) metadata.emplace(ended_entry, true);
  const Next next = send(Tag::failure, std::move(metadata), replies);
  return is_closing ? Next::close : next;
}

// Limits for decoding a request. They are small before the logon.
codec::PackStreamLimits Session::Impl::limits() const {
  if (login.is_logged_on())
    return {shared_.limits.nesting_levels, shared_.limits.memory_bytes, is_attached_};
  return {16, std::size_t{64} << 10, false};
}

Session::Session(Shared& shared, Version version, std::string peer, bool is_guest)
    : impl_(std::make_unique<Impl>(shared, version, std::move(peer), is_guest)) {}
Session::~Session() = default;

Next Session::handle(std::string_view message, Replies& replies) {
  return impl_->handle(message, replies);
}
bool Session::may_prepare() const noexcept { return impl_->may_prepare(); }
void Session::prepare(const std::function<bool()>& enough) { impl_->prepare(enough); }
bool Session::may_let_go() const noexcept { return impl_->may_let_go(); }
void Session::let_go() noexcept { impl_->let_go(); }
bool Session::is_in_work() const noexcept { return impl_->is_in_work(); }
void Session::interrupt() { impl_->interruption.announce_reset(); }
void Session::cancel() { impl_->interruption.cancel(); }
bool Session::is_logged_on() const { return impl_->login.is_logged_on(); }
std::string Session::principal() const { return impl_->login.principal(); }

bool is_reset(std::string_view message) noexcept {
  return message.size() == 2 && message[0] == '\xb0' && message[1] == '\x0f';
}

}  // namespace cairn::query::bolt
