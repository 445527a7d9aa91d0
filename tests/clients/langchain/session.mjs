// What both files share: where the server is, a namespace for each scenario, and embeddings that are the same in each run.
import { Embeddings } from '@langchain/core/embeddings';
import neo4j from 'neo4j-driver';

/** How often each letter occurs: texts of the same letters are near each other. */
export class LetterEmbeddings extends Embeddings {
  constructor() {
    super({});
  }

  of(text) {
    const counts = Array(26).fill(0);
    for (const [letter] of text.toLowerCase().matchAll(/[a-z]/g)) ++counts[letter.charCodeAt(0) - 97];
    return counts;
  }

  async embedQuery(text) {
    return this.of(text);
  }

  async embedDocuments(texts) {
    return texts.map((text) => this.of(text));
  }
}

/** The score that Neo4j gives to a cosine: from 0 to 1. */
export function scoreOf(one, other) {
  const product = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  return (1 + product(one, other) / Math.sqrt(product(one, one) * product(other, other))) / 2;
}

let last = 0;
export const unique = (name) => `${name}${process.pid}x${++last}`;

/** Logs on to a namespace that no other scenario has. */
export const account = (database = unique('lc')) =>
  ({ url: `bolt://${process.env.CAIRN_ADDRESS}`, username: 'langchain', password: process.env.CAIRN_TOKEN, database });

/** The classes print some errors and go on: counts them. */
export function printedErrors(t) {
  const { mock } = t.mock.method(console, 'error', () => {});
  return () => mock.callCount();
}

/** Closes what a scenario opens: the classes leave their driver open where their making fails. */
export function closeBehind(t) {
  const { mock } = t.mock.method(neo4j, 'driver');
  t.after(() => Promise.all(mock.calls.map(({ result }) => result.close())));
}
