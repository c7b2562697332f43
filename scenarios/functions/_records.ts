import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from 'plimsoll'
import type { InvocationRecord } from './_capabilities.ts'
import type { Place } from './_probing.ts'
import { patienceMs } from './_stage.ts'

const everyMs = 100

/** The records of a probe, once there are so many, or what there is after a while of waiting. */
export async function recordsOf(
  { adapter }: Context,
  { probe, count }: { probe: Pick<Place, 'function'>; count: number }
): Promise<InvocationRecord[]> {
  for (let waitedMs = 0; ; waitedMs += everyMs) {
    const records = await adapter.invocations(probe.function)
    if (records.length >= count || waitedMs > patienceMs) return records
    await pause(everyMs)
  }
}

/** The first record of a function that some kind of event started, or none after a while. */
export async function recordOf(
  { adapter }: Context,
  { function: id, kind }: { function: string } & Pick<InvocationRecord, 'kind'>
): Promise<InvocationRecord | undefined> {
  for (let waitedMs = 0; ; waitedMs += everyMs) {
    const record = (await adapter.invocations(id)).find((one) => one.kind === kind)
    if (record !== undefined || waitedMs > patienceMs) return record
    await pause(everyMs)
  }
}
