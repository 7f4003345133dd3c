import { NativeFailure } from "../execution-error.ts";
import type { Value } from "./value.ts";

/** A field without which the reference's virtual machine itself fails. @throws NativeFailure */
export function requiredField(fields: ReadonlyMap<string, Value>, name: string): Value {
  const value = fields.get(name);
  if (value === undefined) throw new NativeFailure("java.util.NoSuchElementException", `key not found: ${name}`);
  return value;
}
