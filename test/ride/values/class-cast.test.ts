import { expect, test } from "vitest";
import { castFailure } from "../../../src/ride/values/class-cast.ts";

test("a value of another kind is refused with the names of both classes", () => {
  const terms = "com.wavesplatform.lang.v1.compiler.Terms$";
  const [from, to] = [`${terms}CONST_BYTESTR`, `${terms}CONST_LONG`];
  expect(castFailure(new Uint8Array(3), "CONST_LONG").message).toContain(
    `class ${from} cannot be cast to class ${to} (${from} and ${to} are in unnamed module of loader 'app')`,
  );
});
