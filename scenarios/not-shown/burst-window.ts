import { check, isOk } from 'plimsoll'
import { settle } from '../functions/_account.ts'
import { count, crowd } from '../functions/_crowd.ts'

const clause = 'unspecified.implied.burst-window'
const half = 500
const more = 600

/** What kind of window lets so many of 600 pass, a minute after the first half of 1,000. */
function kindOf(served: number): string {
  if (served === half) return 'a window that slides'
  return served === more ? 'a window that begins anew' : 'neither of the usual windows'
}

export default check({
  title: 'Which kind of minute the burst limit of the free plan counts in',
  clauses: [clause],
  expectedReplies: [429],
  needs: ['edge', 'account', 'deploy', 'clock'],
  alone: ['clock'],
  async run(context) {
    const { shared } = await settle(context, 'free')
    const first = await crowd(shared, half)
    await context.adapter.clock(40_000)
    const second = await crowd(shared, half)
    await context.adapter.clock(22_000)
    const third = await crowd(shared, more)
    const served = [first, second, third].map((replies) => count(replies, isOk))
    const seen =
      `${served[0]} of ${half} are served, 40 s later ${served[1]} of ${half}, ` +
      `22 s later ${served[2]} of ${more}: ${kindOf(served[2]!)}`
    context.observe(clause, seen, third.at(-1)!)
  }
})
