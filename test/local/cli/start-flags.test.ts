import { describe, expect, it } from "vitest";
import { parseStartFlags } from "../../../local/cli/start-flags.ts";
import { UsageError } from "../../../local/cli/usage-error.ts";

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
      miningMode: {},
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
      miningMode: {},
      isQuiet: false,
      isJson: false,
      inspectorPort: 9229,
      isVersion: false,
      isHelp: false,
    });
    const dev = "--dev --no-automine --interval 250";
    expect(parseStartFlags(dev.split(" ")).miningMode).toEqual({ automine: false, intervalMs: 250 });
    expect(parseStartFlags(["--dev", "--interval", "none"])).toMatchObject({
      isDevChain: true,
      miningMode: { intervalMs: null },
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
    const command = { command: "command", isDevByDefault: true };
    expect(() => parseStartFlags(["--no-dev", "--json"], command)).toThrow("--json requires --dev");
    expect(() => parseStartFlags(["--no-dev", "--interval", "5"], command)).toThrow("requires --dev");
  });

  it.each([
    [["--netwrok", "mainnet"], "--netwrok is not a flag of npm start: did you mean --network?"],
    [["--frobnicate"], "--frobnicate is not a flag of npm start: --help lists the flags."],
    [["mainnet"], '"mainnet" is not a flag: flags begin with --.'],
    [["--port"], "--port expects a value after it."],
    [["--port", "--memory"], "--port expects a value after it."],
    [["--port", "http"], '--port expects a whole number from 0 to 65535, got "http".'],
    [["--port", "65536"], '--port expects a whole number from 0 to 65535, got "65536".'],
    [["--port", "1e3"], '--port expects a whole number from 0 to 65535, got "1e3".'],
    [["--inspect", "0"], '--inspect expects a whole number from 1 to 65535, got "0".'],
    [["--host", "a/b"], '--host expects an address or a host name, got "a/b".'],
    [["--memory=no"], '--memory takes no value, got "no".'],
    [["--import", "f", "--to-height", "0"], '--to-height expects a height: a whole number from 1, got "0".'],
    [["--to-height", "5"], "--to-height requires --import FILE."],
    [
      ["--memory", "--data", "d"],
      "--memory and --data cannot be combined: without a stored state there is no data directory.",
    ],
    [["--interval", "250"], "--interval requires --dev: it sets when a dev chain gets blocks."],
    [["--no-automine"], "--no-automine requires --dev: it sets when a dev chain gets blocks."],
    [["--dev", "--interval", "0"], '--interval expects milliseconds, or none, got "0".'],
    [["--dev", "--interval", "often"], '--interval expects milliseconds, or none, got "often".'],
    [["--dev", "--light"], "--light cannot be used with a dev chain, which has no peers."],
    [["--snapshots", "f"], "--snapshots requires --import FILE."],
    [["--peers", "a:b"], '--peers expects host:port, several with commas between them, or none, got "a:b".'],
    [["--p2p-port", "65536"], '--p2p-port expects a whole number from 0 to 65535, got "65536".'],
    [["--dev", "--peers", "a:1"], "--peers cannot be used with a dev chain, which has no peers."],
    [["--fork", "http://a", "--p2p-port", "1"], "--p2p-port cannot be used with a fork, which has no peers."],
  ])("refuses %j in one sentence", (args, message) => {
    expect(() => parseStartFlags(args)).toThrow(new UsageError(message));
  });
});
