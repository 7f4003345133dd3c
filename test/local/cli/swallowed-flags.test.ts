import { expect, test } from "vitest";
import { refuseSwallowedFlags } from "../../../local/cli/swallowed-flags.ts";
import { UsageError } from "../../../local/cli/usage-error.ts";

const underNpm = (variables: Record<string, string>) => ({ npm_lifecycle_event: "start", ...variables });

// Variables that npm 11 sets for the script.
test.each([
  ["--memory", { npm_config_memory: "true" }, "npm start -- --memory"],
  ["--no-mining", { npm_config_mining: "" }, "npm start -- --no-mining"],
  ["--dev", { npm_config_dev: "true" }, /npm start -- --dev$/],
  ["--no-dev", { npm_config_dev: "" }, /npm start -- --no-dev$/],
  ["--network mainnet", { npm_config_network: "true" }, "npm start -- --network ..."],
  ["--port=7000", { npm_config_port: "7000" }, "npm start -- --port ..."],
  [
    "--import f --to-height 5",
    { npm_config_import: "true", npm_config_to_height: "true" },
    "--import ... --to-height ...",
  ],
])("npm start %s is refused with the command that was meant", (_, variables, command) => {
  expect(() => refuseSwallowedFlags(underNpm(variables))).toThrow(UsageError);
  expect(() => refuseSwallowedFlags(underNpm(variables))).toThrow(command);
});

test("flags after two dashes leave no trace, and npm's own settings are no flags", () => {
  expect(() =>
    refuseSwallowedFlags(underNpm({ npm_config_user_agent: "npm/11", npm_config_cache: "/x" })),
  ).not.toThrow();
  expect(() => refuseSwallowedFlags({ npm_config_memory: "true" })).not.toThrow();
});
