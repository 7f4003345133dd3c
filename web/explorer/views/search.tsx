import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { replaceLocation } from "../frame/page-location.ts";
import { findPath } from "../node/search.ts";
import { useLoaded } from "../node/use-node-data.ts";
import { Title } from "../parts/title.tsx";
import { Waiting } from "../parts/waiting.tsx";

/** Resolves a search text and opens its view. */
export function SearchView({ text }: { readonly text: string }): VNode {
  const response = useLoaded(() => findPath(text), text);
  const path = response.is === "here" ? response.value : undefined;
  useEffect(() => {
    if (path !== undefined) replaceLocation(path);
  }, [path]);
  return (
    <>
      <Title kind="Search" name={text} />
      <Waiting loadable={response}>
        {(found) =>
          found === undefined && (
            <div class="nothing">
              Nothing on this chain goes by this name: no block, transaction, account, alias, asset or lease.
            </div>
          )
        }
      </Waiting>
    </>
  );
}
