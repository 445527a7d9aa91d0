// 24 processes write, search and hold transactions in one database: two servers with four drivers, two shells, two agents
// (cairn mcp) and 18 C++ programs. One of them is the host, and the others are attached to it. The servers and the agents are
// killed in turn, and the programs at named points of what a host does (tests/support/death_points.hpp). CAIRN_MODEL_LONG
// makes it 200 kills.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import neo4j6 from 'neo4j-driver';
import neo4j5 from 'neo4j-driver-5';
import { AgentClient } from './storm_agents.mjs';
import { Client, DriverClient, ShellClient } from './storm_clients.mjs';
import { checkDatabase, freePort, missing, Program, Server } from './storm_processes.mjs';

const cairn = process.env.CAIRN_PROGRAM;
const isLong = process.env.CAIRN_MODEL_LONG !== undefined;
const kills = isLong ? 200 : 20;
const programs = missing ? 0 : 18;

const indexes = [
  'CREATE VECTOR INDEX storm FOR (n:W) ON (n.v) OPTIONS ' +
    '{indexConfig: {`vector.dimensions`: 3, `vector.similarity_function`: \'euclidean\'}}',
  'CREATE FULLTEXT INDEX words FOR (n:W) ON EACH [n.word]',
  'CREATE INDEX FOR (n:W) ON (n.client, n.number)',
];

test('storm: no write is lost or made twice while processes are killed', { timeout: isLong ? 3_000_000 : 180_000 }, async (t) => {
  assert.ok(!missing || !isLong, missing);
  if (missing) t.diagnostic(`NO C++ PROGRAM TAKES PART: ${missing}`);
  const begin = Date.now();
  const directory = mkdtempSync(join(tmpdir(), 'cairn-storm-'));
  const servers = [];
  const started = [];
  const drivers = [];
  const agents = [];
  let isDone = false;
  t.after(async () => {
    isDone = true;
    DriverClient.isEnded = true;
    await Promise.all(drivers.map(({ driver }) => driver.close()));
    await Promise.all([...started, ...agents].map((one) => one.end()));
    await Promise.all(servers.map((server) => server.kill()));
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  });
  const database = join(directory, 'db');
  execFileSync(cairn, [database, '--create', '-c', 'RETURN 1']);
  for (const index of indexes) execFileSync(cairn, [database, '-c', index]);
  const token = execFileSync(cairn, ['token', 'create', database, 'storm', '--role', 'admin', '--namespace', '*'],
    { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }).trim();
  servers.push(new Server(database, await freePort()), new Server(database, await freePort()));
  for (const server of servers) await server.start();
  drivers.push(...servers.flatMap((server, place) => [
    new DriverClient(`driver6at${place}`, 2 * place, neo4j6, server, token),
    new DriverClient(`driver5at${place}`, 2 * place + 1, neo4j5, server, token),
  ]));
  drivers.forEach((driver, place) => { driver.other = drivers[(place + 2) % drivers.length]; });
  agents.push(new AgentClient('agent0', database), new AgentClient('agent1', database));
  const shells = [new ShellClient('shell0', 4, database), new ShellClient('shell1', 5, database)];
  const runs = Promise.all([...drivers, ...shells, ...agents].map((client) => client.run(() => isDone)));
  runs.catch(() => { isDone = true; });
  started.push(...Array.from({ length: programs }, () => new Program(database)));
  started.forEach((one) => one.start());
  const killed = () => servers[0].kills + servers[1].kills + Program.killed();
  for (let i = 0; killed() < kills && !isDone; ++i) {
    await sleep(400 + 50 * (i % 5));
    const unlucky = started[i % (programs + 1)];
    if (unlucky?.point === 0) unlucky.process.kill('SIGKILL');
    if (i % 4 === 3) agents[(i >> 2) % 2].kill();
    const server = servers[i % 2];
    await server.kill();
    await server.start();
    await checkDatabase(database);
  }
  const deaths = killed();
  const ended = [...Program.deaths].map(([point, count]) => `${count} ${point || 'by chance'}`).join(', ');
  await sleep(1_000);
  isDone = true;
  await runs;
  let twice = 0;
  for (const client of [...drivers, ...shells]) twice += await client.check(drivers[0].driver);
  for (const one of [...started, ...agents]) await one.end();
  for (const one of [...started, ...agents]) await one.check(drivers[0].driver);
  await Promise.all(drivers.map(({ driver }) => driver.close()));
  for (const server of servers) await server.end();
  execFileSync(cairn, ['check', database]);
  const all = [...drivers, ...shells, ...agents, ...started].reduce((sum, client) => sum + client.acknowledged, 0);
  t.diagnostic(`${programs + 6} processes, ${deaths} kills, ${all} acknowledged writes, ` +
    `${twice} of drivers made twice, ${Client.conflicts} conflicts of drivers, shells and agents, ` +
    `${Client.slowOpenings} openings too slow, ${Math.round((Date.now() - begin) / 1000)} s`);
  t.diagnostic(`${DriverClient.bookmarksRead} reads with a bookmark at the other server, ` +
    `${agents.reduce((sum, { acknowledged }) => sum + acknowledged, 0)} memories stored, ` +
    `${agents.reduce((sum, { kills: count }) => sum + count, 0)} kills of agents`);
  t.diagnostic(`${servers[0].kills + servers[1].kills} kills of servers, of programs: ${ended || 'none'}`);
});
