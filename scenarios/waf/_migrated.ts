import { setTimeout as sleep } from 'node:timers/promises'
import './_capabilities.ts'

/** Waits, asking again, until the migration of a zone of `plimsoll platform` is not pending. */
export async function migrated(ask: () => Promise<{ state: string }>): Promise<void> {
  for (let { state } = await ask(); state === 'pending'; { state } = await ask()) await sleep(20)
}
