import { NativeFailure } from "../execution-error.ts";
import type { Value } from "./value.ts";

/** Field whose absence is a failure of the reference's virtual machine. @throws NativeFailure */
export function requiredField(fields: ReadonlyMap<string, Value>, name: string): Value {
  const value = fields.get(name);
  if (value === undefined) throw new NativeFailure("java.util.NoSuchElementException", `key not found: ${name}`);
  return value;
}
