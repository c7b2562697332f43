import { check } from 'plimsoll'
import { overrun } from './_overrun.ts'
import { versions } from './_version.ts'

const custom = 'runtime.custom-cpu-limit'
const cpuMs = 40

export default check({
  title: 'A function can be given a limit of processor time of its own',
  clauses: [custom],
  expectedReplies: [503],
  needs: ['edge', 'account', 'deploy'],
  async run(context) {
    const { ask, attempt } = await versions(context, 'standard')
    const { refused } = await attempt({ cpuMs }, { do: 'count' })
    if (refused !== undefined) return
    const seen = await overrun({ edge: context.edge, ask }, cpuMs)
    if (seen) context.verify(custom, seen, ...seen.replies)
  }
})
