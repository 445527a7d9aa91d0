// Small tokenizers, whose vocabularies are made of texts.

function countParts(pieces, longest) {
  const counts = new Map();
  for (const piece of pieces) {
    const points = Array.from(piece);
    for (let begin = 0; begin < points.length; ++begin)
      for (let end = begin + 1; end <= Math.min(points.length, begin + longest); ++end) {
        const part = points.slice(begin, end).join('');
        counts.set(part, (counts.get(part) ?? 0) + 1);
      }
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

const special = (content, id, more) =>
  ({ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true, ...more });

const file = (parts) => ({
  version: '1.0', truncation: null, padding: null, added_tokens: [], normalizer: null, pre_tokenizer: null,
  post_processor: null, decoder: null, ...parts,
});

/** WordPiece with the frequent parts of words, at the beginning and within words. */
export function wordPiece(texts, normalizer, parts = {}) {
  const pieces = texts.flatMap((text) => text.normalize('NFD').toLowerCase().split(/[\s\p{P}]+/u))
    .concat(texts.flatMap((text) => text.split(/\s+/)));
  const tokens = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
  for (const [part] of countParts(pieces, 6).slice(0, 6_000)) tokens.push(part, `##${part}`);
  return file({
    normalizer,
    pre_tokenizer: { type: 'BertPreTokenizer' },
    added_tokens: tokens.slice(0, 5).map((token, id) => special(token, id, { lstrip: token === '[MASK]' })),
    post_processor: {
      type: 'TemplateProcessing',
      single: [{ SpecialToken: { id: '[CLS]', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } }],
      pair: [],
      special_tokens: Object.fromEntries([['[CLS]', 2], ['[SEP]', 3]].map(([id, number]) =>
        [id, { id, ids: [number], tokens: [id] }])),
    },
    model: {
      type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100,
      vocab: Object.fromEntries([...new Set(tokens)].map((token, id) => [token, id])),
    },
    ...parts,
  });
}

/** Unigram with the frequent parts of words behind the mark of a blank. */
export function unigram(texts, parts = {}) {
  const pieces = texts.flatMap((text) => text.normalize('NFKC').split(/\s+/).map((word) => `\u2581${word}`));
  const vocab = [['<s>', 0], ['<pad>', 0], ['</s>', 0], ['<unk>', 0], ['\u2581', -3.5]];
  for (const [part, count] of countParts(pieces, 8).slice(0, 8_000))
    if (part !== '\u2581' && !part.slice(1).includes('\u2581'))
      vocab.push([part, Math.log(count / 10_000) - 1 / (1 + vocab.length)]);
  return file({
    pre_tokenizer: { type: 'Metaspace', replacement: '\u2581', add_prefix_space: true, prepend_scheme: 'always', split: false },
    added_tokens: [special('<s>', 0), special('<pad>', 1), special('</s>', 2), special('<unk>', 3),
      special('<mask>', vocab.length, { lstrip: true })],
    post_processor: { type: 'RobertaProcessing', sep: ['</s>', 2], cls: ['<s>', 0], trim_offsets: true, add_prefix_space: true },
    model: { type: 'Unigram', unk_id: 3, vocab },
    ...parts,
  });
}

/** Merges of the most frequent pairs in pieces, which are lists of characters. */
function trainMerges(pieces, count) {
  const merges = [];
  const lists = [...new Set(pieces)].map((piece) => Array.from(piece));
  for (let round = 0; round < count; ++round) {
    const counts = new Map();
    for (const list of lists)
      for (let i = 0; i + 1 < list.length; ++i) {
        const pair = `${list[i]} ${list[i + 1]}`;
        counts.set(pair, (counts.get(pair) ?? 0) + 1);
      }
    let best = null;
    for (const [pair, number] of counts) if (best === null || number > counts.get(best)) best = pair;
    if (best === null) break;
    merges.push(best);
    const [left, right] = best.split(' ');
    for (const list of lists)
      for (let i = 0; i + 1 < list.length; ++i)
        if (list[i] === left && list[i + 1] === right) list.splice(i, 2, left + right);
  }
  return merges;
}

function bytesAsCharacters(text) {
  let next = 0x100;
  const table = Array.from({ length: 256 }, (_, byte) =>
    String.fromCharCode((byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174 ? byte : next++));
  return { table, text: Array.from(Buffer.from(text), (byte) => table[byte]).join('') };
}

/** Byte-level BPE, as RoBERTa has it. */
export function byteLevel(texts, parts = {}) {
  const pieces = texts.slice(0, 400).flatMap((text) => text.match(/ ?\S+/g) ?? []).map((piece) => bytesAsCharacters(piece).text);
  const merges = trainMerges(pieces, 500);
  const tokens = ['<s>', '<pad>', '</s>', '<unk>', '<mask>', ...bytesAsCharacters('').table,
    ...merges.map((merge) => merge.replace(' ', ''))];
  return file({
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    added_tokens: [special('<s>', 0), special('<mask>', 4, { lstrip: true }), special('</s>', 2)],
    post_processor: { type: 'RobertaProcessing', sep: ['</s>', 2], cls: ['<s>', 0], trim_offsets: true, add_prefix_space: true },
    model: {
      type: 'BPE', dropout: null, unk_token: null, continuing_subword_prefix: '', end_of_word_suffix: '', fuse_unk: false,
      byte_fallback: false, vocab: Object.fromEntries([...new Set(tokens)].map((token, id) => [token, id])), merges,
    },
    ...parts,
  });
}

/** BPE of characters, with tokens for the bytes of others. */
export function bytePairs(texts, parts = {}) {
  const pieces = texts.slice(0, 400).flatMap((text) => text.split(/\s+/)).map((word) => `\u2581${word}`);
  const merges = trainMerges(pieces, 500);
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
  const characters = merges.flatMap((merge) => merge.split(' ')).filter((part) => Array.from(part).length === 1);
  const tokens = ['<unk>', '<s>', ...bytes, ...characters, ...merges.map((merge) => merge.replace(' ', ''))];
  return file({
    normalizer: { type: 'Sequence', normalizers: [{ type: 'Prepend', prepend: '\u2581' },
      { type: 'Replace', pattern: { String: ' ' }, content: '\u2581' }] },
    added_tokens: [special('<unk>', 0), special('<s>', 1)],
    model: {
      type: 'BPE', dropout: null, unk_token: '<unk>', continuing_subword_prefix: null, end_of_word_suffix: null, fuse_unk: true,
      byte_fallback: true, vocab: Object.fromEntries([...new Set(tokens)].map((token, id) => [token, id])), merges,
    },
    ...parts,
  });
}
