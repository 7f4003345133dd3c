import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { expect, it } from "vitest";
import { PartitionProxy } from "../../../../verification/conformance/network/partition-proxy.ts";
import { freePort } from "../../../../verification/local-node.ts";

it("a door passes on both ways while it is open, and cuts what goes through it", async () => {
  const echo = createServer((socket) => socket.on("error", () => {}).pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  const proxy = new PartitionProxy(await freePort(), (echo.address() as AddressInfo).port);
  await proxy.open();
  const port = Number(proxy.address.split(":")[1]);
  const caller = connect(port, "127.0.0.1");
  caller.write("there");
  const [back] = (await once(caller, "data")) as [Buffer];
  expect(back.toString()).toBe("there");
  const closed = once(caller, "close");
  await proxy.close();
  await closed;
  const [refusal] = (await once(connect(port, "127.0.0.1"), "error")) as [NodeJS.ErrnoException];
  expect(refusal.code).toBe("ECONNREFUSED");
  await proxy.open();
  const again = connect(port, "127.0.0.1");
  await once(again, "connect");
  again.destroy();
  await proxy.close();
  await new Promise((resolve) => echo.close(resolve));
});
