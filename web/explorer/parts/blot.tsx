import type { VNode } from "preact";

const side = 5;

/** Small symmetric picture derived from a text, so that readers recognize an account. */
export function Blot({ of, large = false }: { readonly of: string; readonly large?: boolean }): VNode {
  const seed = hashOf(of);
  const hue = seed % 360;
  const colours = [`hsl(${hue} 70% 55%)`, `hsl(${(hue + 130) % 360} 60% 50%)`];
  const squares = [];
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < 3; x++) {
      const bits = hashOf(`${of}${x}${y}`);
      if (bits % 5 < 2) continue;
      const fill = colours[bits % 7 < 5 ? 0 : 1];
      squares.push(<rect key={`${x}${y}`} x={x} y={y} width="1.02" height="1.02" fill={fill} />);
      if (x < 2) squares.push(<rect key={`${x}${y}m`} x={side - 1 - x} y={y} width="1.02" height="1.02" fill={fill} />);
    }
  }
  return (
    <svg class={large ? "blot large" : "blot"} viewBox={`0 0 ${side} ${side}`} aria-hidden="true">
      <rect width={side} height={side} fill={`hsl(${hue} 40% 90%)`} />
      {squares}
    </svg>
  );
}

/** FNV-1a, 32 bits: good for pictures, not for secrets. */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93) >>> 0;
  return (hash ^ (hash >>> 15)) >>> 0;
}
