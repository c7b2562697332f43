import { check, isOk } from 'plimsoll'
import { settle } from '../functions/_account.ts'
import { count, crowd } from '../functions/_crowd.ts'

const clause = 'unspecified.implied.burst-window'
/** What is sent first, 40 seconds later, and once the first of it is more than a minute ago. */
const [few, most, last] = [100, 900, 200]

/** What kind of window lets so many of the last pass. */
function kindOf(served: number): string {
  if (served === few) return 'a window that slides'
  return served === last ? 'a window that begins anew' : 'neither of the usual windows'
}

export default check({
  title: 'Which kind of minute the burst limit of the free plan counts in',
  clauses: [clause],
  expectedReplies: [429],
  needs: ['edge', 'account', 'deploy', 'clock'],
  alone: ['clock'],
  async run(context) {
    const { shared } = await settle(context, 'free')
    const first = await crowd(shared, few)
    await context.adapter.clock(40_000)
    const second = await crowd(shared, most)
    await context.adapter.clock(22_000)
    const third = await crowd(shared, last)
    const served = [first, second, third].map((replies) => count(replies, isOk))
    const seen =
      `${served[0]} of ${few} are served, 40 s later ${served[1]} of ${most}, ` +
      `22 s later ${served[2]} of ${last}: ${kindOf(served[2]!)}`
    context.observe(clause, seen, third.at(-1)!)
  }
})
