/** Scripts with damaged bytes; most have a valid checksum, so that the damage is found later. */
import { encodeBase64 } from "../../../src/crypto/base64.ts";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { secureHash } from "../../../src/crypto/hash.ts";
import { loadCompiler } from "../../../src/ride/compiler/load-compiler.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { writeDApp } from "../dapp-writer.ts";
import { compile } from "../fuzz-cases.ts";
import { SourceWriter } from "../source-writer.ts";
import type { RequestFamily } from "./family.ts";

const checksumBytes = 4;
const versions = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const dAppsSince = 3;
const scriptsPerVersion = 4;
const noNames = { accounts: [new Uint8Array(26)], dataKeys: ["k"], assets: [], transactions: [] };

const paths = ["/utils/script/decompile", "/utils/script/estimate"];

export const damagedFamily: RequestFamily = {
  name: "damaged",
  summary: "decompile and estimate of scripts whose bytes are damaged",
  requests: async (random, count) => {
    const whole = await wholeScripts(random);
    return Array.from({ length: count }, (_, index) => ({
      path: paths[index % paths.length] as string,
      mediaType: "text/plain",
      body: damagedText(random, damaged(random, random.pick(whole))),
    }));
  },
};

async function wholeScripts(random: SeededRandom): Promise<readonly Uint8Array[]> {
  const compiler = await loadCompiler();
  return versions.flatMap((version) =>
    Array.from({ length: scriptsPerVersion }, (_, index) => {
      const isDApp = version >= dAppsSince && index % 2 === 0;
      for (;;) {
        const source = isDApp ? writeDApp(random, version, noNames).source : expressionSource(random, version);
        const compiled = compile(compiler, source);
        if (compiled !== undefined) return new Uint8Array(compiled.result);
      }
    }),
  );
}

function expressionSource(random: SeededRandom, version: number): string {
  const expression = new SourceWriter(random, version, noNames).expression("Boolean");
  return `{-# STDLIB_VERSION ${version} #-}\n{-# CONTENT_TYPE EXPRESSION #-}\n${expression}`;
}

function damaged(random: SeededRandom, script: Uint8Array): Uint8Array {
  let code: Uint8Array = script.slice(0, -checksumBytes);
  const changes = random.pick([0, 1, 1, 1, 1, 2, 3]);
  for (let change = 0; change < changes; change++) {
    const next = changed(random, code);
    if (!exhaustsMemory(next)) code = next;
  }
  const checksum = random.boolean(0.95) ? secureHash(code).subarray(0, checksumBytes) : random.bytes(checksumBytes);
  return concatBytes(code, random.boolean(0.03) ? random.bytes(random.below(5)) : checksum);
}

/** True for an old dApp's meta with a size: the reference allocates that many bytes, and its process ends. */
function exhaustsMemory(code: Uint8Array): boolean {
  const sizeOffset = 7;
  return code[0] === 0 && ((code[sizeOffset] ?? 0) > 0 || (code[sizeOffset + 1] ?? 0) > 0);
}

function changed(random: SeededRandom, code: Uint8Array): Uint8Array {
  const at = random.boolean(0.15) ? random.below(Math.min(code.length, 12) + 1) : random.below(code.length + 1);
  const [before, after] = [code.slice(0, at), code.slice(at)];
  switch (random.below(7)) {
    case 0:
      return before;
    case 1:
      return concatBytes(before, random.bytes(1 + random.below(4)), after);
    case 2:
      return concatBytes(before, after.slice(1 + random.below(4)));
    case 3:
      return concatBytes(before, after, random.bytes(1 + random.below(4)));
    case 4:
      return concatBytes(before, code.slice(random.below(code.length)), after);
    default: {
      if (after.length > 0) after[0] = random.boolean(0.6) ? random.below(14) : random.below(256);
      return concatBytes(before, after);
    }
  }
}

function damagedText(random: SeededRandom, bytes: Uint8Array): string {
  const text = encodeBase64(bytes);
  if (random.boolean(0.95)) return random.boolean(0.5) ? text : `base64:${text}`;
  const at = random.below(text.length + 1);
  return text.slice(0, at) + random.pick(["", " ", "\n", "=", "-", "_", "\u00e9", "base64:"]) + text.slice(at + 1);
}
