import type { VNode } from "preact";
import { useId } from "preact/hooks";
import type { Parameter } from "../node/shapes.ts";

interface Props {
  readonly parameter: Parameter;
  readonly typed: string;
  readonly onTyped: (text: string) => void;
}

const placeholders: Readonly<Record<string, string>> = {
  Int: "0",
  ByteVector: "base58, base64:… or 0x…",
  String: "",
};

/** Input field for an argument, chosen by the parameter's type. */
export function ArgumentField({ parameter: { name, type }, ...field }: Props): VNode {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>
        {name} <span class="v-type">{type}</span>
      </label>
      <Field id={id} type={type} {...field} />
    </div>
  );
}

interface FieldProps extends Omit<Props, "parameter"> {
  readonly id: string;
  readonly type: string;
}

function Field({ id, type, typed, onTyped }: FieldProps): VNode {
  if (type === "Boolean") {
    return (
      <select id={id} value={typed} onChange={(event) => onTyped(event.currentTarget.value)}>
        <option>false</option>
        <option>true</option>
      </select>
    );
  }
  const common = { id, value: typed, spellcheck: false, autocomplete: "off" } as const;
  if (type.startsWith("List[")) {
    return (
      <textarea
        {...common}
        rows={3}
        placeholder="an item a line"
        onInput={(event) => onTyped(event.currentTarget.value)}
      />
    );
  }
  return (
    <input
      {...common}
      inputMode={type === "Int" ? "numeric" : "text"}
      placeholder={placeholders[type] ?? type}
      onInput={(event) => onTyped(event.currentTarget.value)}
    />
  );
}
