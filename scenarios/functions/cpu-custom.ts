import { check } from 'plimsoll'
import { judgeOverruns } from './_overrun.ts'
import { versions } from './_version.ts'

const custom = 'runtime.custom-cpu-limit'
/** Which limits can be set is not said: who takes one of these has such limits. */
const choices = [40, 100, 250]

export default check({
  title: 'A function can be given a limit of processor time of its own',
  clauses: [custom],
  expectedReplies: [503],
  needs: ['edge', 'account', 'deploy'],
  async run(context) {
    const { ask, attempt, host } = await versions(context, 'standard')
    const worker = { edge: context.edge, ask, host, path: '/' }
    const refusals: string[] = []
    for (const cpuMs of choices) {
      const { refused, reply } = await attempt({ cpuMs }, { do: 'count' })
      if (refused === undefined)
        return judgeOverruns(context, { worker, clause: custom, limitMs: cpuMs })
      refusals.push(`${cpuMs} ms: ${refused}`)
      const saw = `each limit is refused: ${refusals.join('; ')}`
      if (refusals.length === choices.length) context.verify(custom, { holds: false, saw }, reply)
    }
  }
})
