import path from "node:path";
import type { Plugin } from "esbuild";

/** The nodes of tests run what the build has made, not what a clone makes. */
export const installedArtifacts: Plugin = {
  name: "installed artifacts",
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/artifacts-here\.ts$/ }, ({ resolveDir }) => {
      return { path: path.join(resolveDir, "artifacts-installed.ts") };
    });
  },
};
