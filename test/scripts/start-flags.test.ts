import { describe, expect, it } from "vitest";
import { parseStartFlags } from "../../scripts/cli/start-flags.ts";
import { UsageError } from "../../scripts/cli/usage-error.ts";

describe("parseStartFlags", () => {
  it("runs the private network on port 6869 of this machine when nothing is said", () => {
    expect(parseStartFlags([])).toEqual({
      network: "private",
      port: 6869,
      host: "127.0.0.1",
      isHostGiven: false,
      peers: undefined,
      p2pPort: undefined,
      isKnownKeyAllowed: false,
      dataDirectory: undefined,
      secretsFile: undefined,
      isInMemory: false,
      importFile: undefined,
      snapshotsFile: undefined,
      exportedPast: "all",
      importToHeight: undefined,
      isMining: true,
      isLight: false,
      isDevChain: false,
      fork: undefined,
      isNetworkGiven: false,
      accounts: 10,
      pace: {},
      isQuiet: false,
      isJson: false,
      inspectorPort: undefined,
      isVersion: false,
      isHelp: false,
    });
  });

  it("reads every flag, with a blank or an equals sign before the value", () => {
    const args =
      "--network mainnet --port=80 --host ::1 --data d --import f --snapshots s --to-height 31 --no-mining --light --inspect 9229 --peers a:1,wss://b/p2p --p2p-port 6863";
    expect(parseStartFlags(args.split(" "))).toEqual({
      network: "mainnet",
      port: 80,
      host: "::1",
      isHostGiven: true,
      peers: "a:1,wss://b/p2p",
      p2pPort: 6863,
      isKnownKeyAllowed: false,
      dataDirectory: "d",
      secretsFile: undefined,
      isInMemory: false,
      importFile: "f",
      snapshotsFile: "s",
      exportedPast: "all",
      importToHeight: 31,
      isMining: false,
      isLight: true,
      isDevChain: false,
      fork: undefined,
      isNetworkGiven: true,
      accounts: 10,
      pace: {},
      isQuiet: false,
      isJson: false,
      inspectorPort: 9229,
      isVersion: false,
      isHelp: false,
    });
    const dev = "--dev --no-automine --interval 250";
    expect(parseStartFlags(dev.split(" ")).pace).toEqual({ automine: false, intervalMs: 250 });
    expect(parseStartFlags(["--dev", "--interval", "none"])).toMatchObject({
      isDevChain: true,
      pace: { intervalMs: null },
    });
    expect(parseStartFlags(["--memory"]).isInMemory).toBe(true);
    expect(parseStartFlags(["--help"]).isHelp).toBe(true);
    expect(parseStartFlags(["--known-key"]).isKnownKeyAllowed).toBe(true);
    expect(parseStartFlags(["--version"]).isVersion).toBe(true);
    expect(parseStartFlags(["--quiet"]).isQuiet).toBe(true);
    expect(parseStartFlags(["--secrets", ".dev.vars"]).secretsFile).toBe(".dev.vars");
  });

  it.each([
    ["", undefined],
    ["--network private", undefined],
    ["--dev", true],
    ["--interval none", true],
    ["--no-automine", true],
    ["--json", true],
    ["--no-dev", false],
    ["--dev --no-dev", false],
    ["--no-dev --dev", true],
  ])("where dev chains are made by default, %j says of it %j", (line, expected) => {
    const args = line.split(" ").filter(Boolean);
    expect(parseStartFlags(args, { command: "command", isDevByDefault: true }).isDevChain).toBe(expected);
  });

  it("where dev chains are made by default, what only they have is refused without them", () => {
    const home = { command: "command", isDevByDefault: true };
    expect(() => parseStartFlags(["--no-dev", "--json"], home)).toThrow("--json is the log of a dev chain");
    expect(() => parseStartFlags(["--no-dev", "--interval", "5"], home)).toThrow("give --dev with it");
  });

  it.each([
    [["--netwrok", "mainnet"], "--netwrok is not a flag of npm start: did you mean --network?"],
    [["--frobnicate"], "--frobnicate is not a flag of npm start: --help lists the flags."],
    [["mainnet"], '"mainnet" is not a flag: flags begin with --.'],
    [["--port"], "--port wants a value after it."],
    [["--port", "--memory"], "--port wants a value after it."],
    [["--port", "http"], '--port wants a whole number from 0 to 65535, but "http" was given.'],
    [["--port", "65536"], '--port wants a whole number from 0 to 65535, but "65536" was given.'],
    [["--port", "1e3"], '--port wants a whole number from 0 to 65535, but "1e3" was given.'],
    [["--inspect", "0"], '--inspect wants a whole number from 1 to 65535, but "0" was given.'],
    [["--host", "a/b"], '--host wants an address or a host name, but "a/b" was given.'],
    [["--memory=no"], '--memory takes no value, but "no" was given.'],
    [["--import", "f", "--to-height", "0"], '--to-height wants a height: a whole number from 1, but "0" was given.'],
    [["--to-height", "5"], "--to-height says where an import stops: give --import FILE with it."],
    [["--memory", "--data", "d"], "--memory keeps no state and --data names a place to keep it: give one of them."],
    [["--interval", "250"], "--interval says when a dev chain gets blocks: give --dev with it."],
    [["--no-automine"], "--no-automine says when a dev chain gets blocks: give --dev with it."],
    [["--dev", "--interval", "0"], '--interval wants milliseconds, or none, but "0" was given.'],
    [["--dev", "--interval", "often"], '--interval wants milliseconds, or none, but "often" was given.'],
    [["--dev", "--light"], "A dev chain is nobody else's, and has no peers: give it without --light."],
    [["--snapshots", "f"], "--snapshots goes with the blocks of an import: give --import FILE with it."],
    [["--peers", "a:b"], '--peers wants host:port, several with commas between them, or none, but "a:b" was given.'],
    [["--p2p-port", "65536"], '--p2p-port wants a whole number from 0 to 65535, but "65536" was given.'],
    [["--dev", "--peers", "a:1"], "A dev chain is nobody else's, and has no peers: give it without --peers."],
    [
      ["--fork", "http://a", "--p2p-port", "1"],
      "A fork is nobody else's, and has no peers: give it without --p2p-port.",
    ],
  ])("refuses %j in one sentence", (args, sentence) => {
    expect(() => parseStartFlags(args)).toThrow(new UsageError(sentence));
  });
});
