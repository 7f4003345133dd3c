import { expect, test } from "vitest";
import { type Base64Error, parseBase64 } from "../../../src/crypto/base64.ts";
import { base64ErrorText } from "../../../src/protocol/transactions/json-reader.ts";

// Error texts of OpenJDK 17 for the same input.
test.each([
  ["A", "Input byte[] should at least have 2 bytes for base64 bytes"],
  ["AAAAA", "Last unit does not have enough valid bits"],
  ["A=", "Last unit does not have enough valid bits"],
  ["A==", "Last unit does not have enough valid bits"],
  ["AA=", "Input byte array has wrong 4-byte ending unit"],
  ["AA=A", "Input byte array has wrong 4-byte ending unit"],
  ["AAAA=", "Input byte array has wrong 4-byte ending unit"],
  ["==", "Input byte array has wrong 4-byte ending unit"],
  ["AA==A", "Input byte array has incorrect ending byte at 4"],
  ["AAA==", "Input byte array has incorrect ending byte at 4"],
  ["AAA=AA", "Input byte array has incorrect ending byte at 4"],
  ["AAAAAA==BB", "Input byte array has incorrect ending byte at 8"],
  ["A-A", "Illegal base64 character 2d"],
  ["AAü", "Illegal base64 character -4"],
  ["AA漢A", "Illegal base64 character 3f"],
])("the fault of %s is worded as the reference words it", (encoded, text) => {
  expect(base64ErrorText(parseBase64(`base64:${encoded}`) as Base64Error, `base64:${encoded}`)).toBe(text);
});
