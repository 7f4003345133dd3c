import type { Variable } from "../node/shapes.ts";

/** Parsed message of a failed evaluation. */
export interface ScriptFailure {
  readonly error: string;
  /** Order of computation; the values are texts. */
  readonly variables: readonly Variable[];
}

const pattern = /^(?:InvokeRejectError|FailedTransactionError)\((?:code = \d+, )?error = (.*?)(?:, log = ?\n(.*))?\)$/s;

/**
 * Splits the message of a failed evaluation: the script's error, then all computed values.
 * @source docs/protocol/rest-api.md 3.15
 */
export function scriptFailure(message: string): ScriptFailure {
  const [, error, log] = pattern.exec(message) ?? [];
  if (error === undefined) return { error: message, variables: [] };
  return { error, variables: log === undefined ? [] : variablesOf(log) };
}

/** A line with a name begins a value. Following lines belong to it if they are indented or close a bracket. */
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
