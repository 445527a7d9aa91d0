// The processes that the storm kills: servers, and C++ programs.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import net from 'node:net';
import { promisify } from 'node:util';
import { countsOf, isOpeningTooSlow } from './storm_clients.mjs';

const cairn = process.env.CAIRN_PROGRAM;
/** tests/support/attach_host.cpp, and the same with death points. */
const program = process.env.CAIRN_ATTACH_HOST;
const dyingProgram = process.env.CAIRN_DYING_HOST;

/** Why no C++ program can take part, or nothing. */
export const missing = program === undefined || dyingProgram === undefined
  ? 'CAIRN_ATTACH_HOST and CAIRN_DYING_HOST do not name the programs cairn_attach_host and cairn_dying_host' : undefined;

/** A check looks for a host for a second; while there is none it is busy, and if its host dies it is a conflict. */
export async function checkDatabase(database) {
  for (;;) {
    try {
      return await promisify(execFile)(cairn, ['check', database]);
    } catch (error) {
      if (!/^error \((busy|conflict)\)/.test(error.stderr)) throw error;
    }
  }
}

export async function freePort() {
  const server = net.createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** `cairn serve` at one port, whoever runs it. */
export class Server {
  constructor(database, port) {
    this.database = database;
    this.port = port;
    this.kills = 0;
    this.isUp = false;
  }

  async start() {
    for (let said = null; said !== ''; ) {
      said = await this.open();
      assert.ok(said === '' || isOpeningTooSlow(said), `cairn serve: ${said}`);
    }
    this.isUp = true;
  }

  /** Returns nothing when it serves, or its error when it ended. */
  async open() {
    this.process = spawn(cairn, ['serve', this.database, '--bolt', `127.0.0.1:${this.port}`], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    this.process.stderr.on('data', (bytes) => { said += bytes; });
    this.ended = new Promise((done) => this.process.once('close', done));
    return Promise.race([
      new Promise((done) => this.process.stdout.once('data', () => done(''))),
      this.ended.then((status) => said || `it ended with ${status}`),
    ]);
  }

  async kill() {
    ++this.kills;
    this.isUp = false;
    this.process?.kill('SIGKILL');
    await this.ended;
  }

  async end() {
    this.process.kill('SIGTERM');
    assert.equal(await this.ended, 0);
  }
}

/** Where a program dies once it is the host; 0: where it is killed by chance. */
const points = ['before_answer', 'binding', 'before_write', 0, 'naming', 'after_write'];

/** A C++ program that writes, searches and holds transactions until it dies, and then another one. */
export class Program {
  static deaths = new Map();
  static all = 0;

  constructor(database) {
    this.database = database;
    this.runs = [];
    this.isDone = false;
  }

  start() {
    const client = ++Program.all;
    const point = points[client % points.length];
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
    this.process?.kill('SIGKILL');
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
