import { createPool, type Pool } from '../../../src/engine/pool.ts'
import { createSlot, type Slot } from './slot.ts'

/**
 * A place to try a platform out. Threads of its own ask there: who is done with a batch waits until
 * every thread of the pool has come to rest, which is not to depend on another platform.
 */
export type Bench = { slot: Slot; pool: Pool; close(): Promise<void> }

/** Units asked at once of one platform. */
const width = 2

/** Longest time that one unit may take. */
const mostMs = 120_000

/** Sets up a place, with a copy of the project. */
export function openBench(root: string): Bench {
  const slot = createSlot(root)
  const pool = createPool({ workers: width, onQuestion() {}, mostMs })
  return {
    slot,
    pool,
    async close() {
      await pool.close()
      slot.close()
    }
  }
}
