/** Requests to a server that has too little time at first. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { patientFetch } from "../../../verification/conformance/patient-fetch.ts";

const busy = [503, '{"message":"The server was not able to produce a timely response to your request."}'] as const;
const pauses = [1, 1];

/** @param answers status and text, the last of them again and again */
async function serverOf(...answers: readonly (readonly [number, string])[]): Promise<string> {
  let asked = 0;
  const server = createServer((_, response) => {
    const [status, text] = answers[Math.min(asked++, answers.length - 1)] as readonly [number, string];
    response.writeHead(status).end(text);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a node that had too little time is asked again", async () => {
  const url = await serverOf(busy, busy, [200, "yes"]);
  expect(await patientFetch(url, undefined, pauses)).toEqual({ ok: true, status: 200, text: "yes" });
});

test("a node that never has the time is given up", async () => {
  expect(await patientFetch(await serverOf(busy), undefined, pauses)).toMatchObject({ ok: false, status: 503 });
});

test("a refusal is an answer", async () => {
  const url = await serverOf([400, "no"], [200, "yes"]);
  expect(await patientFetch(url, undefined, pauses)).toEqual({ ok: false, status: 400, text: "no" });
});
