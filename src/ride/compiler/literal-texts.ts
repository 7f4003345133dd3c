/**
 * The package decodes byte literals with its own code, whose errors differ from those of the compiler in a node. This
 * function converts them.
 * @param error with positions, which for a literal are those of its content
 * @source Waves: lang/jvm: Global.scala (base16Decode, base58Decode, base64Decode)
 */
export function asInNode(error: string): string {
  return error
    .replace(
      /requirement failed: Wrong char '.*?' in Base58 string '.*?'(?= in \d+-\d+)/gu,
      "can't parse Base58 string",
    )
    .replace(base64Complaint, "can't parse Base64 string")
    .replace(/Need internal bytes number in (\d+)-(\d+)/g, (_, start: string, end: string) => {
      return `Invalid input length ${Number(end) - Number(start) + 1} in ${start}-${end}`;
    })
    .replace(/(\S+) isn't base16\/hex digit(?= in \d+-\d+)/g, (_, digits: string) => {
      return `Unrecognized character: ${characterText(/[^0-9a-f]/i.exec(digits)?.[0] ?? digits)}`;
    });
}

/** Characters that are not printable are shown as numbers. */
function characterText(character: string): string {
  const code = character.charCodeAt(0);
  return code > 0x20 && code < 0x7f ? character : `0x${code.toString(16)}`;
}

const base64Complaint =
  /(?:Illegal base64 character \S+|Last unit does not have enough valid bits|Input byte array has [\w -]+?)(?= in \d+-\d+)/g;
