/**
 * `npm run secrets`: generates both secrets of a node. Writes them to a file readable only by its owner, and prints the
 * API key, which is stored nowhere else. `--help` lists the flags.
 */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { makeSecrets } from "../local/cli/make-secrets.ts";
import { parseSecretFlags, type SecretFlags, secretHelp } from "../local/cli/secret-flags.ts";
import { UsageError } from "../local/cli/usage-error.ts";

const OWNER_ALONE = 0o600;

try {
  const flags = parseSecretFlags(process.argv.slice(2));
  process.stdout.write(flags.isHelp ? secretHelp : make(flags));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

function make(flags: SecretFlags): string {
  const { apiKey, address, lines } = makeSecrets(flags, randomBytes);
  write(flags.file, lines);
  return `written        ${flags.file}: API_KEY_HASH and WALLET_SEED
API key        ${apiKey}
first account  ${address} on chain ${String.fromCharCode(flags.chainId)}

The key is in no file: keep it. Who has the file has the accounts.

here           npm start -- --network FILE --secrets ${flags.file}
on Cloudflare  npx wrangler secret bulk ${flags.file} --env NETWORK
`;
}

/** npm runs scripts in the project's folder; paths are relative to where the command was typed. */
function write(file: string, text: string): void {
  const target = path.resolve(process.env["INIT_CWD"] ?? process.cwd(), file);
  try {
    writeFileSync(target, text, { mode: OWNER_ALONE, flag: "wx" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === "EEXIST"
        ? `${file} is there already: what it holds may not be found again.`
        : `--file ${file}: ${message}.`,
    );
  }
}
