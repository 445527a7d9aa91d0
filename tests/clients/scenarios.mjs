// What the scenarios of all files share: the drivers, the server that run.sh started, and who may log on to it.
import neo4j6 from 'neo4j-driver';
import neo4j5 from 'neo4j-driver-5';
import { test } from 'node:test';

export const address = process.env.CAIRN_ADDRESS;

/** The secret of the token of a role: read, write, forget or admin; or of "home", which has a namespace alone. */
export const secretOf = (role) => process.env[`CAIRN_TOKEN_${role.toUpperCase()}`];

/** Anything that no other scenario has. */
let last = 0;
export const unique = (name) => `${name}_${process.pid}_${++last}`;

/** A scenario's view of one driver. */
class Bench {
  constructor(neo4j, major) {
    this.neo4j = neo4j;
    this.major = major;
    this.opened = [];
  }

  /** A driver object of a role, closed behind the scenario. */
  connect({ role = 'admin', scheme = 'bolt', auth, ...config } = {}) {
    const token = auth ?? this.neo4j.auth.bearer(secretOf(role));
    const driver = this.neo4j.driver(`${scheme}://${address}`, token, config);
    this.opened.push(driver);
    return driver;
  }

  /** A session of a driver of its own. */
  session({ database, mode, bookmarks, ...options } = {}) {
    const defaultAccessMode = mode === 'read' ? this.neo4j.session.READ : this.neo4j.session.WRITE;
    return this.connect(options).session({ database, bookmarks, defaultAccessMode });
  }

  /** The first value of the first row, integers as numbers. */
  async value(text, parameters, options) {
    const session = this.session({ disableLosslessIntegers: true, ...options });
    const { records } = await session.run(text, parameters);
    return records[0]?.get(0);
  }

  async close() {
    await Promise.all(this.opened.map((driver) => driver.close()));
  }
}

/** One scenario, with each driver; `majors` says with which, where not with both. */
export function scenario(name, run, majors = [6, 5]) {
  for (const [major, neo4j] of [[6, neo4j6], [5, neo4j5]]) {
    if (!majors.includes(major)) continue;
    test(`driver ${major}: ${name}`, { timeout: 60_000 }, async () => {
      const bench = new Bench(neo4j, major);
      try {
        await run(bench);
      } finally {
        await bench.close();
      }
    });
  }
}
