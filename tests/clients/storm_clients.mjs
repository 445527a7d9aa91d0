// The clients of the storm, and what must be true of each of them at its end.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import neo4j from 'neo4j-driver';

const cairn = process.env.CAIRN_PROGRAM;

/** How often each number of a writer is there. */
export async function countsOf(name, driver) {
  const { records } = await driver.executeQuery(
    'MATCH (n:W {client: $client}) RETURN n.number AS number, count(*) AS count', { client: name });
  return new Map(records.map((row) => [row.get('number'), row.get('count')]));
}

/**
 * Writes one number after the other, and searches for each eighth. Every fourth write is a transaction that is held open.
 * Nothing else may fail, unless the server of a driver was killed.
 */
export class Client {
  /** Transactions that ended with a conflict because the host was killed. */
  static conflicts = 0;
  static slowOpenings = 0;

  constructor(name, place) {
    this.name = name;
    this.place = place;
    this.acknowledged = 0;
  }

  async run(isDone) {
    while (!isDone()) {
      const number = this.acknowledged + 1;
      await (number % 4 === 2 ? this.hold(number) : this.write(number));
      this.acknowledged = number;
      if (number % 8 === 0) await this.search(number);
    }
  }

  /** Only this client has the vector and the word; those of C++ programs have first components above 0. */
  row(number) {
    return { client: this.name, number, v: [-1 - this.place, number, 1], word: `${this.name}x${number}` };
  }
}

/**
 * Whether a process ended because the others opened the database and died for all of Options::attach_timeout, which is five
 * seconds for a shell and a server. It ran nothing by then.
 */
export function isOpeningTooSlow(stderr) {
  const isSlow = stderr.startsWith('error (busy): database ') && stderr.includes('let no other process attach');
  if (isSlow) ++Client.slowOpenings;
  return isSlow;
}

const creation = 'CREATE (n:W {client: $client, number: $number, v: $v, word: $word})';
/** Each of them finds the row of the last number. */
const findings = {
  'the property index': 'MATCH (n:W {client: $client}) RETURN max(n.number) AS n',
  'the vector index':
    'MATCH (n:W) SEARCH n IN (VECTOR INDEX storm FOR $v WHERE n.client = $client LIMIT 1) RETURN n.number AS n',
  'the full-text index': "CALL db.index.fulltext.queryNodes('words', $word) YIELD node RETURN node.number AS n",
};
const reading = 'MATCH (n:W {client: $client, number: $number}) RETURN n.number AS n';

/** A driver at a server. It writes by managed transactions, statements of their own, and transactions held open. */
export class DriverClient extends Client {
  /** Nothing is done again: the storm has ended. */
  static isEnded = false;
  static bookmarksRead = 0;

  constructor(name, place, library, server, token) {
    super(name, place);
    this.server = server;
    this.driver = library.driver(`bolt://127.0.0.1:${server.port}`, library.auth.bearer(token), {
      disableLosslessIntegers: true,
      maxTransactionRetryTime: 60_000,
    });
    /** Of the last commit that was acknowledged. */
    this.bookmarks = [];
    /** A driver of the other server. */
    this.other = this;
    /** Numbers whose commit was under way when the server was killed. */
    this.doubts = new Set();
  }

  async write(number) {
    if (number % 4 === 0) return this.again((session) => session.run(creation, this.row(number)), { doubt: () => number });
    return this.again((session) => {
      this.doubts.add(number);  // A driver runs its managed transaction again and does not say why.
      return session.executeWrite((transaction) => transaction.run(creation, this.row(number)));
    });
  }

  /** It is known to be written, or known not to be, unless the server is killed during the commit. */
  async hold(number) {
    let isCommitting = false;
    await this.again(async (session) => {
      isCommitting = false;
      const transaction = await session.beginTransaction();
      await transaction.run(creation, this.row(number));
      await sleep(10);
      await this.find(transaction, 'its transaction', reading, number);
      isCommitting = true;
      await transaction.commit();
    }, { doubt: () => isCommitting ? number : undefined, isAllowed: isConflict });
  }

  /** Holds a transaction that reads; it finds the same before and after a pause. */
  async search(number) {
    await this.again(async (session) => {
      const transaction = await session.beginTransaction();
      for (let i = 0; i < 2; ++i) {
        for (const [index, text] of Object.entries(findings)) await this.find(transaction, index, text, number);
        await sleep(50);
      }
      await transaction.commit();
    }, { isAllowed: isConflict });
    await this.readOwn(number);
  }

  /** Another process sees the commit of a bookmark, also when it has become the host since that commit. */
  async readOwn(number) {
    await this.again((session) => session.executeRead(
      (transaction) => this.find(transaction, 'a session with its bookmark', reading, number)),
    { isAllowed: isConflict, at: this.other, bookmarks: this.bookmarks });
    ++DriverClient.bookmarksRead;
  }

  async find(transaction, index, text, number) {
    const { records } = await transaction.run(text, this.row(number));
    const numbers = records.map((row) => row.get('n'));
    const isDoubled = this.doubts.has(number) && numbers.length === 2 && numbers[0] === numbers[1];
    assert.deepEqual(isDoubled ? numbers.slice(1) : numbers, [number], `${this.name}: ${index} has not ${number}`);
  }

  /** Does it again if the server was killed meanwhile, and then `doubt` says what may be written; or if the error is allowed. */
  async again(work, { doubt = () => undefined, isAllowed = () => false, at = this, bookmarks = [] } = {}) {
    for (;;) {
      const session = at.driver.session({ bookmarks });
      const { kills, isUp } = at.server;
      try {
        await work(session);
        if (at === this) this.bookmarks = session.lastBookmarks();
        return;
      } catch (error) {
        if (DriverClient.isEnded) {
          throw error;
        } else if (isAllowed(error)) {
          ++Client.conflicts;
        } else if (isLoss(error) && !(isUp && kills === at.server.kills)) {
          const number = doubt();
          if (number !== undefined) this.doubts.add(number);
          await sleep(20);
        } else {
          throw new Error(`${this.name}: ${error.code}: ${error.message}`, { cause: error });
        }
      } finally {
        await session.close().catch(() => {});
      }
    }
  }

  /** What was acknowledged is there once; of each death of the server one commit that was in doubt may be there twice. */
  async check() {
    const counts = await countsOf(this.name, this.driver);
    let twice = 0;
    for (let number = 1; number <= this.acknowledged; ++number) {
      const count = counts.get(number) ?? 0;
      assert.ok(count >= 1, `${this.name}: ${number} of ${this.acknowledged} is lost`);
      assert.ok(count === 1 || this.doubts.has(number), `${this.name}: ${number} is there ${count} times`);
      twice += count - 1;
    }
    assert.equal(counts.size, this.acknowledged, `${this.name}: more numbers than were acknowledged`);
    assert.ok(twice <= this.server.kills, `${this.name}: ${twice} writes are there more than once`);
    assert.ok(this.acknowledged > 8, `${this.name} wrote ${this.acknowledged} rows and did not search`);
    return twice;
  }
}

const isConflict = (error) => error.code === 'Neo.TransientError.Transaction.DeadlockDetected';
/** A connection that is closed during its logon is a ProtocolError, which drivers do not run again. */
const isLoss = (error) => [neo4j.error.SERVICE_UNAVAILABLE, neo4j.error.SESSION_EXPIRED, neo4j.error.PROTOCOL_ERROR]
  .includes(error.code);

/** Each statement and each transaction is a shell of its own. */
export class ShellClient extends Client {
  constructor(name, place, database) {
    super(name, place);
    this.database = database;
  }

  /** The text with values in place of its parameters. */
  statement(text, number) {
    const row = this.row(number);
    return text.replace(/\$(\w+)/g, (_, name) => JSON.stringify(row[name]));
  }

  async write(number) {
    await this.execute(this.statement(creation, number));
  }

  async execute(texts) {
    for (;;) {
      try {
        return await promisify(execFile)(cairn, [this.database, '--format', 'csv', '-c', texts]);
      } catch (error) {
        if (!isOpeningTooSlow(error.stderr)) throw error;
      }
    }
  }

  async hold(number) {
    for (;;) {
      const shell = spawn(cairn, [this.database, '--format', 'csv'], { stdio: 'pipe' });
      const said = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr']) shell[name].on('data', (bytes) => { said[name] += bytes; });
      shell.stdin.on('error', () => {});  // It ends at the first error.
      const ended = new Promise((done) => shell.once('close', done));
      shell.stdin.write(`BEGIN;\n${this.statement(creation, number)};\n`);
      await sleep(30);
      shell.stdin.end(`${this.statement(reading, number)};\nCOMMIT;\n`);
      const status = await ended;
      if (status === 0) {
        assert.equal(said.stdout.trim().split(/\s+/).at(-1), String(number), `${this.name}: its transaction has not ${number}`);
        return;
      }
      if (isOpeningTooSlow(said.stderr)) continue;
      // The counts of the statements before come first.
      assert.match(said.stderr, /^error \(conflict\)/m, `${this.name}: ${said.stderr}`);
      ++Client.conflicts;
    }
  }

  async search(number) {
    const texts = Object.values(findings).map((text) => this.statement(text, number)).join('; ');
    const { stdout } = await this.execute(texts);
    assert.deepEqual(stdout.trim().split(/\s+/), ['n', 'n', 'n'].flatMap((name) => [name, String(number)]), this.name);
  }

  async check(driver) {
    const counts = await countsOf(this.name, driver);
    assert.equal(counts.size, this.acknowledged, `${this.name}: other numbers than were acknowledged`);
    for (let number = 1; number <= this.acknowledged; ++number)
      assert.equal(counts.get(number), 1, `${this.name}: ${number} is not there once`);
    assert.ok(this.acknowledged > 8, `${this.name} wrote ${this.acknowledged} rows and did not search`);
    return 0;
  }
}
