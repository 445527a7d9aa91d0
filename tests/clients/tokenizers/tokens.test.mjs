// Our tokens of 20,000 texts are those of the package, for each kind of tokenizer.
import { Tokenizer } from '@huggingface/tokenizers';
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeCharsmap } from './charsmap.mjs';
import { bytePairs, byteLevel, unigram, wordPiece } from './models.mjs';
import { makeTexts } from './texts.mjs';

const texts = makeTexts(20_000, 1);
const trained = makeTexts(3_000, 2);

/** Our numbers of tokens, a list for each text. */
function ours(name, tokenizer, given) {
  const path = join(process.env.CAIRN_WORK, `${name}.json`);
  writeFileSync(path, JSON.stringify(tokenizer));
  const input = given.map((text) => `${JSON.stringify(text)}\n`).join('');
  const run = spawnSync(process.env.CAIRN_PROGRAM, [path], { input, encoding: 'utf8', maxBuffer: 2 ** 30 });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
}

function compare(name, make, { given = texts } = {}) {
  test(name, { timeout: 300_000 }, () => {
    const tokenizer = make();
    const package_ = new Tokenizer(tokenizer, {});
    const found = ours(name.replaceAll(/\W+/g, '-'), tokenizer, given);
    assert.equal(found.length, given.length);
    for (const [i, text] of given.entries()) assert.deepEqual(found[i], package_.encode(text).ids, JSON.stringify(text));
  });
}

const bert = { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true };
compare('WordPiece in lower case', () => wordPiece(trained, bert));
compare('WordPiece as written', () => wordPiece(trained, { ...bert, lowercase: false }));
compare('WordPiece of a sequence of normalizers', () => wordPiece(trained, {
  type: 'Sequence',
  normalizers: [{ type: 'NFKD' }, { type: 'StripAccents' }, { type: 'Lowercase' }, { type: 'NFC' },
    { type: 'Replace', pattern: { Regex: '\\p{Nd}{2,}' }, content: '0' }, { type: 'Strip', strip_left: true, strip_right: true }],
}, { pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }] } }));

// The package never splits at marks, and then sums decide between orders of equal tokens.
compare('Unigram', () => unigram(trained));
compare('Unigram with NFKC', () => unigram(trained, {
  normalizer: { type: 'Sequence', normalizers: [{ type: 'NFKC' }, { type: 'Replace', pattern: { Regex: ' {2,}' }, content: ' ' }] },
}));

// The package has no map and normalises by NFKC, which is the same for characters that it does not join.
const plain = texts.map((text) => text.replaceAll(/[\p{M}\p{Cf}\u0e33\u1100-\u11ff\u3131-\u318e\uff9e-\uffdc\r\0]/gu, ''));
compare('Unigram with a map of characters', () => unigram(trained, {
  normalizer: { type: 'Precompiled', precompiled_charsmap: makeCharsmap(new Set(plain.join(''))) },
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [{ type: 'WhitespaceSplit' }, { type: 'Metaspace', replacement: '\u2581', add_prefix_space: true }],
  },
}), { given: plain });

compare('byte-level BPE', () => byteLevel(trained));
compare('byte-level BPE behind an expression', () => byteLevel(trained, {
  normalizer: { type: 'NFC' },
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [
      {
        type: 'Split', behavior: 'Isolated', invert: false,
        pattern: { Regex: "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+" },
      },
      { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false },
    ],
  },
}));
compare('BPE with tokens of bytes', () => bytePairs(trained));
