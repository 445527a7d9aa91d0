// Connecting, logging on and being refused.
import assert from 'node:assert/strict';
import { address, scenario, secretOf } from './scenarios.mjs';

scenario('verifies its connectivity', async (bench) => {
  const driver = bench.connect();
  await driver.verifyConnectivity();
  const info = await driver.getServerInfo();
  assert.equal(info.address, address);
  assert.match(info.agent, /^Neo4j\/5\.26\.0 \(Cairn \d+\.\d+\.\d+\)$/);
});

scenario('speaks the newest version of both', async (bench) => {
  const info = await bench.connect().getServerInfo();
  const version = Number(info.protocolVersion);
  assert.equal(Number.isNaN(version) ? info.protocolVersion.toString() : version.toFixed(1),
               bench.major === 6 ? '6.0' : '5.8');
});

scenario('logs on with a bearer token', async (bench) => {
  const auth = bench.neo4j.auth.bearer(secretOf('read'));
  assert.equal(await bench.value('RETURN 1', {}, { auth }), 1);
});

scenario('logs on with the token as a password', async (bench) => {
  const auth = bench.neo4j.auth.basic('anybody', secretOf('read'));
  assert.equal(await bench.value('RETURN 1', {}, { auth }), 1);
});

scenario('verifies its authentication', async (bench) => {
  assert.equal(await bench.connect().verifyAuthentication(), true);
});

scenario('is refused without a token', async (bench) => {
  const driver = bench.connect({ auth: bench.neo4j.auth.none ? bench.neo4j.auth.none() : {} });
  await assert.rejects(driver.verifyConnectivity(), { code: 'Neo.ClientError.Security.Unauthorized' });
});

scenario('is refused with an unknown scheme', async (bench) => {
  const driver = bench.connect({ auth: bench.neo4j.auth.kerberos('ticket') });
  await assert.rejects(driver.verifyConnectivity(), /the scheme "kerberos" is unknown/);
});

scenario('is refused with a wrong token', async (bench) => {
  const driver = bench.connect({ auth: bench.neo4j.auth.bearer('cairn_wrong') });
  await assert.rejects(driver.verifyConnectivity(), (error) => {
    assert.equal(error.code, 'Neo.ClientError.Security.Unauthorized');
    assert.match(error.message, /the token is unknown/);
    return true;
  });
});

scenario('logs on again within a connection', async (bench) => {
  const driver = bench.connect({ role: 'read', maxConnectionPoolSize: 1 });
  await driver.executeQuery('RETURN 1');
  const auth = bench.neo4j.auth.bearer(secretOf('write'));
  const session = driver.session({ auth });
  const { summary } = await session.run('CREATE (n:LoggedOnAgain)');
  assert.equal(summary.counters.updates().nodesCreated, 1);
  await session.close();
  await assert.rejects(driver.executeQuery('CREATE (n:LoggedOnAgain)'), /needs the role/);
});

scenario('finds its way by neo4j://', async (bench) => {
  const driver = bench.connect({ scheme: 'neo4j' });
  const { records } = await driver.executeQuery('RETURN 7 AS n', {}, { routing: 'READ' });
  assert.equal(records[0].get('n').toNumber(), 7);
  const written = await driver.executeQuery('CREATE (:Routed) RETURN 8 AS n');
  assert.equal(written.records[0].get('n').toNumber(), 8);
});

scenario('keeps ten sessions at once', async (bench) => {
  const driver = bench.connect();
  const values = await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        const session = driver.session();
        const { records } = await session.run('UNWIND range(1, 5000) AS x RETURN sum(x) + $i AS n', { i });
        await session.close();
        return Number(records[0].get('n'));
      }));
  assert.deepEqual(values, Array.from({ length: 10 }, (_, i) => 12502500 + i));
});

scenario('waits for its turn in a small pool', async (bench) => {
  const driver = bench.connect({ maxConnectionPoolSize: 2 });
  const results = await Promise.all(
      Array.from({ length: 20 }, () => driver.executeQuery('RETURN 1 AS n')));
  assert.equal(results.length, 20);
});
