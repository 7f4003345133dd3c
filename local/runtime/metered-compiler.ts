/**
 * The reference compiler, changed to count its work and to stop: it cannot be interrupted otherwise, and thirty lines
 * can take it more time and memory than available (types that double with each line, repeated `FOLD<1000>`). Each call
 * of a function and each round of a loop is a step.
 */
import { changed, withStatementInEach } from "./compiler-text.ts";

const step = "--stepsLeft$<0&&stepsSpent$()";
/** Steps for an appended character: the text of a type is made of its parts' texts, and could double with each step. */
const TEXT_STEPS = 5;
/** Change to the function that appends the texts of a list. */
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
 * A compiler that does the same, with two more functions. `allowSteps` sets the number of allowed steps, and returns
 * how many of those allowed before were left, below 0 if it has stopped. `another` makes a new compiler, because a
 * stopped one may be half initialized.
 * @param text of the package, or the result of `withLazyTables`
 * @throws Error when the text is not the one that the changes were made for
 */
export function withStepCount(text: string): string {
  return head + withStatementInEach(changed(text, joined), step) + foot;
}
