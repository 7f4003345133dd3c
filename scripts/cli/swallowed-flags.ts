import { type FlagName, flagNames, flagValue } from "./start-flags.ts";
import { UsageError } from "./usage-error.ts";

/**
 * npm takes flags in front of `--` for its own: of `npm start --memory` this process gets nothing but an environment
 * variable, and of `--network mainnet` the value without its name. What was meant must not be guessed: without `--memory` a
 * node would work on the user's state.
 * @param environment of this process
 * @throws UsageError naming the flags and the command that gives them
 */
export function refuseSwallowedFlags(environment: Readonly<Record<string, string | undefined>>): void {
  if (environment["npm_lifecycle_event"] !== "start") return;
  const swallowed = flagNames.filter((flag) => {
    const value = environment[npmVariable(flag)];
    const hasOpposite = (flagNames as readonly string[]).includes(oppositeOf(flag));
    // Of `--dev` and `--no-dev` npm makes one variable; the second one leaves it empty.
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
