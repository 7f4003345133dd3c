/** docs/commands.md, made of the table of commands. */

import { devVerbs, verbNames, verbUsage } from "../../scripts/cli/dev-verbs.ts";
import { nodeByDefault, nodeVariables } from "../../scripts/cli/node-place.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|");

export function commandsText(): string {
  const rows = verbNames.map((name) => `| \`${cell(verbUsage(name))}\` | ${cell(devVerbs[name].about)} |`);
  return `# Commands for a dev chain

Made of the table that they are read by (\`test/scripts/dev-commands-text.ts\`); a test holds it, and writes it anew with
\`npx vitest run test/scripts/dev-command.test.ts -u\`.

\`npx waves-edge-node COMMAND\`, or in a clone \`npm run dev -- COMMAND\`, tells a node that runs what to do:

| Command | Meaning |
|---|---|
${rows.join("\n")}

Amounts are in wavelets or the smallest unit of an asset, or in WAVES as in \`1.5waves\`; times in milliseconds, or as in \`30s\`, \`5m\`,
\`2h\`, \`7d\`.

\`--url URL\` and \`--api-key KEY\` say which node, before \`${nodeVariables.url}\` and \`${nodeVariables.apiKey}\` in the environment; by default
\`${nodeByDefault.url}\` and \`${nodeByDefault.apiKey}\`. \`--json\` shows what came of it as JSON. A command ends with code 2 for what was typed
wrong, and with 1 for what the node has refused.

What they do to the chain: [dev chains](dev-chains.md).
`;
}
