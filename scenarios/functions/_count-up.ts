import { setTimeout as pause } from 'node:timers/promises'
import type { Context, Judge, Reply } from 'plimsoll'
import { graceMs } from './_stage.ts'

/** How often that is asked for which is refused too early. */
const tries = 3

/**
 * Does something again and again until it is refused or was done once too often, and judges that it
 * was done exactly as often as documented.
 */
export async function countUp(
  { verify }: Judge & Context,
  options: {
    clause: string
    most: number
    unit: string
    /** Does it once more; resolves to why it was refused, if it was. */
    once: (number: number) => Promise<string | undefined>
    /** Asks the target, as evidence that what was done has an effect. */
    evidence: (done: number) => Promise<Reply>
  }
): Promise<void> {
  const { clause, most, unit, once, evidence } = options
  let done = 0
  let refused: string | undefined
  while (done <= most && refused === undefined) {
    refused = await once(done)
    // A limit refuses it again, and what has failed for another reason need not.
    for (let again = 1; refused !== undefined && done < most && again < tries; again++) {
      await pause(graceMs)
      refused = await once(done)
    }
    if (refused === undefined) done++
  }
  const reply = await evidence(done)
  const fate = refused === undefined ? 'no refusal' : `then refused: ${refused}`
  verify(clause, { holds: done === most, saw: `${done} ${unit}, ${fate}` }, reply)
}
