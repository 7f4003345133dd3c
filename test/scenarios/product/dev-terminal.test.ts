/** Dev chain on a terminal: its output, and the commands that control it. */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { broadcast, invokeScript, setScript, transfer } from "@waves/waves-transactions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAccounts } from "../../../local/testing/accounts.ts";
import { type LocalNode, projectRoot, readyNode, startNode } from "../../../verification/local-node.ts";
import { getJson, temporaryFolder } from "../../support/builders/started-node.ts";

const execute = promisify(execFile);
const temporary = temporaryFolder();
const chainId = "R";
const [alice, bob] = makeAccounts("waves dev chain", 2, chainId.charCodeAt(0));
const masterAddress = "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF";

let node: LocalNode;
beforeAll(async () => {
  node = await readyNode(["--memory", "--dev", "--interval", "none"]);
});
afterAll(async () => {
  await node.stop();
  temporary.remove();
});

/** `npm run dev -- ...`, without npm. @returns its output, with its exit code after an error */
async function command(...args: readonly string[]) {
  const script = path.join(projectRoot, "scripts", "dev.mjs");
  const environment = { ...process.env, WAVES_NODE_URL: node.url };
  const options = { cwd: temporary.path, env: environment };
  return execute(process.execPath, [script, ...args], options).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
  );
}

const lines = (): readonly string[] => node.output().split("\n");
const expectLines = (line: RegExp) => expect.poll(() => lines().filter((each) => line.test(each)));

test("prints its address, the accounts with WAVES, and the mining mode", async () => {
  const { output } = node;
  // The last of them.
  await expectLines(/^ {2}account .* account 10$/).toHaveLength(1);
  expect(output()).toContain(`explorer ${node.url}/explorer`);
  expect(output()).toMatch(/^ {2}API key {2}waves-private-node$/m);
  expect(output()).toMatch(/^ {2}blocks {3}one for each transaction, at once$/m);
  expect(output()).toMatch(new RegExp(`^ {2}account {2}${alice?.address} {2}1,000 WAVES +${alice?.seed}$`, "m"));
  expect(lines().filter((line) => line.startsWith("  account  "))).toHaveLength(11);
});

test("shows a line for each request, block and transaction", async () => {
  await broadcast(
    transfer({ recipient: bob?.address ?? "", amount: 250_000_000, chainId }, alice?.seed ?? ""),
    node.url,
  );
  await expectLines(/^POST \/transactions\/broadcast 200 [\d.]+ ms$/).toHaveLength(1);
  await expectLines(/^block 3 {2}1 transaction {2}3M4q…nWxF$/).toHaveLength(1);
  await expectLines(/^ {2}transfer +\S+ → \S+ 2\.5 WAVES {2}fee 0\.001 WAVES {2}\S+$/).toHaveLength(1);
});

test("prints refusals with the script's message, and failed transactions of a block", async () => {
  const source = `{-# STDLIB_VERSION 6 #-}
{-# CONTENT_TYPE DAPP #-}
{-# SCRIPT_TYPE ACCOUNT #-}
func step(sum: Int, n: Int) = if (sigVerify(base58'', base58'', base58'')) then sum else sum + n
@Callable(i)
func refuse(why: String) = throw("because of " + why)
@Callable(i)
func close() = [BooleanEntry("closed", true)]
@Callable(i)
func work() = {
  strict sum = FOLD<10>([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0, step)
  if (getBoolean("closed").isDefined()) then throw("closed after " + sum.toString()) else []
}`;
  const compiled = await fetch(`${node.url}/utils/script/compileCode`, { method: "POST", body: source });
  const { script } = (await compiled.json()) as { script: string };
  await broadcast(setScript({ script, fee: 2_000_000, chainId }, bob?.seed ?? ""), node.url);
  const call = (name: string, args: { type: "string"; value: string }[]) =>
    invokeScript(
      { dApp: bob?.address ?? "", call: { function: name, args }, fee: name === "close" ? 600_000 : 500_000, chainId },
      alice?.seed ?? "",
    );
  await expect(broadcast(call("refuse", [{ type: "string", value: "a reason" }]), node.url)).rejects.toThrow();
  await expectLines(/^ {2}invoke script .*refuse\("a reason"\).*refused: .*because of a reason/).toHaveLength(1);
  // A transaction that passes when it is sent, but not when a block takes it, is in the block as failed.
  await command("automine", "off");
  for (const name of ["close", "work"]) await broadcast(call(name, []), node.url);
  await command("automine", "on");
  await expectLines(/^ {2}invoke script .*close\(\) {2}fee 0\.006 WAVES, complexity \d+ {2}\S+$/).toHaveLength(1);
  await expectLines(/^ {2}invoke script .*work\(\) .*complexity \d{4} .*failed: closed after 55$/).toHaveLength(1);
});

test("runs the commands", async () => {
  const { height } = await getJson<{ height: number }>(`${node.url}/blocks/height`);
  expect(await command("mine", "6", "--json")).toMatchObject({ code: 0 });
  await expectLines(new RegExp(`^blocks ${height + 1} to ${height + 6} {2}0 transactions$`)).toHaveLength(1);
  expect((await command("snapshot", "here")).said).toMatch(new RegExp(`^name +here\nheight +${height + 6}$`, "m"));
  expect((await command("fund", masterAddress, "1waves")).code).toBe(0);
  expect((await command("dump", "chain.dump")).said).toContain(path.join(temporary.path, "chain.dump"));
  expect((await command("revert", "here")).said).toMatch(new RegExp(`^height +${height + 6}$`, "m"));
  await expectLines(new RegExp(`^back to block ${height + 6}$`)).toHaveLength(1);
  expect((await command("load", "chain.dump")).said).toMatch(new RegExp(`^height +${height + 7}$`, "m"));
  expect((await command("interval", "none")).said).toMatch(/^interval +none$/m);
});

test("prints the error of a command, or the node's refusal", async () => {
  expect(await command("mien")).toEqual({ code: 2, said: 'There is no command "mien": did you mean mine?\n' });
  expect(await command("revert", "nowhere")).toMatchObject({ code: 1, said: expect.stringContaining("nowhere") });
  expect((await command("status", "--url", "http://127.0.0.1:9")).said).toContain("There is no node at");
  expect((await command("status", "--api-key", "wrong")).said).toBe("Provided API key is not correct\n");
});

test("writes lines of JSON for programs, and nothing if it is quiet", async () => {
  const loud = await startNode(["--memory", "--dev", "--json", "--interval", "none"]);
  const quiet = await startNode(["--memory", "--dev", "--quiet", "--interval", "none"]);
  for (const { url, output } of [loud, quiet]) {
    await expect.poll(output).toContain("ready");
    await broadcast(transfer({ recipient: masterAddress, amount: 1, chainId }, alice?.seed ?? ""), url);
  }
  const events = () =>
    loud
      .output()
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  await expect.poll(() => events().at(-1)).toMatchObject({ event: "transaction", height: 3, type: "transfer" });
  expect(events()[0]).toMatchObject({ event: "ready", url: loud.url, height: 2 });
  expect(events()).toContainEqual(expect.objectContaining({ event: "block", height: 3, transactions: 1 }));
  expect(quiet.output()).toBe(`ready ${quiet.url} network=private height=2\n`);
  for (const { process: child, exited } of [loud, quiet]) {
    child.kill("SIGINT");
    await exited;
  }
});
