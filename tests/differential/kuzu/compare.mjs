// Compares Cairn with Kuzu on random graphs: each statement is asked of both, and the rows must be equal.
//
//   npm install kuzu, then
//   node tests/differential/kuzu/compare.mjs --kuzu node_modules/kuzu --cairn build/release/tools/cairn \
//     [--reads 5000] [--writes 2000] [--seed 1]
//
// Statements come from statements.mjs, in the language of each engine. Kuzu was made for typed tables and lets two steps
// of a pattern use one relationship, so its texts compare the relationships as well. Each difference has to be read: of
// 100,000 statements, Kuzu 0.11.3 gave other rows to some 30, and those examined contradict its own answers to parts of
// the statement.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Random, dump, graph, readStatement, writeStatement } from './statements.mjs';

const { values: options } = parseArgs({
  options: {
    kuzu: { type: 'string' },
    cairn: { type: 'string' },
    reads: { type: 'string', default: '5000' },
    writes: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
  },
});
if (!options.kuzu || !options.cairn) {
  console.error('compare.mjs: --kuzu DIRECTORY of its npm package and --cairn PROGRAM are required');
  process.exit(2);
}

/** The shell of Cairn. Each answer ends with the row of a statement of our own. */
class Cairn {
  constructor(program, directory) {
    const command = [resolve(program), '--create', '--format', 'jsonl', '--keep-going', directory];
    this.process = spawn('sh', ['-c', 'exec "$0" "$@" 2>&1', ...command]);
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  async ask(text) {
    this.process.stdin.write(`${text};\nRETURN 'end' AS answer;\n`);
    const rows = [];
    for (;;) {
      const { value: line, done } = await this.lines.next();
      if (done) throw new Error(`cairn ended at: ${text}`);
      if (line === '{"answer":"end"}') return rows.map((row) => Object.values(row));
      if (line.startsWith('error')) rows.error = line;
      if (line.startsWith('{')) rows.push(JSON.parse(line));
    }
  }

  end() {
    this.process.stdin.end();
  }
}

class Kuzu {
  constructor(module, directory) {
    const kuzu = createRequire(import.meta.url)(resolve(module));
    this.database = new kuzu.Database(directory);
    this.connection = new kuzu.Connection(this.database);
  }

  ask(text) {
    const result = this.connection.querySync(text);
    const columns = result.getColumnNamesSync();
    const rows = result.getAllSync().map((row) => columns.map((name) => row[name] ?? null));
    result.close();
    return rows;
  }
}

/** A text that is equal for equal values: lists come in any order, and sums of floats differ in their last digits. */
function shown(value) {
  if (Array.isArray(value)) return `[${value.map(shown).sort().join(',')}]`;
  if (typeof value === 'number' && !Number.isInteger(value)) return value.toPrecision(10);
  return JSON.stringify(typeof value === 'bigint' ? Number(value) : value);
}

/** Null is greatest in Cairn and least in Kuzu, so rows are compared without their order. */
const texts = (rows) => rows.map((row) => row.map(shown).join(' | ')).sort();

const random = new Random(Number(options.seed));
const reads = Number(options.reads);
const writes = Number(options.writes);
const statementsOfGraph = 50;
let asked = 0;
let refused = 0;
let failures = 0;

async function compare(cairn, kuzu, statement) {
  asked += 1;
  let expected;
  try {
    expected = texts(kuzu.ask(statement.kuzu));
  } catch (error) {
    refused += 1;
    if (process.env.SHOW_REFUSED) console.log(`${statement.kuzu}\n  ${error.message}`);
    if (statement.isWriting) throw error;
    return;
  }
  const answer = await cairn.ask(statement.cairn);
  const got = answer.error ? [answer.error] : texts(answer);
  if (got.join('\n') === expected.join('\n')) return;
  failures += 1;
  console.log(`${statement.cairn}\n  Kuzu:\n    ${expected.join('\n    ')}\n  Cairn:\n    ${got.join('\n    ')}`);
}

async function compareGraph(cairn, kuzu, count, share) {
  for (const text of ['MATCH (n) DETACH DELETE n', ...graph.make(random)]) {
    kuzu.ask(text);
    await cairn.ask(text);
  }
  for (let i = 0; i < count; i += 1) {
    const isWrite = random.below(1000) < share * 1000;
    await compare(cairn, kuzu, isWrite ? writeStatement(random) : readStatement(random));
    if (isWrite) for (const one of dump) await compare(cairn, kuzu, one);
  }
}

const directory = mkdtempSync(join(tmpdir(), 'cairn-kuzu-'));
const cairn = new Cairn(options.cairn, join(directory, 'cairn'));
const kuzu = new Kuzu(options.kuzu, join(directory, 'kuzu'));
for (const text of graph.schema) kuzu.ask(text);
const all = reads + writes;
for (let done = 0; done < all; done += statementsOfGraph)
  await compareGraph(cairn, kuzu, Math.min(statementsOfGraph, all - done), writes / all);
cairn.end();
rmSync(directory, { recursive: true });
console.log(`${asked} statements, ${refused} of them refused by Kuzu, ${failures} with other rows; seed ${options.seed}`);
process.exit(failures === 0 ? 0 : 1);
