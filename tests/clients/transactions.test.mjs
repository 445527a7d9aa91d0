// Transactions, explicit and managed, namespaces and bookmarks.
import assert from 'node:assert/strict';
import { scenario, unique } from './scenarios.mjs';

const countOf = (bench, label, options) => bench.value(`MATCH (n:${label}) RETURN count(*)`, {}, options);

scenario('commits a transaction of several statements', async (bench) => {
  const label = unique('Committed');
  const transaction = await bench.session().beginTransaction();
  await transaction.run(`CREATE (:${label} {n: 1})`);
  await transaction.run(`CREATE (:${label} {n: 2})`);
  const { records } = await transaction.run(`MATCH (n:${label}) RETURN count(*) AS n`);
  assert.equal(records[0].get('n').toNumber(), 2);
  assert.equal(await countOf(bench, label), 0);
  await transaction.commit();
  assert.equal(await countOf(bench, label), 2);
});

scenario('rolls a transaction back', async (bench) => {
  const label = unique('RolledBack');
  const transaction = await bench.session().beginTransaction();
  await transaction.run(`CREATE (:${label})`);
  await transaction.rollback();
  assert.equal(await countOf(bench, label), 0);
});

scenario('rolls back what is left open', async (bench) => {
  const label = unique('LeftOpen');
  const session = bench.session();
  const transaction = await session.beginTransaction();
  await transaction.run(`CREATE (:${label})`);
  await session.close();
  assert.equal(await countOf(bench, label), 0);
});

scenario('has several results open in a transaction', async (bench) => {
  const transaction = await bench.session({ fetchSize: 2 }).beginTransaction();
  const first = transaction.run('UNWIND range(1, 7) AS i RETURN i');
  const second = transaction.run('UNWIND range(11, 17) AS i RETURN i');
  const sum = ({ records }) => records.reduce((total, row) => total + row.get('i').toNumber(), 0);
  assert.equal(sum(await second), 98);
  assert.equal(sum(await first), 28);
  await transaction.commit();
});

scenario('ends a transaction with an error in it', async (bench) => {
  const label = unique('Failed');
  const transaction = await bench.session().beginTransaction();
  await transaction.run(`CREATE (:${label})`);
  await assert.rejects(transaction.run('RETURN 1 +'));
  await assert.rejects(transaction.commit());
  assert.equal(await countOf(bench, label), 0);
});

scenario('writes in a managed transaction', async (bench) => {
  const label = unique('Managed');
  const session = bench.session();
  const made = await session.executeWrite(async (transaction) => {
    const { records } = await transaction.run(`CREATE (n:${label} {n: 5}) RETURN n.n AS n`);
    return records[0].get('n').toNumber();
  });
  assert.equal(made, 5);
  assert.equal(await countOf(bench, label), 1);
});

scenario('reads in a managed transaction', async (bench) => {
  const session = bench.session();
  const n = await session.executeRead(async (transaction) => {
    const first = await transaction.run('RETURN 1 AS n');
    const second = await transaction.run('RETURN 2 AS n');
    return first.records[0].get('n').toNumber() + second.records[0].get('n').toNumber();
  });
  assert.equal(n, 3);
});

scenario('refuses to write in a transaction that reads', async (bench) => {
  const session = bench.session();
  await assert.rejects(session.executeRead((transaction) => transaction.run('CREATE (:Never)')),
                       { code: 'Neo.ClientError.Statement.AccessMode' });
});

scenario('reads as of its begin', async (bench) => {
  const label = unique('Snapshot');
  const reader = await bench.session({ mode: 'read' }).beginTransaction();
  await reader.run('RETURN 1');
  await bench.value(`CREATE (:${label})`);
  const { records } = await reader.run(`MATCH (n:${label}) RETURN count(*) AS n`);
  assert.equal(records[0].get('n').toNumber(), 0);
  await reader.commit();
});

scenario('tries a managed transaction again while another one writes', async (bench) => {
  const label = unique('Retried');
  const blocker = await bench.session().beginTransaction();
  await blocker.run(`CREATE (:${label})`);
  setTimeout(() => blocker.commit(), 6_000);  // longer than a writer waits for its turn
  const begin = Date.now();
  await bench.session().executeWrite((transaction) => transaction.run(`CREATE (:${label})`));
  assert.ok(Date.now() - begin > 5_000);
  assert.equal(await countOf(bench, label), 2);
});

scenario('loses no update of transactions that read before they write', async (bench) => {
  const label = unique('Counted');
  await bench.value(`CREATE (:${label} {n: 0})`);
  const driver = bench.connect();
  await Promise.all(Array.from({ length: 10 }, async () => {
    const session = driver.session();
    await session.executeWrite(async (transaction) => {
      const { records } = await transaction.run(`MATCH (c:${label}) RETURN c.n AS n`);
      await transaction.run(`MATCH (c:${label}) SET c.n = $n`, { n: records[0].get('n').add(1) });
    });
    await session.close();
  }));
  assert.equal(await bench.value(`MATCH (c:${label}) RETURN c.n AS n`), 10);
});

scenario('reads while another one writes, also without saying that it reads', async (bench) => {
  const blocker = await bench.session().beginTransaction();
  await blocker.run('CREATE (:Never)');
  const begin = Date.now();
  await bench.connect().executeQuery('MATCH (n:Never) RETURN n');
  assert.ok(Date.now() - begin < 2_000);
  await blocker.rollback();
});

scenario('ends a transaction at its time', async (bench) => {
  const late = await bench.session().beginTransaction({ timeout: 200 });
  await late.run('CREATE (:Never)');
  await new Promise((resolve) => setTimeout(resolve, 300));
  await assert.rejects(late.commit(), /exceeded its timeout/);
});

scenario('says that a busy writer is a matter of time', async (bench) => {
  const blocker = await bench.session().beginTransaction();
  await blocker.run('CREATE (:Never)');
  await assert.rejects(bench.session().run('CREATE (:Never)'), (error) => {
    assert.match(error.code, /^Neo\.TransientError\./);
    assert.equal((bench.neo4j.isRetryableError ?? bench.neo4j.isRetriableError)(error), true);
    return true;
  });
  await blocker.rollback();
});

scenario('runs no managed transaction again for a lasting error', async (bench) => {
  let attempts = 0;
  await assert.rejects(bench.session().executeWrite((transaction) => {
    ++attempts;
    return transaction.run('NONSENSE');
  }));
  assert.equal(attempts, 1);
});

scenario('writes from many sessions at once', async (bench) => {
  const label = unique('Counter');
  const driver = bench.connect();
  await driver.executeQuery(`CREATE (:${label} {n: 0})`);
  await Promise.all(Array.from({ length: 8 }, async () => {
    const session = driver.session();
    for (let i = 0; i < 5; ++i)
      await session.executeWrite((transaction) => transaction.run(`MATCH (c:${label}) SET c.n = c.n + 1`));
    await session.close();
  }));
  assert.equal(await bench.value(`MATCH (c:${label}) RETURN c.n`), 40);
});

scenario('goes on after a batch that failed, and reports each', async (bench) => {
  const label = unique('Batched');
  const session = bench.session({ disableLosslessIntegers: true });
  const { records, summary } = await session.run(
    `UNWIND [1, 0, 2] AS i CALL (i) { CREATE (:${label} {x: 10 / i}) RETURN 10 / i AS x } IN TRANSACTIONS OF 1 ROW ` +
    'ON ERROR CONTINUE REPORT STATUS AS s RETURN x, s');
  assert.deepEqual(records.map((row) => row.get('x')), [10, null, 5]);
  assert.deepEqual(records.map((row) => row.get('s').committed), [true, false, true]);
  assert.match(records[1].get('s').errorMessage, /zero/);
  assert.equal(summary.counters.updates().nodesCreated, 2);
  assert.equal(await countOf(bench, label), 2);
});

scenario('hands on bookmarks', async (bench) => {
  const label = unique('Bookmarked');
  const writer = bench.session();
  await writer.run(`CREATE (:${label})`);
  const bookmarks = writer.lastBookmarks();
  assert.match(bookmarks[0], /^cairn:\d+$/);
  assert.equal(await countOf(bench, label, { bookmarks }), 1);
});

scenario('refuses the bookmark of another server', async (bench) => {
  const session = bench.session({ bookmarks: ['neo4j:bookmark:v1:tx42'] });
  await assert.rejects(session.run('RETURN 1'), { code: 'Neo.ClientError.Transaction.InvalidBookmark' });
});

scenario('has a namespace for each database', async (bench) => {
  const label = unique('Spaced');
  for (const [database, n] of [['tea', 1], ['coffee', 2]])
    await bench.value(`CREATE (:${label} {n: $n})`, { n }, { database });
  assert.equal(await bench.value(`MATCH (n:${label}) RETURN n.n`, {}, { database: 'tea' }), 1);
  assert.equal(await bench.value(`MATCH (n:${label}) RETURN n.n`, {}, { database: 'coffee' }), 2);
});

scenario('has the default namespace as neo4j', async (bench) => {
  const label = unique('Home');
  await bench.value(`CREATE (:${label})`);
  assert.equal(await countOf(bench, label, { database: 'neo4j' }), 1);
  assert.equal(await countOf(bench, label, { database: 'tea' }), 0);
});

scenario('ends a statement at the time limit of its transaction', async (bench) => {
  const text = 'UNWIND range(1, 1000000000000) AS i RETURN count(i)';
  await assert.rejects(bench.session().run(text, {}, { timeout: 200 }),
                       { code: /Neo\.ClientError\.Transaction\.TransactionTimedOut/ });
});
