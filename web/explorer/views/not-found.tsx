import type { VNode } from "preact";
import { paths } from "../frame/page-location.ts";
import { Title } from "../parts/title.tsx";

export function NotFound(): VNode {
  return (
    <>
      <Title name="Nothing here" />
      <p>
        The explorer has no such page. <a href={paths.home}>To the chain</a>
      </p>
    </>
  );
}
