import type { VNode } from "preact";
import { isJsonObject, type ParsedJson, type ParsedObject } from "../../../src/protocol/parse-json.ts";
import { paths } from "../frame/page-location.ts";
import { Id } from "./id.tsx";

/** Longer texts are collapsed. */
const shortCharacters = 160;
const shortItems = 8;

/** Value as in scripts, or argument of a call. Both name their types differently. */
export function RideValue({ type, value }: { readonly type: string | undefined; readonly value: ParsedJson }): VNode {
  switch (type) {
    case "Int":
    case "integer":
    case "BigInt":
      return <span class="v-number">{String(value)}</span>;
    case "Boolean":
    case "boolean":
      return <span class="v-boolean">{String(value)}</span>;
    case "String":
    case "string":
      return <RideText text={String(value)} />;
    case "ByteVector":
    case "binary":
      return <Bytes text={String(value)} />;
    case "Unit":
      return <span class="v-type">unit</span>;
    case "Array":
    case "list":
      return Array.isArray(value) ? <List items={value} /> : <Other value={value} />;
    default:
      return isJsonObject(value) ? <Structure type={type ?? ""} fields={value} /> : <Other value={value} />;
  }
}

function RideText({ text }: { readonly text: string }): VNode {
  const shown = `"${text}"`;
  if (text.length <= shortCharacters) return <span class="v-text">{shown}</span>;
  return (
    <details class="v-folded">
      <summary>
        <span class="v-text">{`"${text.slice(0, shortCharacters)}…`}</span>
      </summary>
      <span class="v-text">{shown}</span>
    </details>
  );
}

/** Base58 of 26 bytes that begin like an address. */
const addressPattern = /^3[1-9A-HJ-NP-Za-km-z]{34}$/;

function Bytes({ text }: { readonly text: string }): VNode {
  if (addressPattern.test(text)) return <Id value={text} href={paths.account(text)} />;
  if (text.length <= 48) return <span class="v-bytes">{text === "" ? "no bytes" : text}</span>;
  return (
    <details class="v-folded">
      <summary>
        <span class="v-bytes">{`${text.slice(0, 40)}…`}</span>
      </summary>
      <span class="v-bytes">{text}</span>
    </details>
  );
}

function Item({ of }: { readonly of: ParsedJson }): VNode {
  if (!isJsonObject(of)) return <Other value={of} />;
  const { type, value } = of;
  return <RideValue type={typeof type === "string" ? type : undefined} value={value ?? null} />;
}

function List({ items }: { readonly items: readonly ParsedJson[] }): VNode {
  if (items.length === 0) return <span class="v-type">[ ]</span>;
  const isFlat = items.length <= shortItems && items.every((item) => !isJsonObject(item) || isFlatType(item["type"]));
  if (isFlat) {
    return (
      <span class="v-list">
        [
        {items.map((item, index) => (
          <span key={index}>
            {index > 0 && ", "}
            <Item of={item} />
          </span>
        ))}
        ]
      </span>
    );
  }
  return (
    <details class="v-tree" open={items.length <= shortItems}>
      <summary>
        <span class="v-type">
          {items.length} item{items.length === 1 ? "" : "s"}
        </span>
      </summary>
      <ol start={0}>
        {items.map((item, index) => (
          <li key={index}>
            <Item of={item} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function isFlatType(type: ParsedJson | undefined): boolean {
  return (
    typeof type === "string" && /^(Int|BigInt|Boolean|String|ByteVector|Unit|integer|boolean|string|binary)$/.test(type)
  );
}

function Structure({ type, fields }: { readonly type: string; readonly fields: ParsedObject }): VNode {
  const entries = Object.entries(fields);
  const bytes = type === "Address" && isJsonObject(fields["bytes"]) ? fields["bytes"]["value"] : undefined;
  if (typeof bytes === "string") return <Bytes text={bytes} />;
  return (
    <details class="v-tree" open={entries.length <= shortItems}>
      <summary>
        <span class="v-type">{type === "Tuple" ? "tuple" : type}</span>
      </summary>
      <ul>
        {entries.map(([name, field]) => (
          <li key={name}>
            <span class="v-name">{name}</span> <Item of={field} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Value without a type, shown as received. */
function Other({ value }: { readonly value: ParsedJson }): VNode {
  if (isJsonObject(value)) return <Structure type="" fields={value} />;
  return Array.isArray(value) ? <List items={value} /> : <span>{String(value)}</span>;
}
