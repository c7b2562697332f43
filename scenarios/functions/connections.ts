import { check, isAnswered } from 'plimsoll'
import { outcomesOf } from './_command.ts'
import { attempts, most, occupy } from './_connections.ts'
import { anyProbe } from './_stage.ts'

const queued = 'connections.excess-queued'
const started = 'connections.start-when-closed'

export default check({
  title: 'Attempts beyond six connections wait, and begin when one of the six is closed',
  clauses: [queued, started],
  needs: ['edge', 'probe', 'reach'],
  expectedReplies: ['timeout'],
  async run(context) {
    const { peaks, hasStarted, made, replies } = await occupy(context, await anyProbe(context))
    const [reply] = replies
    if (!isAnswered(reply)) {
      // What came of the six was seen here: that no other follows is no matter of a lost answer.
      const saw = `${made} of ${attempts} attempts are ever made, and no answer comes`
      if (peaks[0] === most && made < attempts) context.verify(queued, { holds: false, saw }, reply)
      return
    }
    const outcomes = outcomesOf(reply)
    if (outcomes.length < attempts) return
    const failed = outcomes.filter(({ error }) => error !== undefined)
    const fate = `${attempts - failed.length} of ${attempts} attempts succeeded`
    const saw = failed.length > 0 ? `${fate}; ${failed[0]!.error}` : fate
    context.verify(queued, { holds: failed.length === 0, saw }, reply)
    // Whether one begins when another ends shows only where some had to wait.
    if (peaks[0] < most || peaks[0] === attempts || failed.length > 0) return
    const words = hasStarted ? 'another begins' : 'none begins'
    context.verify(started, { holds: hasStarted, saw: `one of ${peaks[0]} ended: ${words}` }, reply)
  }
})
