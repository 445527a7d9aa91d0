// The agents of the storm: `cairn mcp` processes that store memories and search for them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, isOpeningTooSlow } from './storm_clients.mjs';

const cairn = process.env.CAIRN_PROGRAM;

/** The process ended before it answered. */
class Ended extends Error {}

/** One `cairn mcp` process, and JSON-RPC at its standard input and output. */
class McpProcess {
  constructor(database) {
    this.waiting = new Map();
    this.last = 0;
    this.said = '';
    this.process = spawn(cairn, ['mcp', database], { stdio: 'pipe' });
    this.process.stdin.on('error', () => {});  // It is killed while it is written to.
    this.process.stderr.on('data', (bytes) => { this.said += bytes; });
    createInterface({ input: this.process.stdout }).on('line', (line) => {
      const { id, result, error } = JSON.parse(line);
      this.waiting.get(id)?.done(result ?? { isError: true, content: [{ text: JSON.stringify(error) }] });
      this.waiting.delete(id);
    });
    this.ended = new Promise((done) => this.process.once('close', done)).then(() => {
      this.hasEnded = true;
      for (const { fail } of this.waiting.values()) fail(new Ended());
    });
  }

  send(message) {
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async ask(method, params) {
    if (this.hasEnded) throw new Ended();
    const id = ++this.last;
    const answer = new Promise((done, fail) => this.waiting.set(id, { done, fail }));
    this.send({ id, method, params });
    return answer;
  }

  async begin() {
    await this.ask('initialize', {
      protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'storm', version: '1' },
    });
    this.send({ method: 'notifications/initialized' });
  }
}

/** Stores one number after the other, and searches for each eighth. Its process is killed now and then. */
export class AgentClient {
  constructor(name, database) {
    this.name = name;
    this.database = database;
    this.stored = new Set();
    /** The last number that was sent. It may be stored without an answer if the process was killed. */
    this.last = 0;
    this.kills = 0;
  }

  get acknowledged() {
    return this.stored.size;
  }

  async run(isDone) {
    while (!isDone()) {
      const kills = this.kills;
      const agent = new McpProcess(this.database);
      this.agent = agent;
      try {
        await agent.begin();
        while (!isDone()) await this.step(agent);
      } catch (error) {
        if (!(error instanceof Ended)) throw error;
        await agent.ended;
        const isExpected = kills !== this.kills || isOpeningTooSlow(agent.said) || isDone();
        assert.ok(isExpected, `${this.name} ended: ${agent.said}`);
      }
    }
  }

  async step(agent) {
    const number = ++this.last;
    const content = `${this.word(number)} is the word of this memory`;
    await this.use(agent, 'store_memory', { content, metadata: { client: this.name, number } });
    this.stored.add(number);
    if (number % 8 !== 0) return;
    const { text } = await this.use(agent, 'search_memory', { query: this.word(number) });
    assert.match(text, new RegExp(`\\b${this.word(number)}\\b`), `${this.name}: a search has not ${number}`);
  }

  /** Only this memory has the word. */
  word(number) {
    return `${this.name}x${number}`;
  }

  /** A tool says so if nothing was done because the host ended. Nothing else may fail. */
  async use(agent, name, input) {
    for (;;) {
      const { isError, content } = await agent.ask('tools/call', { name, arguments: input });
      const { text } = content[0];
      if (!isError) return { text };
      assert.match(text, /run it again|let no other process attach/, `${this.name}: ${text}`);
      ++Client.conflicts;
      await sleep(20);
    }
  }

  kill() {
    ++this.kills;
    this.agent?.process.kill('SIGKILL');
  }

  async end() {
    this.agent?.process.kill('SIGKILL');
    await this.agent?.ended;
  }

  /** What was acknowledged is there once. What was under way when the process was killed is there at most once. */
  async check(driver) {
    const { records } = await driver.executeQuery(
      'MATCH (n:Memory {client: $client}) RETURN n.number AS number, count(*) AS count', { client: this.name });
    const counts = new Map(records.map((row) => [row.get('number'), row.get('count')]));
    for (let number = 1; number <= this.last; ++number) {
      const count = counts.get(number) ?? 0;
      assert.ok(count <= 1, `${this.name}: ${number} is there ${count} times`);
      assert.ok(count === 1 || !this.stored.has(number), `${this.name}: ${number} of ${this.last} is lost`);
      counts.delete(number);
    }
    assert.equal(counts.size, 0, `${this.name}: numbers that it did not send`);
    const most = this.stored.size + this.kills + Client.slowOpenings + 1;
    assert.ok(this.last <= most, `${this.name}: ${this.last} numbers were sent, and ${this.stored.size} answered`);
    assert.ok(this.stored.size > 8, `${this.name} stored ${this.stored.size} memories and did not search`);
  }
}
