import type { Tally } from '../../src/load/figures/metrics.ts'
import { type LoadResult, mergeShares, type ShareResult } from '../../src/load/figures/result.ts'
import type { Connecting, SendTarget } from '../../src/load/link.ts'
import type { Load } from '../../src/load/load.ts'
import { createPartSender, type Outside, type PartTrial } from '../../src/load/sender.ts'
import type { Share } from '../../src/load/share.ts'

/** What a load can be asked with besides its requests. */
export type AskOptions = Partial<Omit<Connecting, 'connections' | 'pipelining' | 'timeoutMs'>> &
  Partial<Pick<SendTarget, 'checks' | 'metrics'> & PartTrial> &
  Outside & { share?: Share }

/** Carries out one part of a load in this thread: open, one trial, close. */
export async function sendPart(
  request: SendTarget['request'],
  load: Load,
  options: AskOptions = {}
): Promise<ShareResult> {
  const { share = { index: 0, count: 1 }, transport = 'http1', checks, metrics, routes } = options
  const { verifyTls, seed = 1, stopped = () => false, ...rest } = options
  const { connections, pipelining, timeoutMs } = load
  const sender = createPartSender(share, options)
  try {
    const connecting = { transport, connections, pipelining, timeoutMs, verifyTls, routes }
    await sender.open([{ request, checks, metrics, ...connecting }])
    return await sender.trial(0, { ...rest, load, seed, stopped })
  } finally {
    sender.close()
  }
}

/** Carries out a load with one worker, in this thread, and says what came of it. */
export async function ask(...asked: Parameters<typeof sendPart>): Promise<Tally & LoadResult> {
  const result = mergeShares([await sendPart(...asked)])
  return { ...result, ...result.tally }
}
