/**
 * The reference compiler, made to count its work and to stop: it cannot be interrupted otherwise, and thirty lines can take it more
 * time and memory than there are (types that double with each line, `FOLD<1000>` again and again). Each call of a function and each
 * round of a loop is a step.
 */
import { changed, withStatementInEach } from "./compiler-text.ts";

const step = "--stepsLeft$<0&&stepsSpent$()";
/** Steps for a character that is appended: a text of a type is made of its parts' texts, and may double for a step each. */
const TEXT_STEPS = 5;
/** Appends the texts of a list. */
const joined = {
  from: 'for(c=a.w(),h.E=""+h.E+c;a.C();)h.E=""+h.E+d,c=a.w(),h.E=""+h.E+c;',
  to: 'for(c=a.w(),h.E=longer$(h.E,""+h.E+c);a.C();)h.E=""+h.E+d,c=a.w(),h.E=longer$(h.E,""+h.E+c);',
};
/** The largest number that every runtime counts down from without memory. */
const MAX_STEPS = 2 ** 30 - 1;

const head = `function compiler$(){const exports={};let stepsLeft$=${MAX_STEPS};
function stepsSpent$(){stepsLeft$=0;throw new Error("no steps are left")}
function longer$(before,text){stepsLeft$-=${TEXT_STEPS}*(text.length-before.length);return text}
`;
const foot = `
exports.allowSteps=function(steps){const left=stepsLeft$;stepsLeft$=steps;return left};
exports.another=compiler$;
return exports}
module.exports=compiler$();
`;

/**
 * A compiler that does the same, with two functions more. `allowSteps` sets how many steps may come, and returns how many of those
 * allowed before were left, below 0 where it has stopped. `another` makes a new one: what has stopped may be half made.
 * @param text of the package, or what `withLazyTables` makes of it
 * @throws Error when it is not the text that this was made for
 */
export function withStepCount(text: string): string {
  return head + withStatementInEach(changed(text, joined), step) + foot;
}
