/** All stored records of a dev chain's owner. */
import { miningModeRecord } from "./block-controls.ts";
import { clockRecord } from "./dev-clock.ts";
import { impersonatedRecord } from "./impersonation.ts";
import type { MetaRecord, MetaStore } from "./meta-record.ts";

const ownerRecords: readonly MetaRecord<unknown>[] = [clockRecord, miningModeRecord, impersonatedRecord];

/** Names of the present but invalid records. @param meta metadata of a state */
export function unreadableRecords(meta: Pick<MetaStore, "findMeta">): readonly string[] {
  const isUnreadable = ({ name, parse }: MetaRecord<unknown>) => {
    const text = meta.findMeta(name);
    return text !== undefined && parse(text) === undefined;
  };
  return ownerRecords.filter(isUnreadable).map(({ name }) => name);
}
