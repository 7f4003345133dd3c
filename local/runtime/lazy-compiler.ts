/**
 * The reference compiler, made to build what it needs when it needs it. Before its first script it merges the function tables of
 * every library version with all kinds of scripts, for questions that hardly anybody asks: a second in which its isolate
 * answers nobody, and 34 MB that stay. The two tables become views that fill as they are asked, with the same values.
 * @source Waves: lang/utils/package.scala (combinedEvaluationContext, combinedFunctionCosts)
 */

import { changed } from "./compiler-text.ts";

/** In the text of the package, and what takes the place. `fh` makes a map of a view; a view has all that is asked of the map. */
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
 * @throws Error when it is not the text that this was made for
 */
export function withLazyTables(text: string): string {
  return `${changes.reduce(changed, text)}\n${remembered}\n`;
}
