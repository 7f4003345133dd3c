import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { renamePlace } from "../frame/place.ts";
import { placeOf } from "../node/search.ts";
import { useLoaded } from "../node/use-answer.ts";
import { Title } from "../parts/title.tsx";
import { Waiting } from "../parts/waiting.tsx";

/** Finds out what a text stands for, and goes there. */
export function SearchView({ text }: { readonly text: string }): VNode {
  const answer = useLoaded(() => placeOf(text), text);
  const place = answer.is === "here" ? answer.value : undefined;
  useEffect(() => {
    if (place !== undefined) renamePlace(place);
  }, [place]);
  return (
    <>
      <Title kind="Search" name={text} />
      <Waiting answer={answer}>
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
