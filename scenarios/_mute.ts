import type { Reply } from 'plimsoll'

/** How often who does not answer is asked: a slow one is late once, and a mute one each time. */
export const times = 3

/** How long what is asked for beside may take at most, and still be there at once. */
export const soonMs = 2_000

/**
 * The first answer that comes to its end. Where none does, something is asked for beside it that
 * the same place has to answer: only where that comes each time again is it `isMute`, and neither
 * the place nor the machine is to blame. Part of an answer, behind which nothing comes, is none.
 * `isLate` is what had to be asked for again.
 */
export async function unlessMute(
  ask: () => Promise<Reply>,
  beside: () => Promise<boolean>
): Promise<{ reply: Reply; isMute: boolean; isLate: boolean }> {
  let reply = await ask()
  const isLate = reply.kind === 'timeout'
  let isMute = isLate
  for (let asked = 1; isMute && asked < times; asked++) {
    const [again, isThere] = await Promise.all([ask(), beside()])
    isMute = isThere && again.kind === 'timeout'
    reply = again
  }
  return { reply, isMute, isLate }
}
