import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { nodeCalls } from "../../../local/checkpoint/node-calls.ts";
import { readingLine, writingLine } from "../../../local/checkpoint/progress-lines.ts";
import { parseCheckpointCommand } from "../../../local/cli/checkpoint-command.ts";
import { parseStartFlags } from "../../../local/cli/start-flags.ts";

const digest = "0a".repeat(32);

describe("npm run checkpoint", () => {
  test("takes a verb, a file, and which node", () => {
    expect(parseCheckpointCommand(["download", "state"], {})).toEqual({
      ...{ verb: "download", file: "state", digest: undefined },
      ...{ url: "http://127.0.0.1:6869", apiKey: "waves-private-node", past: "all" },
    });
    expect(parseCheckpointCommand(["download", "state", "--past", "none"], {}).past).toBe("none");
    const environment = { WAVES_NODE_URL: "https://node.test/", WAVES_NODE_API_KEY: "key" };
    expect(parseCheckpointCommand(["upload", "state", "--digest", digest], environment)).toMatchObject({
      ...{ verb: "upload", url: "https://node.test", apiKey: "key", digest },
    });
    expect(parseCheckpointCommand(["abandon", "--url", "http://other.test"], environment)).toMatchObject({
      ...{ verb: "abandon", file: "", url: "http://other.test" },
    });
    expect(parseCheckpointCommand([], {}).verb).toBe("help");
    expect(parseCheckpointCommand(["upload", "state", "--help"], {}).verb).toBe("help");
  });

  test.each([
    [["fetch", "state"], 'There is no command "fetch"'],
    [["download"], "download takes one file"],
    [["upload", "one", "two"], "upload takes one file"],
    [["abandon", "one"], "abandon takes no file"],
    [["upload", "one", "--digest", "0a"], "64 digits from 0 to f"],
    [["download", "one", "--digest", digest], "can only be used with upload"],
    [["download", "one", "--url", "node.test:1"], 'got "node.test:1"'],
    [["download", "one", "--deep"], "--deep"],
    [["download", "one", "--past", "some"], '--past expects all or none, got "some"'],
    [["upload", "one", "--past", "none"], "can only be used with download"],
  ])("refuses %o", (args, message) => {
    expect(() => parseCheckpointCommand(args, {})).toThrow(message);
  });
});

describe("npm start", () => {
  test("takes a checkpoint to begin with, and one to write", () => {
    const flags = ["--checkpoint", "one", "--checkpoint-digest", digest, "--export-checkpoint", "two"];
    expect(parseStartFlags(flags)).toMatchObject({
      ...{ checkpointFile: "one", checkpointDigest: digest, exportFile: "two", exportedPast: "all" },
    });
    expect(parseStartFlags(["--export-checkpoint", "two", "--checkpoint-past", "none"]).exportedPast).toBe("none");
  });

  test.each([
    [["--checkpoint-digest", digest], "requires --checkpoint FILE"],
    [["--checkpoint", "one", "--checkpoint-digest", "short"], "64 digits"],
    [["--checkpoint", "one", "--dev"], "A dev chain has no checkpoints"],
    [["--export-checkpoint", "two", "--checkpoint-past", "some"], "--checkpoint-past expects all or none"],
    [["--checkpoint-past", "none"], "requires --export-checkpoint FILE"],
  ])("refuses %o", (flags, message) => {
    expect(() => parseStartFlags(flags)).toThrow(message);
  });
});

test("lines of progress say how far it is", () => {
  const sizes = { height: 5_000, rows: 12_000, sizeBytes: 1_234_567 };
  expect(writingLine({ ...sizes, tablesDone: 3, tables: 24, elapsedMs: 1 })).toBe(
    "height 5000, 3 of 24 tables, 12000 rows, 1.2 MB",
  );
  expect(readingLine({ done: 30, sent: 10, parts: 120, elapsedMs: 1_000 })).toBe("30 of 120 parts, 9 s left");
  const verification = "100 of 2000 blocks are verified";
  expect(readingLine({ done: 30, sent: 10, parts: 30, elapsedMs: 1_000, verification })).toBe(verification);
});

describe("calls over the interface", () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  const nodeThat = async (respond: (body: string, key: string | undefined) => { status: number; text: string }) => {
    const listening = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        const { status, text } = respond(`${request.url} ${body}`, request.headers["x-api-key"] as string);
        response.writeHead(status).end(text);
      });
    });
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
    return nodeCalls({ url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, apiKey: "key" });
  };

  test("are a request each, with the key", async () => {
    const call = await nodeThat((body, key) => ({ status: 200, text: JSON.stringify({ progress: `${key} ${body}` }) }));
    expect(await call({ call: "goOn" })).toEqual({ progress: 'key /debug/checkpoint {"call":"goOn"}' });
  });

  test("say in the node's words why they were refused", async () => {
    const text = '{"error":199,"message":"the file is no checkpoint"}';
    const call = await nodeThat(() => ({ status: 400, text }));
    await expect(call({ call: "goOn" })).rejects.toThrow("The node refuses: the file is no checkpoint.");
  });

  test("are repeated while the node does not respond", async () => {
    let requestCount = 0;
    const call = await nodeThat(() =>
      ++requestCount === 1 ? { status: 503, text: "busy" } : { status: 200, text: "{}" },
    );
    expect(await call({ call: "standing" })).toEqual({});
    expect(requestCount).toBe(2);
  });
});
