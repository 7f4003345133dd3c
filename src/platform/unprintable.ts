/**
 * In a text that others chose, what ends a line, moves a cursor, or turns the order of what stands beside it: controls, separators of
 * lines and paragraphs, marks of direction.
 * @source Unicode, UAX #9 (explicit directional formatting); ECMA-48
 */
export const unshowable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;
