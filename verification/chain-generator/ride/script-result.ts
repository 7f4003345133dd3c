/** Result of a callable, in the syntax of each library version. */

export interface ScriptResult {
  /** Type, key and value, as Ride expressions. */
  readonly entries?: readonly (readonly [kind: EntryKind, key: string, value: string])[];
  /** Recipient, amount and asset. */
  readonly transfers?: readonly (readonly [recipient: string, amount: string, asset: string])[];
  /** Actions that version 3 lacks. */
  readonly others?: readonly string[];
  /** Value for the calling dApp, from version 5 on. */
  readonly value?: string;
}

export type EntryKind = "Integer" | "Boolean" | "String" | "Binary";

export function scriptResultText(
  version: number,
  { entries = [], transfers = [], others = [], value }: ScriptResult,
): string {
  const sent = transfers.map((fields) => `ScriptTransfer(${fields.join(", ")})`);
  if (version === 3) {
    const written = `WriteSet([${entries.map(([, key, content]) => `DataEntry(${key}, ${content})`).join(", ")}])`;
    if (sent.length === 0) return written;
    const transferSet = `TransferSet([${sent.join(", ")}])`;
    return entries.length === 0 ? transferSet : `ScriptResult(${written}, ${transferSet})`;
  }
  const written = entries.map(([kind, key, content]) => `${kind}Entry(${key}, ${content})`);
  const actions = `[${[...written, ...others, ...sent].join(", ")}]`;
  return version === 4 || value === undefined ? actions : `(${actions}, ${value})`;
}
