import { expect, test } from "vitest";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import { decodeIdList, encodeIdList } from "../../../src/protocol/codec/id-list.ts";

test("a list of ids comes back as it was, as long as a full pool's", () => {
  const ids = Array.from({ length: 200_000 }, (_, number) => new Uint8Array(number % 7 === 0 ? 64 : 32).fill(number));
  const list = encodeIdList(ids);
  // Compared one by one: the matcher takes seconds for that many.
  let same = 0;
  for (const id of decodeIdList(list)) if (equalBytes(id, ids[same] as Uint8Array)) same++;
  expect(same).toBe(ids.length);
  expect([...decodeIdList(encodeIdList([]))]).toEqual([]);
});
