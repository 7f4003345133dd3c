import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { encodeBase58 } from "./src/crypto/base58.ts";
import { privateNetworkSecrets } from "./src/network/networks/private.ts";

export default defineConfig(async () => {
  // The tests apply them themselves: `applyD1Migrations(env.DB, env.D1_MIGRATIONS)` of `cloudflare:test`.
  const migrations = await readD1Migrations("migrations");
  return {
    plugins: [
      cloudflareTest({
        wrangler: { configPath: "./wrangler.toml" },
        miniflare: {
          bindings: { D1_MIGRATIONS: migrations, WALLET_SEED: encodeBase58(privateNetworkSecrets.walletSeed) },
        },
      }),
    ],
    test: {
      name: "object",
      include: ["test/**/*.object.test.ts"],
      testTimeout: 30_000,
      expect: { requireAssertions: true },
    },
  };
});
