import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../../local/cli/usage-error.ts";
import { findFreePort } from "../../../local/runtime/free-port.ts";
import { freePort } from "../../../verification/local-node.ts";

describe("findFreePort", () => {
  it("gives a free port for 0, and refuses one that is taken", async () => {
    expect(await findFreePort("127.0.0.1", 0)).toBeGreaterThan(0);
    const port = await freePort();
    expect(await findFreePort("127.0.0.1", port)).toBe(port);

    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const taken = (server.address() as AddressInfo).port;
    await expect(findFreePort("127.0.0.1", taken)).rejects.toThrow(
      new UsageError(`Port ${taken} on 127.0.0.1 is taken by another program: stop it, or give another --port.`),
    );
    server.close();
  });

  it("refuses an address that is not this machine's", async () => {
    await expect(findFreePort("192.0.2.1", 0)).rejects.toThrow(
      new UsageError("--host 192.0.2.1 is not an address of this machine."),
    );
  });
});
