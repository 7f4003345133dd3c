import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { devHelp, formatResult, parseDevCommand } from "../../../local/cli/dev-command.ts";
import { verbNames, verbUsage } from "../../../local/cli/dev-verbs.ts";
import { defaultNode } from "../../../local/cli/node-connection.ts";
import { UsageError } from "../../../local/cli/usage-error.ts";
import { DevClient } from "../../../local/testing/dev-client.ts";
import { fakeNode } from "../../support/fakes/fake-node.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "node-test-"));
afterAll(() => rmSync(folder, { recursive: true }));
const resolve = (file: string): string => path.join(folder, file);

/** Request that a command line sends to the node. */
async function requestsOf(...args: readonly string[]) {
  const { url, requests } = await fakeNode((request) =>
    request.includes("compile")
      ? [200, { script: "base64:AA==" }]
      : [200, request.includes("dump") ? "state" : { height: 3 }],
  );
  const { run } = parseDevCommand(args);
  const outcome = await run?.({ client: new DevClient({ url, apiKey: "key" }), resolve });
  return { outcome, asked: requests.map(({ request, body }) => `${request} ${body}`.trim()) };
}

test.each([
  ["status", "GET /dev/status"],
  ["mine", 'POST /dev/mine {"blocks":1}'],
  ["mine 5", 'POST /dev/mine {"blocks":5}'],
  ["automine on", 'POST /dev/automine {"enabled":true}'],
  ["automine off", 'POST /dev/automine {"enabled":false}'],
  ["interval 10s", 'POST /dev/interval {"milliseconds":10000}'],
  ["interval none", 'POST /dev/interval {"milliseconds":null}'],
  ["set-time 1800000000000", 'POST /dev/setTime {"time":1800000000000}'],
  ["set-time 2027-01-31T12:00:00Z", 'POST /dev/setTime {"time":1801396800000}'],
  ["increase-time 7d", 'POST /dev/increaseTime {"milliseconds":604800000}'],
  ["snapshot", "POST /dev/snapshot {}"],
  ["snapshot deployed", 'POST /dev/snapshot {"name":"deployed"}'],
  ["revert deployed", 'POST /dev/revert {"name":"deployed"}'],
  ["reset", "POST /dev/reset {}"],
  ["fund A 100", 'POST /dev/fund {"address":"A","amount":100}'],
  ["fund A 1.5waves", 'POST /dev/fund {"address":"A","amount":150000000}'],
  ["impersonate A", 'POST /dev/impersonate {"address":"A","enabled":true}'],
  ["impersonate A off", 'POST /dev/impersonate {"address":"A","enabled":false}'],
  [
    'set-data A {"n":9007199254740993,"s":null}',
    'POST /dev/setData {"address":"A","entries":[{"key":"n","type":"integer","value":9007199254740993},{"key":"s","value":null}]}',
  ],
  ["set-script A none", 'POST /dev/setScript {"address":"A","script":null}'],
  ["set-script A base64:AQ==", 'POST /dev/setScript {"address":"A","script":"base64:AQ=="}'],
  ["set-balance A 7", 'POST /dev/setBalance {"address":"A","assetId":null,"amount":7}'],
  ["set-balance A 7 B", 'POST /dev/setBalance {"address":"A","assetId":"B","amount":7}'],
])("%s", async (line, expected) => {
  const { asked } = await requestsOf(...line.split(" "));
  expect(asked).toEqual([expected]);
});

test("set-script takes source in a file", async () => {
  writeFileSync(resolve("dapp.ride"), "let x = 1\ntrue");
  const { asked } = await requestsOf("set-script", "A", "dapp.ride");
  expect(asked).toEqual([
    "POST /utils/script/compileCode let x = 1\ntrue",
    'POST /dev/setScript {"address":"A","script":"base64:AA=="}',
  ]);
  await expect(requestsOf("set-script", "A", "missing.ride")).rejects.toThrow(UsageError);
});

test("dump writes a file, and load sends it", async () => {
  const { outcome } = await requestsOf("dump", "chain.dump");
  expect(outcome).toEqual({ file: resolve("chain.dump"), bytes: 5 });
  expect(readFileSync(resolve("chain.dump"), "utf8")).toBe("state");
  const { asked } = await requestsOf("load", "chain.dump");
  expect(asked).toEqual(["POST /dev/load state"]);
});

test.each([
  ["mien 5", 'There is no command "mien": did you mean mine?'],
  ["mine 0", 'mine [N]: expected a whole number from 1, got "0".'],
  ["mine 5 6", 'mine [N]: "6" is too much.'],
  ["automine maybe", 'automine on|off: expected on or off, got "maybe".'],
  ["automine toString", 'automine on|off: expected on or off, got "toString".'],
  ["interval 5x", "interval MS|none: expected milliseconds, or 30s, 5m, 2h, 7d, or none"],
  ["set-time soon", "set-time T: expected milliseconds since 1970"],
  ["fund A", "fund ADDRESS AMOUNT: AMOUNT is missing."],
  ["fund A 1.5", "expected wavelets, or WAVES as in 1.5waves"],
  ["set-data A {", "set-data: "],
  ["set-data A 5", "set-data: entries of data are an object or a list."],
  ["status --url nowhere", "--url expects the URL of a node"],
  ["status --colour", "Unknown option '--colour'"],
])("%s is refused with a sentence", async (line, message) => {
  const refused = await requestsOf(...line.split(" ")).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UsageError);
  expect((refused as UsageError).message).toContain(message);
});

test("the node is the one that flags name, or else the environment, or else the private network's", () => {
  const environment = { WAVES_NODE_URL: "http://there:1", WAVES_NODE_API_KEY: "of the environment" };
  expect(parseDevCommand(["status"])).toMatchObject(defaultNode);
  expect(parseDevCommand(["status"], environment)).toMatchObject({
    url: "http://there:1",
    apiKey: "of the environment",
  });
  const flags = ["--url", "http://here:2", "--api-key", "own"];
  expect(parseDevCommand(["status", ...flags], environment)).toMatchObject({ url: "http://here:2", apiKey: "own" });
});

test("the help names every command, and no line is longer than a terminal", () => {
  const help = devHelp("waves-edge-node");
  for (const name of verbNames) expect(help).toMatch(new RegExp(`^  ${name}\\b`, "m"));
  for (const line of help.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  expect(parseDevCommand([]).run).toBeUndefined();
  expect(parseDevCommand(["mine", "--help"]).run).toBeUndefined();
});

test("docs/dev-chains.md names every command", () => {
  const text = readFileSync(path.resolve(import.meta.dirname, "../../../docs/dev-chains.md"), "utf8");
  for (const name of verbNames) expect(text).toContain(`| \`${verbUsage(name).replaceAll("|", "\\|")}\` |`);
});

test("what came of it is shown in lines, or as JSON", () => {
  const status = {
    height: 7,
    time: 1_800_000_000_000,
    automine: true,
    interval: null,
    snapshots: [{ name: "a", height: 3 }],
    impersonated: [],
    fork: null,
  };
  expect(formatResult(status, false)).toBe(`height        7
time          1800000000000 (2027-01-15T08:00:00.000Z)
automine      on
interval      none
snapshots     a at 3
impersonated  none
fork          none
`);
  expect(JSON.parse(formatResult(status, true))).toEqual(status);
});

test("no name on the node acts on the terminal that shows it", () => {
  const hostile = "\x1b[2J\u202e";
  const shown = formatResult(
    { fork: hostile, impersonated: [hostile], snapshots: [{ name: hostile, height: 3 }] },
    false,
  );
  expect(shown).toBe("fork           [2J \nimpersonated   [2J \nsnapshots      [2J  at 3\n");
});
