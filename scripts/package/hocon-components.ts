/** The HOCON parser imports its parts by computed names without an extension, which a bundler cannot resolve. */
import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

const request = /require \(`\.\.\/\$\{\w\}\/\$\{\w\}`\)/g;

export const hoconComponents: Plugin = {
  name: "parts of the HOCON parser",
  setup: ({ onLoad }) => {
    onLoad({ filter: /hocon-parser[\\/]lib[\\/]core[\\/]Context\.js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      if (text.match(request)?.length !== 1) throw new Error(`${path} is another one than hocon-components.ts knows`);
      return { contents: text.replace(request, (call) => call.replace("`)", ".js`)")) };
    });
  },
};
