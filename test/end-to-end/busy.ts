import { onTestFinished } from 'vitest'
import { startBusy as start } from '../bench/busy.ts'

/**
 * Starts a server whose every request keeps a core busy for so many microseconds, in a process of
 * its own; it ends with the test.
 */
export async function startBusy({ us }: { us: number }): Promise<{ url: string }> {
  const { url, stop } = await start({ us })
  onTestFinished(stop)
  return { url }
}
