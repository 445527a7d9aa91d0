// Drivers write through two servers of one database, shells and C++ programs in its directory. One of these processes is the
// host, and the others are attached to it. The servers are killed in turn, and the programs at named points of what a host
// does (tests/support/death_points.hpp). CAIRN_MODEL_LONG makes it 200 kills among 24 processes: 18 programs, two servers,
// two shells, this process, and one that checks.
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import neo4j6 from 'neo4j-driver';
import neo4j5 from 'neo4j-driver-5';

const cairn = process.env.CAIRN_PROGRAM;
const isLong = process.env.CAIRN_MODEL_LONG !== undefined;
const kills = isLong ? 200 : 12;
/** tests/support/attach_host.cpp; without it no C++ programs take part. */
const program = process.env.CAIRN_ATTACH_HOST;
/** The same program with death points; without it all are killed by chance. */
const dyingProgram = process.env.CAIRN_DYING_HOST;
const programs = program === undefined ? 0 : isLong ? 18 : 4;

async function freePort() {
  const server = net.createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** `cairn serve` at one port, whoever runs it. */
class Server {
  constructor(database, port) {
    this.database = database;
    this.port = port;
    this.kills = 0;
  }

  async start() {
    this.process = spawn(cairn, ['serve', this.database, '--bolt', `127.0.0.1:${this.port}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.ended = new Promise((done) => this.process.once('exit', done));
    await Promise.race([
      new Promise((done) => this.process.stdout.once('data', done)),
      this.ended.then((status) => assert.fail(`cairn serve ended with ${status}`)),
    ]);
  }

  async kill() {
    ++this.kills;
    this.process.kill('SIGKILL');
    await this.ended;
  }

  async end() {
    this.process.kill('SIGTERM');
    assert.equal(await this.ended, 0);
  }
}

/** Writes one number after the other, by managed transactions. */
class Writer {
  constructor(name, neo4j, server, token) {
    this.name = name;
    this.server = server;
    this.driver = neo4j.driver(`bolt://127.0.0.1:${server.port}`, neo4j.auth.bearer(token), {
      disableLosslessIntegers: true,
      maxTransactionRetryTime: 60_000,
    });
    this.acknowledged = 0;
  }

  async run(isDone) {
    const session = this.driver.session();
    while (!isDone()) {
      const number = this.acknowledged + 1;
      await this.again(() => session.executeWrite((transaction) =>
        transaction.run('CREATE (:W {client: $client, number: $number})', { client: this.name, number })));
      this.acknowledged = number;
    }
    await session.close();
  }

  /** A connection that is closed during its logon is a ProtocolError to the drivers, which they do not run again. */
  async again(work) {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (error.code !== neo4j6.error.PROTOCOL_ERROR) throw error;
      }
    }
  }
}

/** Writes one number after the other, each by a shell of its own. None of them may fail. */
class ShellWriter {
  constructor(name, database) {
    this.name = name;
    this.database = database;
    this.acknowledged = 0;
  }

  async run(isDone) {
    while (!isDone()) {
      const number = this.acknowledged + 1;
      const statement = `CREATE (:W {client: '${this.name}', number: ${number}})`;
      await promisify(execFile)(cairn, [this.database, '-c', statement]);
      this.acknowledged = number;
    }
  }

  async check(driver) {
    const counts = await countsOf(this.name, driver);
    assert.equal(counts.size, this.acknowledged, `${this.name}: other numbers than were acknowledged`);
    for (let number = 1; number <= this.acknowledged; ++number)
      assert.equal(counts.get(number), 1, `${this.name}: ${number} is not there once`);
    assert.ok(this.acknowledged > 0, `${this.name} wrote nothing`);
  }
}

/** Where a program dies once it is the host; 0: where it is killed by chance. */
const points = ['before_answer', 'binding', 'before_write', 0, 'naming', 'after_write'];

/** A C++ program that writes, searches and holds transactions until it dies, and then another one. */
class Program {
  static deaths = new Map();
  static all = 0;

  constructor(database) {
    this.database = database;
    this.runs = [];
    this.isDone = false;
  }

  start() {
    const client = ++Program.all;
    const point = dyingProgram === undefined ? 0 : points[client % points.length];
    const words = [this.database, `client=${client}`, 'attach_timeout=60000', 'writer_timeout=60000', 'searches=1'];
    const count = point === 'binding' || point === 'naming' ? 1 : 20 + 7 * (client % 10);
    if (point) words.push(`dies_at=${point}`, `dies_after=${count}`);
    this.point = point;
    this.process = spawn(point ? dyingProgram : program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    const run = { client, said: '' };
    this.runs.push(run);
    this.process.stdout.on('data', (bytes) => { run.said += bytes; });
    this.ended = new Promise((done) => this.process.once('close', done)).then(() => {
      Program.deaths.set(point, (Program.deaths.get(point) ?? 0) + 1);
      if (!this.isDone) this.start();
    });
  }

  static killed() {
    return [...Program.deaths.values()].reduce((sum, one) => sum + one, 0);
  }

  async end() {
    this.isDone = true;
    this.process.kill('SIGKILL');
    await this.ended;
  }

  /** What was acknowledged is there once; the write that was under way at the death may be there. */
  async check(driver) {
    for (const { client, said } of this.runs) {
      const numbers = said.split('\n').filter((line) => line !== '');
      const last = numbers.length;
      numbers.forEach((line, i) => assert.equal(line, String(i + 1), `program ${client}`));
      const counts = await countsOf(client, driver);
      assert.ok(counts.size === last || counts.size === last + 1, `program ${client}: ${counts.size} of ${last}`);
      for (let number = 1; number <= counts.size; ++number)
        assert.equal(counts.get(number), 1, `program ${client}: ${number} is not there once`);
    }
  }

  get acknowledged() {
    return this.runs.reduce((sum, { said }) => sum + said.split('\n').length - 1, 0);
  }
}

const indexes = [
  'CREATE VECTOR INDEX storm FOR (n:W) ON (n.v) OPTIONS ' +
    '{indexConfig: {`vector.dimensions`: 3, `vector.similarity_function`: \'euclidean\'}}',
  'CREATE FULLTEXT INDEX words FOR (n:W) ON EACH [n.word]',
  'CREATE INDEX FOR (n:W) ON (n.client, n.number)',
];

/** A check looks for a host for a second; while there is none it is busy, and is made again. */
async function checkDatabase(database) {
  for (;;) {
    try {
      return await promisify(execFile)(cairn, ['check', database]);
    } catch (error) {
      if (!error.stderr?.startsWith('error (busy)')) throw error;
    }
  }
}

/** How often each number of a writer is there. */
async function countsOf(name, driver) {
  const { records } = await driver.executeQuery(
    'MATCH (n:W {client: $client}) RETURN n.number AS number, count(*) AS count', { client: name });
  return new Map(records.map((row) => [row.get('number'), row.get('count')]));
}

/** A commit that was lost with the listener is in doubt, and the driver makes it again; all others are there once. */
async function check(writer) {
  const counts = await countsOf(writer.name, writer.driver);
  let twice = 0;
  for (let number = 1; number <= writer.acknowledged; ++number) {
    const count = counts.get(number) ?? 0;
    assert.ok(count >= 1, `${writer.name}: ${number} of ${writer.acknowledged} is lost`);
    twice += count - 1;
  }
  assert.equal(counts.size, writer.acknowledged, `${writer.name}: more numbers than were acknowledged`);
  assert.ok(twice <= writer.server.kills, `${writer.name}: ${twice} writes are there more than once`);
  assert.ok(writer.acknowledged > 0, `${writer.name} wrote nothing`);
}

test('storm: no write is lost or made twice while processes are killed', { timeout: isLong ? 1_800_000 : 180_000 }, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'cairn-storm-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const database = join(directory, 'db');
  execFileSync(cairn, [database, '--create', '-c', 'RETURN 1']);
  for (const index of indexes) execFileSync(cairn, [database, '-c', index]);
  const token = execFileSync(cairn, ['token', 'create', database, 'storm', '--role', 'admin', '--namespace', '*'],
    { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }).trim();
  const servers = [new Server(database, await freePort()), new Server(database, await freePort())];
  t.after(() => servers.forEach((server) => server.process?.kill('SIGKILL')));
  for (const server of servers) await server.start();
  const writers = servers.flatMap((server, place) => [
    new Writer(`driver 6 at ${place}`, neo4j6, server, token),
    new Writer(`driver 5 at ${place}`, neo4j5, server, token),
  ]);
  let isDone = false;
  t.after(() => { isDone = true; });
  const shells = [new ShellWriter('shell 0', database), new ShellWriter('shell 1', database)];
  const runs = [...writers, ...shells].map((writer) => writer.run(() => isDone));
  const started = Array.from({ length: programs }, () => new Program(database));
  t.after(() => started.forEach((one) => { one.isDone = true; one.process?.kill('SIGKILL'); }));
  started.forEach((one) => one.start());
  const killed = () => servers[0].kills + servers[1].kills + Program.killed();
  for (let i = 0; killed() < kills; ++i) {
    await sleep(400 + 50 * (i % 5));
    const unlucky = started[i % (programs + 1)];
    if (unlucky?.point === 0) unlucky.process.kill('SIGKILL');
    const server = servers[i % 2];
    await server.kill();
    await server.start();
    await checkDatabase(database);
  }
  const ended = [...Program.deaths].map(([point, count]) => `${count} ${point || 'by chance'}`).join(', ');
  await sleep(1_000);
  isDone = true;
  await Promise.all(runs);
  for (const writer of writers) await check(writer);
  for (const shell of shells) await shell.check(writers[0].driver);
  for (const one of started) await one.end();
  for (const one of started) await one.check(writers[0].driver);
  await Promise.all(writers.map((writer) => writer.driver.close()));
  for (const server of servers) await server.end();
  execFileSync(cairn, ['check', database]);
  const all = [...writers, ...shells, ...started].reduce((sum, writer) => sum + writer.acknowledged, 0);
  t.diagnostic(`${all} acknowledged writes, ${servers[0].kills + servers[1].kills} kills of servers, ` +
    `of programs: ${ended || 'none'}`);
});
