import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { runDevCommand } from "../../scripts/dev.ts";

afterEach(() => void vi.restoreAllMocks());

test("what a node says against a command does not act on the terminal", async () => {
  const server = http.createServer((_, response) => {
    const message = "\x1b[2J\u202eno\nsuch";
    response.writeHead(400, { "Content-Type": "application/json" }).end(JSON.stringify({ error: 199, message }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const written: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const { port } = server.address() as AddressInfo;
  const context = { command: "dev", callerFolder: "." };
  const code = await runDevCommand(context, ["mine", "--url", `http://127.0.0.1:${port}`]);
  server.closeAllConnections();
  server.close();
  expect(code).toBe(1);
  expect(written.join("")).toMatch(/^[^\p{Cc}\u202e]*no such\n$/u);
});
