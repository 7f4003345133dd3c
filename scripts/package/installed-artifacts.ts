import path from "node:path";
import type { Plugin } from "esbuild";

/** Test nodes of the package run the build's output, not that of a clone. */
export const installedArtifacts: Plugin = {
  name: "installed artifacts",
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/artifacts-here\.ts$/ }, ({ resolveDir }) => {
      return { path: path.join(resolveDir, "artifacts-installed.ts") };
    });
  },
};
