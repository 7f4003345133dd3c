/**
 * The reference compiler, changed to build its tables on demand. Before its first script it merges the function tables
 * of every library version with all kinds of scripts, for rare requests: that blocks its isolate for a second, and
 * occupies 34 MB for good. The two tables become views that fill with the same values as they are read.
 * @source Waves: lang/utils/package.scala (combinedEvaluationContext, combinedFunctionCosts)
 */

import { changed } from "./compiler-text.ts";

/** Changes to the package's text. `fh` makes a map of a view; a view has every operation that is used of the map. */
const changes = [
  {
    from: "this.NI=fh(0,new Eh(new Fh(c),new N(h=>{De();h=wn(new jm(h),new N(k=>k.mc()));return Oba((Ko(),new Lo),h)})))",
    to: "this.NI=new Eh(new Fh(c),new N(remembered(h=>{De();h=wn(new jm(h),new N(k=>k.mc()));return Oba((Ko(),new Lo),h)})))",
  },
  {
    from: "this.XR=fh(0,new Eh(new Fh(c),new N(h=>wn(new jm(h),new N(k=>k.mc())).Bd(Ck(),new Yi((k,n)=>k.gd(n))))))",
    to: "this.XR=new Eh(new Fh(c),new N(remembered(h=>wn(new jm(h),new N(k=>k.mc())).Bd(Ck(),new Yi((k,n)=>k.gd(n))))))",
  },
] as const;

const remembered =
  "function remembered(f){const known=new Map();return h=>{if(!known.has(h))known.set(h,f(h));return known.get(h)}}";

/**
 * @param text of the package
 * @throws Error when the text is not the one that the changes were made for
 */
export function withLazyTables(text: string): string {
  return `${changes.reduce(changed, text)}\n${remembered}\n`;
}
