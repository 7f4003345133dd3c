import { type FlagName, flagNames, flagValue } from "./start-flags.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Refuses flags that npm has taken. npm consumes flags in front of `--`: for `npm start --memory` this process gets
 * only an environment variable, and for `npm start --network mainnet` only the value without its name. The intention
 * must not be guessed: without `--memory` a node would work on the user's state.
 * @param environment of this process
 * @throws UsageError names the flags and the correct command
 */
export function refuseSwallowedFlags(environment: Readonly<Record<string, string | undefined>>): void {
  if (environment["npm_lifecycle_event"] !== "start") return;
  const swallowed = flagNames.filter((flag) => {
    const value = environment[npmVariable(flag)];
    const hasOpposite = (flagNames as readonly string[]).includes(oppositeOf(flag));
    // npm sets one variable for `--dev` and `--no-dev`; the second one leaves it empty.
    return value !== undefined && (!hasOpposite || flag.startsWith("no-") === (value === ""));
  });
  if (swallowed.length === 0) return;
  const shown = swallowed.map((flag) => (flagValue(flag) === undefined ? `--${flag}` : `--${flag} ...`)).join(" ");
  throw new UsageError(`npm took ${shown} for itself: flags come after two dashes, npm start -- ${shown}`);
}

function oppositeOf(flag: string): string {
  return flag.startsWith("no-") ? flag.slice("no-".length) : `no-${flag}`;
}

/** npm reads `--no-mining` as `mining` switched off. */
function npmVariable(flag: FlagName): string {
  return `npm_config_${flag.replace(/^no-/, "").replaceAll("-", "_")}`;
}
