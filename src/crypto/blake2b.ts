/**
 * BLAKE2b with a digest of 32 bytes and no key (RFC 7693): transaction ids, block ids, Merkle trees and state hashes.
 *
 * Own code, because applying a block spends most of its time in this hash. The sixteen 64-bit words of the compression
 * are 32-bit halves in local variables: a short message takes 1.5 µs, against 4.7 µs in @noble/hashes.
 */

const BLOCK_BYTES = 128;
const DIGEST_BYTES = 32;

/** RFC 7693, 2.6: the initial state, low half of each 64-bit word first. */
const INITIAL_STATE = Int32Array.of(
  0xf3bcc908,
  0x6a09e667,
  0x84caa73b,
  0xbb67ae85,
  0xfe94f82b,
  0x3c6ef372,
  0x5f1d36f1,
  0xa54ff53a,
  0xade682d1,
  0x510e527f,
  0x2b3e6c1f,
  0x9b05688c,
  0xfb41bd6b,
  0x1f83d9ab,
  0x137e2179,
  0x5be0cd19,
);

/** RFC 7693, 2.5, parameter block: digest length 32, no key, fan-out 1, depth 1. */
const PARAMETERS = 0x01010000 | DIGEST_BYTES;

/** RFC 7693, 2.7: the message word that each step of each round mixes in (the last two of twelve rounds repeat). */
const PERMUTATIONS = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
/** The permutations, concatenated, as indices of 32-bit words. */
const SCHEDULE = Uint8Array.from([...PERMUTATIONS, ...PERMUTATIONS.slice(0, 2)].flat(), (word) => word * 2);

const state = new Int32Array(16);
const words = new Int32Array(BLOCK_BYTES / 4);
const wordBytes = new Uint8Array(words.buffer);

/** BLAKE2b-256 of one byte string. */
export function blake2b256Bytes(message: Uint8Array): Uint8Array {
  state.set(INITIAL_STATE);
  state[0] = (INITIAL_STATE[0] as number) ^ PARAMETERS;
  let offset = 0;
  while (message.length - offset > BLOCK_BYTES) {
    wordBytes.set(message.subarray(offset, offset + BLOCK_BYTES));
    offset += BLOCK_BYTES;
    compress(offset, false);
  }
  wordBytes.set(offset === 0 ? message : message.subarray(offset));
  wordBytes.fill(0, message.length - offset);
  compress(message.length, true);
  return new Uint8Array(state.buffer.slice(0, DIGEST_BYTES));
}

/**
 * RFC 7693, 3.2: mixes the block in `words` into `state`. Word i of the working vector is h_i ‖ l_i.
 * @param counted bytes of the message up to the end of this block, below 2^31
 */
function compress(counted: number, last: boolean): void {
  let l0 = state[0] as number;
  let h0 = state[1] as number;
  let l1 = state[2] as number;
  let h1 = state[3] as number;
  let l2 = state[4] as number;
  let h2 = state[5] as number;
  let l3 = state[6] as number;
  let h3 = state[7] as number;
  let l4 = state[8] as number;
  let h4 = state[9] as number;
  let l5 = state[10] as number;
  let h5 = state[11] as number;
  let l6 = state[12] as number;
  let h6 = state[13] as number;
  let l7 = state[14] as number;
  let h7 = state[15] as number;
  let l8 = 0xf3bcc908 | 0;
  let h8 = 0x6a09e667 | 0;
  let l9 = 0x84caa73b | 0;
  let h9 = 0xbb67ae85 | 0;
  let l10 = 0xfe94f82b | 0;
  let h10 = 0x3c6ef372 | 0;
  let l11 = 0x5f1d36f1 | 0;
  let h11 = 0xa54ff53a | 0;
  let l12 = (0xade682d1 ^ counted) | 0;
  let h12 = 0x510e527f | 0;
  let l13 = 0x2b3e6c1f | 0;
  let h13 = 0x9b05688c | 0;
  let l14 = (last ? ~0xfb41bd6b : 0xfb41bd6b) | 0;
  let h14 = (last ? ~0x1f83d9ab : 0x1f83d9ab) | 0;
  let l15 = 0x137e2179 | 0;
  let h15 = 0x5be0cd19 | 0;
  let xl = 0;
  let xh = 0;
  let sum = 0;
  let at = 0;
  for (let round = 0; round < SCHEDULE.length; round += 16) {
    // G(0, 4, 8, 12)
    at = SCHEDULE[round] as number;
    xl = words[at] as number;
    xh = words[at + 1] as number;
    sum = (l0 + l4) | 0;
    h0 = (h0 + h4 + (sum >>> 0 < l4 >>> 0 ? 1 : 0)) | 0;
    l0 = sum;
    sum = (l0 + xl) | 0;
    h0 = (h0 + xh + (sum >>> 0 < xl >>> 0 ? 1 : 0)) | 0;
    l0 = sum;
    xl = l12 ^ l0;
    xh = h12 ^ h0;
    l12 = xh;
    h12 = xl;
    sum = (l8 + l12) | 0;
    h8 = (h8 + h12 + (sum >>> 0 < l12 >>> 0 ? 1 : 0)) | 0;
    l8 = sum;
    xl = l4 ^ l8;
    xh = h4 ^ h8;
    l4 = (xl >>> 24) | (xh << 8);
    h4 = (xh >>> 24) | (xl << 8);
    at = SCHEDULE[round + 1] as number;
    xl = words[at] as number;
    xh = words[at + 1] as number;
    sum = (l0 + l4) | 0;
    h0 = (h0 + h4 + (sum >>> 0 < l4 >>> 0 ? 1 : 0)) | 0;
    l0 = sum;
    sum = (l0 + xl) | 0;
    h0 = (h0 + xh + (sum >>> 0 < xl >>> 0 ? 1 : 0)) | 0;
    l0 = sum;
    xl = l12 ^ l0;
    xh = h12 ^ h0;
    l12 = (xl >>> 16) | (xh << 16);
    h12 = (xh >>> 16) | (xl << 16);
    sum = (l8 + l12) | 0;
    h8 = (h8 + h12 + (sum >>> 0 < l12 >>> 0 ? 1 : 0)) | 0;
    l8 = sum;
    xl = l4 ^ l8;
    xh = h4 ^ h8;
    l4 = (xh >>> 31) | (xl << 1);
    h4 = (xl >>> 31) | (xh << 1);
    // G(1, 5, 9, 13)
    at = SCHEDULE[round + 2] as number;
    xl = words[at] as number;
    xh = words[at + 1] as number;
    sum = (l1 + l5) | 0;
    h1 = (h1 + h5 + (sum >>> 0 < l5 >>> 0 ? 1 : 0)) | 0;
    l1 = sum;
    sum = (l1 + xl) | 0;
    h1 = (h1 + xh + (sum >>> 0 < xl >>> 0 ? 1 : 0)) | 0;
    l1 = sum;
    xl = l13 ^ l1;
    xh = h13 ^ h1;
    l13 = xh;
    h13 = xl;
    sum = (l9 + l13) | 0;
    h9 = (h9 + h13 + (sum >>> 0 < l13 >>> 0 ? 1 : 0)) | 0;
    l9 = sum;
    xl = l5 ^ l9;
    xh = h5 ^ h9;
    l5 = (xl >>> 24) | (xh << 8);
    h5 = (xh >>> 24) | (xl << 8);
    at = SCHEDULE[round + 3] as number;
    xl = words[at] as number;
    xh = words[at + 1] as number;
    sum = (l1 + l5) | 0;
    h1 = (h1 + h5 + (sum >>> 0 < l5 >>> 0 ? 1 : 0)) | 0;
    l1 = sum;
    sum = (l1 + xl) | 0;
    h1 = (h1 + xh + (sum >>> 0 < xl >>> 0 ? 1 : 0)) | 0;
    l1 = sum;
    xl = l13 ^ l1;
    xh = h13 ^ h1;
    l13 = (xl >>> 16) | (xh << 16);
    h13 = (xh >>> 16) | (xl << 16);
    sum = (l9 + l13) | 0;
    h9 = (h9 + h13 + (sum >>> 0 < l13 >>> 0 ? 1 : 0)) | 0;
    l9 = sum;
    xl = l5 ^ l9;
    xh = h5 ^ h9;
    l5 = (xh >>> 31) | (xl << 1);
    h5 = (xl >>> 31) | (xh << 1);
    // G(2, 6, 10, 14)
    at = SCHEDULE[round + 4] as number;
    xl = words[at] as number;
    xh = words[at + 1] as number;
    sum = (l2 + l6) | 0;
    h2 = (h2 + h6 + (sum >>> 0 < l6 >>> 0 ? 1 : 0)) | 0;
    l2 = sum;
    sum = (l2 + xl) | 0;
    h2 = (h2 + xh + (sum >>> 0 < xl >>> 0 ? 1 : 0)) | 0;
    l2 = sum;
    xl = l14 ^ l2;
    xh = h14 ^ h2;
    l14 = xh;
    h14 = xl;
    sum = (l10 + l14) | 0;
    h10 = (h10 + h14 + (sum >>> 0 < l14 >>> 0 ? 1 : 0)) | 0;
    l10 = sum;
    xl = l6 ^ l10;
    xh = h6 ^ h10;
    l6 = (xl >>> 24) | (xh << 8);
    h6 = (xh >>> 24) | (xl << 8);
    at = SCHEDULE[round + 5] as number;
    xl = words[at] as number;
    xh = words[at + 1] as number;
    sum = (l2 + l6) | 0;
    h2 = (h2 + h6 + (sum >>> 0 < l6 >>> 0 ? 1 : 0)) | 0;
    l2 = sum;
    sum = (l2 + xl) | 0;
    h2 = (h2 + xh + (sum >>> 0 < xl >>> 0 ? 1 : 0)) | 0;
    l2 = sum;
    xl = l14 ^ l2;
    xh = h14 ^ h2;
    l14 = (xl >>> 16) | (xh << 16);
    h14 = (xh >>> 16) | (xl << 16);
    sum = (l10 + l14) | 0;
    h10 = (h10 + h14 + (sum >>> 0 < l14 >>> 0 ? 1 : 0)) | 0;
    l10 = sum;
    xl = l6 ^ l10;
    xh = h6 ^ h10;
    l6 = (xh >>> 31) | (xl << 1);
    h6 = (xl >>> 31) | (xh << 1);
    // G(3, 7, 11, 15)
    at = SCHEDULE[round + 6] as number;
    xl = words[at] as number;
    xh = words[at + 1] as number;
    sum = (l3 + l7) | 0;
    h3 = (h3 + h7 + (sum >>> 0 < l7 >>> 0 ? 1 : 0)) | 0;
    l3 = sum;
    sum = (l3 + xl) | 0;
    h3 = (h3 + xh + (sum >>> 0 < xl >>> 0 ? 1 : 0)) | 0;
    l3 = sum;
    xl = l15 ^ l3;
    xh = h15 ^ h3;
    l15 = xh;
    h15 = xl;
    sum = (l11 + l15) | 0;
    h11 = (h11 + h15 + (sum >>> 0 < l15 >>> 0 ? 1 : 0)) | 0;
    l11 = sum;
    xl = l7 ^ l11;
    xh = h7 ^ h11;
    l7 = (xl >>> 24) | (xh << 8);
    h7 = (xh >>> 24) | (xl << 8);
    at = SCHEDULE[round + 7] as number;
    xl = words[at] as number;
    xh = words[at + 1] as number;
    sum = (l3 + l7) | 0;
    h3 = (h3 + h7 + (sum >>> 0 < l7 >>> 0 ? 1 : 0)) | 0;
    l3 = sum;
    sum = (l3 + xl) | 0;
    h3 = (h3 + xh + (sum >>> 0 < xl >>> 0 ? 1 : 0)) | 0;
    l3 = sum;
    xl = l15 ^ l3;
    xh = h15 ^ h3;
    l15 = (xl >>> 16) | (xh << 16);
    h15 = (xh >>> 16) | (xl << 16);
    sum = (l11 + l15) | 0;
    h11 = (h11 + h15 + (sum >>> 0 < l15 >>> 0 ? 1 : 0)) | 0;
    l11 = sum;
    xl = l7 ^ l11;
    xh = h7 ^ h11;
    l7 = (xh >>> 31) | (xl << 1);
    h7 = (xl >>> 31) | (xh << 1);
    // G(0, 5, 10, 15)
    at = SCHEDULE[round + 8] as number;
    xl = words[at] as number;
    xh = words[at + 1] as number;
    sum = (l0 + l5) | 0;
    h0 = (h0 + h5 + (sum >>> 0 < l5 >>> 0 ? 1 : 0)) | 0;
    l0 = sum;
    sum = (l0 + xl) | 0;
    h0 = (h0 + xh + (sum >>> 0 < xl >>> 0 ? 1 : 0)) | 0;
    l0 = sum;
    xl = l15 ^ l0;
    xh = h15 ^ h0;
    l15 = xh;
    h15 = xl;
    sum = (l10 + l15) | 0;
    h10 = (h10 + h15 + (sum >>> 0 < l15 >>> 0 ? 1 : 0)) | 0;
    l10 = sum;
    xl = l5 ^ l10;
    xh = h5 ^ h10;
    l5 = (xl >>> 24) | (xh << 8);
    h5 = (xh >>> 24) | (xl << 8);
    at = SCHEDULE[round + 9] as number;
    xl = words[at] as number;
    xh = words[at + 1] as number;
    sum = (l0 + l5) | 0;
    h0 = (h0 + h5 + (sum >>> 0 < l5 >>> 0 ? 1 : 0)) | 0;
    l0 = sum;
    sum = (l0 + xl) | 0;
    h0 = (h0 + xh + (sum >>> 0 < xl >>> 0 ? 1 : 0)) | 0;
    l0 = sum;
    xl = l15 ^ l0;
    xh = h15 ^ h0;
    l15 = (xl >>> 16) | (xh << 16);
    h15 = (xh >>> 16) | (xl << 16);
    sum = (l10 + l15) | 0;
    h10 = (h10 + h15 + (sum >>> 0 < l15 >>> 0 ? 1 : 0)) | 0;
    l10 = sum;
    xl = l5 ^ l10;
    xh = h5 ^ h10;
    l5 = (xh >>> 31) | (xl << 1);
    h5 = (xl >>> 31) | (xh << 1);
    // G(1, 6, 11, 12)
    at = SCHEDULE[round + 10] as number;
    xl = words[at] as number;
    xh = words[at + 1] as number;
    sum = (l1 + l6) | 0;
    h1 = (h1 + h6 + (sum >>> 0 < l6 >>> 0 ? 1 : 0)) | 0;
    l1 = sum;
    sum = (l1 + xl) | 0;
    h1 = (h1 + xh + (sum >>> 0 < xl >>> 0 ? 1 : 0)) | 0;
    l1 = sum;
    xl = l12 ^ l1;
    xh = h12 ^ h1;
    l12 = xh;
    h12 = xl;
    sum = (l11 + l12) | 0;
    h11 = (h11 + h12 + (sum >>> 0 < l12 >>> 0 ? 1 : 0)) | 0;
    l11 = sum;
    xl = l6 ^ l11;
    xh = h6 ^ h11;
    l6 = (xl >>> 24) | (xh << 8);
    h6 = (xh >>> 24) | (xl << 8);
    at = SCHEDULE[round + 11] as number;
    xl = words[at] as number;
    xh = words[at + 1] as number;
    sum = (l1 + l6) | 0;
    h1 = (h1 + h6 + (sum >>> 0 < l6 >>> 0 ? 1 : 0)) | 0;
    l1 = sum;
    sum = (l1 + xl) | 0;
    h1 = (h1 + xh + (sum >>> 0 < xl >>> 0 ? 1 : 0)) | 0;
    l1 = sum;
    xl = l12 ^ l1;
    xh = h12 ^ h1;
    l12 = (xl >>> 16) | (xh << 16);
    h12 = (xh >>> 16) | (xl << 16);
    sum = (l11 + l12) | 0;
    h11 = (h11 + h12 + (sum >>> 0 < l12 >>> 0 ? 1 : 0)) | 0;
    l11 = sum;
    xl = l6 ^ l11;
    xh = h6 ^ h11;
    l6 = (xh >>> 31) | (xl << 1);
    h6 = (xl >>> 31) | (xh << 1);
    // G(2, 7, 8, 13)
    at = SCHEDULE[round + 12] as number;
    xl = words[at] as number;
    xh = words[at + 1] as number;
    sum = (l2 + l7) | 0;
    h2 = (h2 + h7 + (sum >>> 0 < l7 >>> 0 ? 1 : 0)) | 0;
    l2 = sum;
    sum = (l2 + xl) | 0;
    h2 = (h2 + xh + (sum >>> 0 < xl >>> 0 ? 1 : 0)) | 0;
    l2 = sum;
    xl = l13 ^ l2;
    xh = h13 ^ h2;
    l13 = xh;
    h13 = xl;
    sum = (l8 + l13) | 0;
    h8 = (h8 + h13 + (sum >>> 0 < l13 >>> 0 ? 1 : 0)) | 0;
    l8 = sum;
    xl = l7 ^ l8;
    xh = h7 ^ h8;
    l7 = (xl >>> 24) | (xh << 8);
    h7 = (xh >>> 24) | (xl << 8);
    at = SCHEDULE[round + 13] as number;
    xl = words[at] as number;
    xh = words[at + 1] as number;
    sum = (l2 + l7) | 0;
    h2 = (h2 + h7 + (sum >>> 0 < l7 >>> 0 ? 1 : 0)) | 0;
    l2 = sum;
    sum = (l2 + xl) | 0;
    h2 = (h2 + xh + (sum >>> 0 < xl >>> 0 ? 1 : 0)) | 0;
    l2 = sum;
    xl = l13 ^ l2;
    xh = h13 ^ h2;
    l13 = (xl >>> 16) | (xh << 16);
    h13 = (xh >>> 16) | (xl << 16);
    sum = (l8 + l13) | 0;
    h8 = (h8 + h13 + (sum >>> 0 < l13 >>> 0 ? 1 : 0)) | 0;
    l8 = sum;
    xl = l7 ^ l8;
    xh = h7 ^ h8;
    l7 = (xh >>> 31) | (xl << 1);
    h7 = (xl >>> 31) | (xh << 1);
    // G(3, 4, 9, 14)
    at = SCHEDULE[round + 14] as number;
    xl = words[at] as number;
    xh = words[at + 1] as number;
    sum = (l3 + l4) | 0;
    h3 = (h3 + h4 + (sum >>> 0 < l4 >>> 0 ? 1 : 0)) | 0;
    l3 = sum;
    sum = (l3 + xl) | 0;
    h3 = (h3 + xh + (sum >>> 0 < xl >>> 0 ? 1 : 0)) | 0;
    l3 = sum;
    xl = l14 ^ l3;
    xh = h14 ^ h3;
    l14 = xh;
    h14 = xl;
    sum = (l9 + l14) | 0;
    h9 = (h9 + h14 + (sum >>> 0 < l14 >>> 0 ? 1 : 0)) | 0;
    l9 = sum;
    xl = l4 ^ l9;
    xh = h4 ^ h9;
    l4 = (xl >>> 24) | (xh << 8);
    h4 = (xh >>> 24) | (xl << 8);
    at = SCHEDULE[round + 15] as number;
    xl = words[at] as number;
    xh = words[at + 1] as number;
    sum = (l3 + l4) | 0;
    h3 = (h3 + h4 + (sum >>> 0 < l4 >>> 0 ? 1 : 0)) | 0;
    l3 = sum;
    sum = (l3 + xl) | 0;
    h3 = (h3 + xh + (sum >>> 0 < xl >>> 0 ? 1 : 0)) | 0;
    l3 = sum;
    xl = l14 ^ l3;
    xh = h14 ^ h3;
    l14 = (xl >>> 16) | (xh << 16);
    h14 = (xh >>> 16) | (xl << 16);
    sum = (l9 + l14) | 0;
    h9 = (h9 + h14 + (sum >>> 0 < l14 >>> 0 ? 1 : 0)) | 0;
    l9 = sum;
    xl = l4 ^ l9;
    xh = h4 ^ h9;
    l4 = (xh >>> 31) | (xl << 1);
    h4 = (xl >>> 31) | (xh << 1);
  }
  state[0] = (state[0] as number) ^ l0 ^ l8;
  state[1] = (state[1] as number) ^ h0 ^ h8;
  state[2] = (state[2] as number) ^ l1 ^ l9;
  state[3] = (state[3] as number) ^ h1 ^ h9;
  state[4] = (state[4] as number) ^ l2 ^ l10;
  state[5] = (state[5] as number) ^ h2 ^ h10;
  state[6] = (state[6] as number) ^ l3 ^ l11;
  state[7] = (state[7] as number) ^ h3 ^ h11;
  state[8] = (state[8] as number) ^ l4 ^ l12;
  state[9] = (state[9] as number) ^ h4 ^ h12;
  state[10] = (state[10] as number) ^ l5 ^ l13;
  state[11] = (state[11] as number) ^ h5 ^ h13;
  state[12] = (state[12] as number) ^ l6 ^ l14;
  state[13] = (state[13] as number) ^ h6 ^ h14;
  state[14] = (state[14] as number) ^ l7 ^ l15;
  state[15] = (state[15] as number) ^ h7 ^ h15;
}
