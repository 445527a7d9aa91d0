// What the tests of replaced servers share: random numbers that are the same in each run, and clients.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

// Of a seed, from 0 to 1 (mulberry32).
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function choices(seed) {
  const random = randomNumbers(seed);
  const below = (count) => Math.floor(random() * count);
  const one = (list) => list[below(list.length)];
  const some = (make, most) => Array.from({ length: below(most + 1) }, make);
  return { random, below, one, some };
}

export async function connect(t, command, args, env = {}) {
  const client = new Client({ name: 'compat', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, env: { ...process.env, ...env }, stderr: 'ignore' }));
  t.after(() => client.close());
  return client;
}

export const cairn = (t, database, ...args) =>
  connect(t, process.env.CAIRN_PROGRAM, ['mcp', `${process.env.CAIRN_DATABASES}/${database}`, ...args]);
