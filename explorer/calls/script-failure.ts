import type { Variable } from "../node/shapes.ts";

/** What a message of a failed evaluation holds. */
export interface ScriptFailure {
  readonly error: string;
  /** In the order in which they were computed; their values are texts. */
  readonly variables: readonly Variable[];
}

const pattern = /^(?:InvokeRejectError|FailedTransactionError)\((?:code = \d+, )?error = (.*?)(?:, log = ?\n(.*))?\)$/s;

/**
 * The message of a failed evaluation is one text: the script's error, and behind it all that was computed.
 * @source docs/protocol/rest-api.md 3.15
 */
export function scriptFailure(message: string): ScriptFailure {
  const [, error, log] = pattern.exec(message) ?? [];
  if (error === undefined) return { error: message, variables: [] };
  return { error, variables: log === undefined ? [] : variablesOf(log) };
}

/** A line with a name begins a value, which goes on in the lines behind it: those are further in, or close a bracket. */
function variablesOf(log: string): readonly Variable[] {
  const entries = log.split(/\n?\t(?=[^\t\])}\n][^\n]*? = )/);
  return entries.filter(Boolean).flatMap((entry) => {
    const at = entry.indexOf(" = ");
    return at === -1
      ? []
      : [
          {
            name: entry.slice(0, at),
            text: entry
              .slice(at + 3)
              .replaceAll("\n\t", "\n")
              .trimEnd(),
          },
        ];
  });
}
