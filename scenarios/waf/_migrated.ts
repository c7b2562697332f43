import { setTimeout as sleep } from 'node:timers/promises'
import './_capabilities.ts'

/** How much longer than it is to take a migration may be pending, and still be under way. */
const graceMs = 5_000

/**
 * Waits, asking again, until the migration of a zone of `plimsoll platform` is not pending; of one
 * that stays so long after it was to be over nothing is under way, whatever it says.
 */
export async function migrated(
  ask: () => Promise<{ state: string; completionMs: number }>
): Promise<void> {
  const began = performance.now()
  for (;;) {
    const { state, completionMs } = await ask()
    if (state !== 'pending' || performance.now() - began > completionMs + graceMs) return
    await sleep(20)
  }
}
