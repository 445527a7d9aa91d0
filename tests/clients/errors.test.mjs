// Errors with their codes, and what each role may do.
import assert from 'node:assert/strict';
import { scenario, secretOf, unique } from './scenarios.mjs';

/** That a statement fails so. */
const fails = (bench, text, code, message, options, parameters = {}) =>
    assert.rejects(bench.session(options).run(text, parameters), (error) => {
      assert.equal(error.code, code);
      assert.match(error.message, message);
      return true;
    });

scenario('a mistake in the text', async (bench) => {
  await fails(bench, 'RETRUN 1', 'Neo.ClientError.Statement.SyntaxError', /line 1, column 1/);
});

scenario('a name that is nowhere', async (bench) => {
  await fails(bench, 'RETURN unknown', 'Neo.ClientError.Statement.SyntaxError', /unknown/);
});

scenario('a value of the wrong type', async (bench) => {
  await fails(bench, 'RETURN 1 + $x', 'Neo.ClientError.Statement.TypeError', /./, {}, { x: true });
});

scenario('a parameter that is missing', async (bench) => {
  await fails(bench, 'RETURN $missing', 'Neo.ClientError.Statement.ArgumentError', /missing/);
});

scenario('an index that is there already', async (bench) => {
  const name = unique('twice').toLowerCase();
  const text = `CREATE INDEX ${name} FOR (n:${unique('Twice')}) ON (n.p)`;
  const session = bench.session();
  await session.run(text);
  await fails(bench, text, 'Neo.ClientError.Schema.ConstraintValidationFailed', /twice/);
  await session.run(`DROP INDEX ${name}`);
});

scenario('a node that has relationships', async (bench) => {
  const label = unique('Held');
  const session = bench.session();
  await session.run(`CREATE (:${label})-[:R]->(:${label})`);
  await fails(bench, `MATCH (n:${label}) DELETE n`, 'Neo.ClientError.Schema.ConstraintValidationFailed', /./);
});

scenario('an error while rows come', async (bench) => {
  const session = bench.session({ fetchSize: 2 });
  const numbers = [];
  await assert.rejects(async () => {
    for await (const record of session.run('UNWIND [1, 2, 3, 4, 0] AS i RETURN 12 / i AS n')) numbers.push(record.get('n').toNumber());
  });
  assert.ok(numbers.length <= 4);
  assert.equal((await session.run('RETURN 1')).records.length, 1);
});

scenario('the status of GQL beside the code', async (bench) => {
  await assert.rejects(bench.session().run('RETRUN 1'), (error) => {
    assert.equal(error.gqlStatus, '42001');
    assert.equal(error.classification, 'CLIENT_ERROR');
    return true;
  });
});

scenario('a connection that goes on after errors', async (bench) => {
  const driver = bench.connect({ maxConnectionPoolSize: 1 });
  for (let i = 0; i < 20; ++i) {
    await assert.rejects(driver.executeQuery('RETRUN 1'));
    assert.equal((await driver.executeQuery('RETURN 1 AS n')).records[0].get('n').toNumber(), 1);
  }
});

scenario('who may read', async (bench) => {
  assert.equal(await bench.value('RETURN 1', {}, { role: 'read' }), 1);
  await fails(bench, 'CREATE (:Never)', 'Neo.ClientError.Security.Forbidden', /needs the role "write"/, { role: 'read' });
  const explained = await bench.session({ role: 'read' }).run('EXPLAIN CREATE (:Never)');
  assert.ok(explained.summary.plan);
});

scenario('who may write', async (bench) => {
  const label = unique('Written');
  await bench.value(`CREATE (:${label})`, {}, { role: 'write' });
  await fails(bench, `MATCH (n:${label}) DELETE n`, 'Neo.ClientError.Security.Forbidden', /needs the role "forget"/, { role: 'write' });
});

scenario('who may forget', async (bench) => {
  const label = unique('Forgotten');
  await bench.value(`CREATE (:${label})`, {}, { role: 'forget' });
  await bench.value(`MATCH (n:${label}) DELETE n`, {}, { role: 'forget' });
  await fails(bench, `CREATE INDEX FOR (n:${label}) ON (n.p)`, 'Neo.ClientError.Security.Forbidden', /needs the role "admin"/, { role: 'forget' });
});

scenario('who has a home has no other namespace', async (bench) => {
  const label = unique('AtHome');
  await bench.value(`CREATE (:${label})`, {}, { role: 'home' });
  assert.equal(await bench.value(`MATCH (n:${label}) RETURN count(*)`, {}, { database: 'home' }), 1);
  await fails(bench, 'RETURN 1', 'Neo.ClientError.Security.Forbidden', /"tea"/, { role: 'home', database: 'tea' });
});

scenario('files are nobody\'s who is elsewhere', async (bench) => {
  await assert.rejects(bench.session().run("LOAD CSV FROM 'file.csv' AS row RETURN row"));
  await assert.rejects(bench.session().run("BACKUP TO 'backup'"));
});

scenario('a secret is in no error', async (bench) => {
  const driver = bench.connect({ role: 'read' });
  await assert.rejects(driver.executeQuery('CREATE (:Never)'), (error) => {
    assert.ok(!JSON.stringify(error).includes(secretOf('read')));
    return true;
  });
});
