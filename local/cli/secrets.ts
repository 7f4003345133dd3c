/** Secrets of a start: from the environment, otherwise from the file that `--secrets` names. */
import { readFileSync } from "node:fs";
import util from "node:util";
import { z } from "zod";
import { parseBase58 } from "../../src/crypto/base58.ts";
import type { secrets as secretBindings } from "../../src/env.ts";
import { UsageError } from "./usage-error.ts";

const HASH_BYTES = 32;

const base58Bytes = (isSize: (bytes: number) => boolean, expected: string) =>
  z.string().refine((text) => {
    const bytes = parseBase58(text);
    return text === "" || (bytes instanceof Uint8Array && isSize(bytes.length));
  }, expected);

/** An empty value means no secret. */
const values = {
  API_KEY_HASH: base58Bytes((bytes) => bytes === HASH_BYTES, "the base58 of the 32 bytes of a secure hash"),
  WALLET_SEED: base58Bytes((bytes) => bytes > 0, "a seed in base58"),
} as const satisfies Record<keyof typeof secretBindings, z.ZodType<string>>;

export type Secrets = { readonly [Name in keyof typeof values]?: string };

/**
 * @param environment of this process; takes precedence over the file
 * @param file undefined: no `--secrets`
 * @throws UsageError which never shows a value
 */
export function readSecrets(
  environment: Readonly<Record<string, string | undefined>>,
  file: string | undefined,
): Secrets {
  const inFile = file === undefined ? {} : readLines(file);
  const found: Record<string, string> = {};
  for (const [name, schema] of Object.entries(values)) {
    const value = environment[name] ?? inFile[name];
    if (value === undefined) continue;
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      const source = environment[name] === undefined ? `in ${file}` : "in the environment";
      throw new UsageError(`${name} ${source} expects ${parsed.error.issues[0]?.message} (npm run secrets makes one).`);
    }
    found[name] = parsed.data;
  }
  return found;
}

function readLines(file: string): Readonly<Record<string, string | undefined>> {
  try {
    return util.parseEnv(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`--secrets ${file}: ${(error as Error).message}.`);
  }
}
