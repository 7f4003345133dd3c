/**
 * Characters that may end a line, move the cursor, or reorder the text around them: controls, separators of lines and
 * paragraphs, marks of direction. For text chosen by others.
 * @source Unicode, UAX #9 (explicit directional formatting); ECMA-48
 */
export const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;
