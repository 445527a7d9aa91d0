// Results as they come, and what is told about them.
import assert from 'node:assert/strict';
import { scenario, unique } from './scenarios.mjs';

const manyRows = 'UNWIND range(1, 100000) AS i RETURN i';

scenario('reads 100,000 rows as they are made', async (bench) => {
  let count = 0;
  let sum = 0;
  for await (const record of bench.session().run(manyRows)) {
    ++count;
    sum += record.get('i').toNumber();
  }
  assert.deepEqual([count, sum], [100000, 5000050000]);
});

scenario('stops in the middle of a result', async (bench) => {
  const session = bench.session({ fetchSize: 50 });
  let count = 0;
  for await (const record of session.run('UNWIND range(1, 1000000000000) AS i RETURN i')) {
    if (record.get('i').toNumber() >= 120) break;
    ++count;
  }
  assert.equal(count, 119);
  const { records } = await session.run('RETURN 1 AS n');
  assert.equal(records[0].get('n').toNumber(), 1);
});

scenario('ends a running statement by closing its session', async (bench) => {
  const driver = bench.connect({ maxConnectionPoolSize: 1 });
  const session = driver.session();
  const running = session.run('UNWIND range(1, 1000000000000) AS i RETURN count(i)').catch((error) => error);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const begin = Date.now();
  await Promise.all([session.close(), running]);
  await driver.executeQuery('RETURN 1');
  assert.ok(Date.now() - begin < 5_000);
});

scenario('has the names of columns', async (bench) => {
  const { records } = await bench.session().run("RETURN 1 AS a, 'x' AS `two words`, 1 + 1");
  assert.deepEqual(records[0].keys.slice(0, 2), ['a', 'two words']);
  assert.equal(records[0].length, 3);
});

scenario('has no rows where there are none', async (bench) => {
  const result = await bench.session().run(`MATCH (n:${unique('Nothing')}) RETURN n`);
  assert.deepEqual(result.records, []);
});

scenario('counts what was changed', async (bench) => {
  const label = unique('Counted');
  const session = bench.session();
  const updates = async (text) => (await session.run(text)).summary.counters.updates();
  const made = await updates(`CREATE (a:${label} {n: 1})-[:R {w: 2}]->(b:${label})`);
  assert.deepEqual([made.nodesCreated, made.relationshipsCreated, made.propertiesSet, made.labelsAdded], [2, 1, 2, 2]);
  const erased = await updates(`MATCH (n:${label}) DETACH DELETE n`);
  assert.deepEqual([erased.nodesDeleted, erased.relationshipsDeleted], [2, 1]);
});

scenario('counts indexes', async (bench) => {
  const name = unique('index').toLowerCase();
  const session = bench.session();
  const { summary } = await session.run(`CREATE INDEX ${name} FOR (n:${unique('Indexed')}) ON (n.p)`);
  assert.equal(summary.counters.updates().indexesAdded, 1);
  assert.equal(summary.queryType, 's');
  await session.run(`DROP INDEX ${name}`);
});

scenario('knows what kind of statement it was', async (bench) => {
  const session = bench.session();
  const label = unique('Kind');
  const kindOf = async (text) => (await session.run(text)).summary.queryType;
  assert.equal(await kindOf('RETURN 1'), 'r');
  assert.equal(await kindOf(`CREATE (:${label})`), 'w');
  assert.equal(await kindOf(`CREATE (n:${label}) RETURN n`), 'rw');
  assert.equal(await kindOf('EXPLAIN RETURN 1'), 'r');
  assert.equal(await kindOf(`EXPLAIN CREATE (:${label})`), 'w');
  assert.equal(await kindOf(`EXPLAIN CREATE (n:${label}) RETURN n`), 'rw');
  assert.equal(await kindOf(`EXPLAIN CREATE INDEX FOR (n:${label}) ON (n.p)`), 's');
});

scenario('has the plan of EXPLAIN', async (bench) => {
  const { summary } = await bench.session().run('EXPLAIN MATCH (n:Person) WHERE n.age > 3 RETURN n');
  assert.ok(summary.plan);
  assert.equal(typeof summary.plan.operatorType, 'string');
  assert.ok(Array.isArray(summary.plan.children));
  assert.equal(summary.profile, false);
});

scenario('has the profile of PROFILE', async (bench) => {
  const { records, summary } = await bench.session().run('PROFILE UNWIND range(1, 10) AS i RETURN i');
  assert.equal(records.length, 10);
  assert.ok(summary.profile);
  assert.equal(summary.profile.rows, 10);
});

scenario('has remarks as notifications', async (bench) => {
  const label = unique('Unknown');
  const { summary } = await bench.session().run(`MATCH (n:${label}) RETURN n`);
  assert.equal(summary.notifications.length, 1);
  assert.match(summary.notifications[0].description, new RegExp(label));
  assert.equal(summary.notifications[0].severityLevel, 'WARNING');
});

scenario('has remarks as statuses of GQL', async (bench) => {
  const { summary } = await bench.session().run(`MATCH (n:${unique('Unknown')}) RETURN n`);
  const codes = summary.gqlStatusObjects.map((status) => status.gqlStatus);
  assert.deepEqual(codes, ['02000', '01000']);
});

scenario('has no remarks where none are wanted', async (bench) => {
  const session = bench.session({ notificationFilter: { minimumSeverityLevel: 'OFF' } });
  const { summary } = await session.run(`MATCH (n:${unique('Unknown')}) RETURN n`);
  assert.deepEqual(summary.notifications, []);
});

scenario('tells database, server and times', async (bench) => {
  const { summary } = await bench.session({ database: 'tea' }).run('RETURN 1');
  assert.equal(summary.database.name, 'tea');
  assert.match(summary.server.agent, /Cairn/);
  assert.ok(summary.resultConsumedAfter.toNumber() >= 0);
  assert.ok(summary.resultAvailableAfter.toNumber() >= 0);
});

scenario('runs a query in one call', async (bench) => {
  const { records, keys, summary } = await bench.connect().executeQuery(
      'UNWIND $list AS x RETURN x * 2 AS y', { list: [1, 2, 3] }, { routing: 'READ' });
  assert.deepEqual(records.map((record) => Number(record.get('y'))), [2, 4, 6]);
  assert.deepEqual(keys, ['y']);
  assert.equal(summary.query.text, 'UNWIND $list AS x RETURN x * 2 AS y');
});

scenario('consumes a result without its rows', async (bench) => {
  const session = bench.session({ fetchSize: 10 });
  const summary = await session.run(manyRows).summary();
  assert.equal(summary.queryType, 'r');
});

scenario('gives rows as reactive streams', async (bench) => {
  const session = bench.connect().rxSession();
  const rows = [];
  await new Promise((resolve, reject) => {
    session.run('UNWIND range(1, 5) AS i RETURN i').records().subscribe({
      next: (record) => rows.push(record.get('i').toNumber()),
      complete: resolve,
      error: reject,
    });
  });
  assert.deepEqual(rows, [1, 2, 3, 4, 5]);
});
