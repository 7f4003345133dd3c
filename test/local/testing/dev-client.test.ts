import { expect, test } from "vitest";
import { DevClient } from "../../../local/testing/dev-client.ts";
import { DevNodeError } from "../../../local/testing/dev-node-error.ts";
import { fakeNode } from "../../support/fakes/fake-node.ts";

const address = "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF";
const apiKey = "a key";

async function clientOf(...parameters: Parameters<typeof fakeNode>) {
  const { url, requests } = await fakeNode(...parameters);
  return { client: new DevClient({ url: `${url}/`, apiKey }), asked: requests };
}

const calls: readonly (readonly [string, (client: DevClient) => Promise<unknown>, string, string])[] = [
  ["mine", (client) => client.mine(), "/dev/mine", '{"blocks":1}'],
  ["mine, apart", (client) => client.mine(3, { interval: 5 }), "/dev/mine", '{"blocks":3,"interval":5}'],
  ["automine", (client) => client.automine(false), "/dev/automine", '{"enabled":false}'],
  ["interval", (client) => client.setInterval(null), "/dev/interval", '{"milliseconds":null}'],
  ["a time", (client) => client.setTime(new Date(1_800_000_000_000)), "/dev/setTime", '{"time":1800000000000}'],
  ["more time", (client) => client.increaseTime(60_000), "/dev/increaseTime", '{"milliseconds":60000}'],
  ["snapshot", (client) => client.snapshot(), "/dev/snapshot", "{}"],
  ["a named snapshot", (client) => client.snapshot("mine"), "/dev/snapshot", '{"name":"mine"}'],
  ["revert", (client) => client.revert("1"), "/dev/revert", '{"name":"1"}'],
  ["reset", (client) => client.reset(), "/dev/reset", "{}"],
  ["fund", (client) => client.fund("A", 2n ** 62n), "/dev/fund", '{"address":"A","amount":4611686018427387904}'],
  ["impersonate", (client) => client.impersonate("A"), "/dev/impersonate", '{"address":"A","enabled":true}'],
  [
    "data of all types",
    (client) => client.setData("A", { n: 7n, m: 8, b: true, s: 'a "text"', x: new Uint8Array([1, 2]), gone: null }),
    "/dev/setData",
    `{"address":"A","entries":[{"key":"n","type":"integer","value":7},{"key":"m","type":"integer","value":8},{"key":"b","type":"boolean","value":true},{"key":"s","type":"string","value":"a \\"text\\""},{"key":"x","type":"binary","value":"base64:AQI="},{"key":"gone","value":null}]}`,
  ],
  [
    "data as the node writes it",
    (client) => client.setData("A", [{ key: "n", type: "integer", value: 9_007_199_254_740_993n }]),
    "/dev/setData",
    '{"address":"A","entries":[{"key":"n","type":"integer","value":9007199254740993}]}',
  ],
  ["no script", (client) => client.setScript("A", null), "/dev/setScript", '{"address":"A","script":null}'],
  [
    "a compiled script",
    (client) => client.setScript("A", "base64:AQ=="),
    "/dev/setScript",
    '{"address":"A","script":"base64:AQ=="}',
  ],
  [
    "a script of an account that has sent nothing",
    (client) => client.setScript("AXbaBkJNocyrVpwqTzD4TpUY8fQ6eeRto9k1m2bNCzXV", null),
    "/dev/setScript",
    '{"publicKey":"AXbaBkJNocyrVpwqTzD4TpUY8fQ6eeRto9k1m2bNCzXV","script":null}',
  ],
  ["WAVES", (client) => client.setBalance("A", 5), "/dev/setBalance", '{"address":"A","assetId":null,"amount":5}'],
  [
    "an asset",
    (client) => client.setBalance("A", 5, "B"),
    "/dev/setBalance",
    '{"address":"A","assetId":"B","amount":5}',
  ],
];

test.each(calls)("%s is asked of the node with the key", async (_, call, path, body) => {
  const { client, asked } = await clientOf(() => [200, { height: 7 }]);
  expect(await call(client)).toEqual({ height: 7 });
  expect(asked).toEqual([{ request: `POST ${path}`, key: apiKey, type: "application/json", body }]);
});

test("source in Ride is compiled by the node first", async () => {
  const { client, asked } = await clientOf((request) => [
    200,
    request.includes("compile") ? { script: "base64:AA==" } : { height: 2 },
  ]);
  await client.setScript(address, "true");
  expect(asked.map(({ request, body }) => [request, body])).toEqual([
    ["POST /utils/script/compileCode", "true"],
    ["POST /dev/setScript", `{"address":"${address}","script":"base64:AA=="}`],
  ]);
});

test("a dump is bytes, and goes back as it came", async () => {
  const { client, asked } = await clientOf((request) => [200, request.startsWith("GET") ? "the state" : { height: 9 }]);
  const state = await client.dump();
  expect(Buffer.from(state).toString()).toBe("the state");
  expect(await client.load(state)).toEqual({ height: 9 });
  expect(asked[1]).toMatchObject({ body: "the state", type: "application/octet-stream" });
});

test("what the node refuses is told in its words, with its numbers", async () => {
  const { client } = await clientOf(() => [400, { error: 199, message: 'there is no snapshot "x"' }]);
  const refused = await client.revert("x").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(DevNodeError);
  expect(refused).toMatchObject({ message: 'there is no snapshot "x"', status: 400, code: 199, name: "DevNodeError" });
});

test("a node that is no dev chain is told of as one", async () => {
  const { client } = await clientOf(() => [404, "The requested resource could not be found."]);
  await expect(client.mine()).rejects.toThrow("it is no dev chain");
});

test("a node that is not there is told of by its URL", async () => {
  const client = new DevClient({ url: "http://127.0.0.1:9", apiKey });
  await expect(client.status()).rejects.toThrow("There is no node at http://127.0.0.1:9");
});

test("a number with a fraction is no entry of data", async () => {
  const { client, asked } = await clientOf(() => [200, {}]);
  await expect(async () => client.setData(address, { part: 0.5 })).rejects.toThrow("part: 0.5 is no value");
  expect(asked).toEqual([]);
});
