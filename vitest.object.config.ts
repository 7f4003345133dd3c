import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { writeForDeployment } from "./local/runtime/web-files.ts";
import { encodeBase58 } from "./src/crypto/base58.ts";
import { privateNetworkSecrets } from "./src/network/networks/private.ts";
import { pollTimeout, testTimeouts } from "./test/support/fixtures/timeouts.ts";

// `wrangler.toml` names the folders, which must be there.
await writeForDeployment();

export default defineConfig({
  plugins: [
    cloudflareTest({
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: { bindings: { WALLET_SEED: encodeBase58(privateNetworkSecrets.walletSeed) } },
    }),
  ],
  test: {
    name: "object",
    include: ["test/**/*.object.test.ts"],
    ...testTimeouts,
    expect: { requireAssertions: true, poll: pollTimeout },
  },
});
