/** The flags of `npm run secrets`. */
import { parsedArguments } from "./parsed-arguments.ts";
import { UsageError } from "./usage-error.ts";

export const secretHelp = `npm run secrets [-- FLAGS]   makes an API key and a wallet seed, and the file with both secrets

  --file FILE   where they go, default .dev.vars; one that is there is never written over
  --key TEXT    an API key of your own
  --seed TEXT   a seed of your own, as words; the file has it in base58
  --chain C     character of the network, to show the address of the wallet's first account; default R
  --help        this text
`;

export interface SecretFlags {
  readonly file: string;
  /** Undefined: to be generated. */
  readonly key: string | undefined;
  /** Undefined: to be generated. */
  readonly seed: string | undefined;
  readonly chainId: number;
  readonly isHelp: boolean;
}

/** @throws UsageError */
export function parseSecretFlags(args: readonly string[]): SecretFlags {
  const values = readFlags(args);
  if (values.key === "") throw new UsageError("--key expects a text that is not empty.");
  if (values.seed === "") throw new UsageError("--seed expects a text that is not empty.");
  if (!/^[\x21-\x7e]$/.test(values.chain)) {
    throw new UsageError(`--chain expects one character, got "${values.chain}".`);
  }
  const { file, key, seed, chain, help } = values;
  return { file, key, seed, chainId: chain.charCodeAt(0), isHelp: help };
}

function readFlags(args: readonly string[]) {
  return parsedArguments({
    args: [...args],
    options: {
      file: { type: "string", default: ".dev.vars" },
      key: { type: "string" },
      seed: { type: "string" },
      chain: { type: "string", default: "R" },
      help: { type: "boolean", default: false },
    },
  }).values;
}
