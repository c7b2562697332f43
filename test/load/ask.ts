import type { Load } from '../../src/load/load.ts'
import type { Tally } from '../../src/load/metrics.ts'
import { type LoadResult, mergeShares } from '../../src/load/result.ts'
import { runShare, type ShareOptions } from '../../src/load/run.ts'

/** Carries out a load with one worker, in this thread, and says what came of it. */
export async function ask(
  request: ShareOptions['request'],
  load: Load,
  options: Partial<ShareOptions> = {}
): Promise<Tally & LoadResult> {
  const share = await runShare({
    load,
    request,
    share: { index: 0, count: 1 },
    engine: 'wire',
    seed: 1,
    stopped: () => false,
    ...options
  })
  const result = mergeShares([share])
  return { ...result, ...result.tally }
}
