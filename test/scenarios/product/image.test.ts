/**
 * Container image without a container engine: the last stage of the Dockerfile is laid out in a folder, and run there.
 * A real build adds Debian and the copy of Node in it.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { projectRoot } from "../../../verification/local-node.ts";
import { type CommandRun, installPackage, startCommand } from "../../support/builders/installed-package.ts";
import { getJson, temporaryFolder } from "../../support/builders/started-node.ts";

/** Instructions of the last stage: name and arguments. */
const instructions = lastStage(readFileSync(path.join(projectRoot, "Dockerfile"), "utf8"));

function lastStage(text: string): readonly (readonly [string, string])[] {
  const lines = text.replaceAll("\\\n", " ").split("\n");
  const from = lines.findLastIndex((line) => line.startsWith("FROM "));
  return lines.slice(from).flatMap((line) => {
    const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : [[name, rest.replace(/ +/g, " ")] as const];
  });
}

const only = (instruction: string): string => {
  const found = instructions.filter(([name]) => name === instruction);
  expect(found, instruction).toHaveLength(1);
  return found[0]?.[1] as string;
};
const copies = instructions.filter(([name]) => name === "COPY").map(([, rest]) => rest);
const healthCheck = (): string[] => JSON.parse(/CMD (\[.*\])$/.exec(only("HEALTHCHECK"))?.[1] as string);

describe("the Dockerfile", () => {
  test("has the interface of the reference's image: port, volume, settings file", () => {
    expect(only("EXPOSE").split(" ")).toContain("6869");
    expect(only("VOLUME")).toBe("/var/lib/waves");
    expect(only("WORKDIR")).toBe("/var/lib/waves");
    expect(copies).toContain("docs/examples/image.conf /etc/waves/waves.conf");
  });

  test("runs as a user that may write to the volume and is not root", () => {
    expect(only("USER")).toBe("node");
    expect(only("RUN")).toContain("mkdir -p /var/lib/waves && chown node:node /var/lib/waves");
  });

  test("copies existing files, and none that .dockerignore excludes", () => {
    const ignored = readFileSync(path.join(projectRoot, ".dockerignore"), "utf8").split("\n");
    const sources = copies.filter((copy) => !copy.startsWith("--from")).map((copy) => copy.split(" ")[0] as string);
    expect(sources.filter((source) => !existsSync(path.join(projectRoot, source)))).toEqual([]);
    expect(sources.filter((source) => ignored.includes(source.split("/")[0] as string))).toEqual([]);
  });

  test("matches the examples", () => {
    const example = (name: string) => parse(readFileSync(path.join(projectRoot, "docs", "examples", name), "utf8"));
    const { services, volumes } = example("compose.yaml");
    expect(services.node.ports).toEqual(["127.0.0.1:6869:6869"]);
    const [volume, place] = services.node.volumes[0].split(":");
    expect(Object.keys(volumes)).toEqual([volume]);
    expect(place).toBe(only("VOLUME"));
    const { jobs } = example("github-actions.yaml");
    expect(jobs["with-the-image"].services.node.ports).toEqual(["6869:6869"]);
  });
});

describe.skipIf(process.platform === "win32")("the container", () => {
  const temporary = temporaryFolder();
  const root = path.join(temporary.path, "root");
  /** Path of the container, on this machine. */
  const inside = (place: string): string => path.join(root, place);
  beforeAll(async () => {
    const { folder } = await installPackage(temporary.path);
    for (const copy of copies) {
      const [source = "", place = ""] = copy.split(" ").slice(-2);
      mkdirSync(path.dirname(inside(place)), { recursive: true });
      // The build has the runtime by a link, which is relative to its own directory.
      if (copy.startsWith("--from=build /installed/")) symlinkSync(path.join(folder, "node_modules"), inside(place));
      else cpSync(path.join(projectRoot, source), inside(place), { recursive: true });
    }
    mkdirSync(inside(only("WORKDIR")), { recursive: true });
    const script = inside(entryPoint()[1] as string);
    writeFileSync(script, readFileSync(script, "utf8").replace(/\/(?=etc\/|opt\/)/g, `${root}/`));
  });
  afterAll(() => temporary.remove());

  const entryPoint = (): string[] => JSON.parse(only("ENTRYPOINT"));
  const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): CommandRun => {
    const [shell = "", script = ""] = entryPoint();
    return startCommand(shell, [inside(script), ...args], inside(only("WORKDIR")), environment);
  };
  const portOf = (url: string): string => new URL(url).port;
  /** Another port than that of the image, which may be in use here. */
  const isHealthy = (port: string): boolean => {
    const [command = "", ...args] = healthCheck();
    return (
      spawnSync(
        command,
        args.map((arg) => arg.replace(":6869/", `:${port}/`)),
      ).status === 0
    );
  };
  const key = { "X-API-Key": "waves-private-node" };

  test("runs the chain of the image, with its key and its seed; its state stays in the volume, and it stops on a signal", async () => {
    const node = run(["--port", "0"]);
    const port = portOf(await node.ready());
    const url = `http://127.0.0.1:${port}`;
    await expect.poll(() => isHealthy(port)).toBe(true);
    const heightOf = async () => (await getJson<{ height: number }>(`${url}/blocks/height`)).height;
    await expect.poll(heightOf).toBeGreaterThan(1);
    expect(await getJson(`${url}/addresses`)).toEqual(["3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF"]);
    expect((await fetch(`${url}/debug/minerInfo`, { headers: key })).status).toBe(200);
    expect((await fetch(`${url}/debug/minerInfo`)).status).toBe(403);
    const { features } = await getJson<{ features: { id: number; blockchainStatus: string }[] }>(
      `${url}/activation/status`,
    );
    const active = features.filter(({ blockchainStatus }) => blockchainStatus === "ACTIVATED");
    expect(active.map(({ id }) => id)).toEqual([...Array.from({ length: 20 }, (_, index) => index + 1), 22, 24, 25]);
    expect((await fetch(`${url}/dev/status`, { headers: key })).status).toBe(404);
    expect(await node.end()).toBe(0);
    expect(isHealthy(port)).toBe(false);
    const again = run(["--port", "0", "--no-mining"]);
    await again.ready();
    expect(Number(/height=(\d+)/.exec(again.output())?.[1])).toBeGreaterThan(1);
    expect(await again.end()).toBe(0);
    expect(existsSync(inside("/var/lib/waves/.waves-edge-node"))).toBe(true);
  });

  test("accepts the image's own variables, a network's name, flags, and a settings file", async () => {
    const seed = "3vczFq";
    const named = run(["--port", "0", "--memory"], { WAVES_NETWORK: "private", WAVES_WALLET_SEED: seed });
    const url = `http://127.0.0.1:${portOf(await named.ready())}`;
    expect(await (await fetch(`${url}/wallet/seed`, { headers: key })).json()).toEqual({ seed });
    expect(named.output()).toContain("network=private");
    expect(await named.end()).toBe(0);
    const dev = run(["--dev", "--port", "0", "--memory", "--quiet"]);
    const devUrl = `http://127.0.0.1:${portOf(await dev.ready())}`;
    expect((await fetch(`${devUrl}/dev/status`, { headers: key })).status).toBe(200);
    expect(await dev.end()).toBe(0);
    const given = run([path.join(projectRoot, "docs", "examples", "network.conf"), "--port", "0", "--memory"]);
    await given.ready();
    expect(given.output()).not.toContain("network=waves ");
    expect(await given.end()).toBe(0);
  });

  test("runs another command if one is given", async () => {
    const other = run(["node", "--print", "1 + 1"]);
    expect(await other.exited).toBe(0);
    expect(other.output()).toBe("2\n");
  });
});
