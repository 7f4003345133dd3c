/**
 * The parser of HOCON asks for its parts by names that it puts together, without the files' ending: a bundler finds none of them.
 */
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
