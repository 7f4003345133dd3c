import type { VNode } from "preact";
import type { DataEntry } from "../node/shapes.ts";
import { RideValue } from "../parts/ride-value.tsx";

/** Data entries of an account. Keys and values are user-supplied texts. */
export function DataEntries({ of }: { readonly of: readonly DataEntry[] }): VNode {
  return (
    <table class="data-entries">
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Type</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {of.map(({ key, type, value }) => (
          <tr key={key}>
            <td class="key">{key}</td>
            <td class="quiet">{type ?? "deleted"}</td>
            <td class="value">{value === null ? "" : <RideValue type={type} value={value} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
