import { check } from 'plimsoll'
import { judgeOverruns } from './_overrun.ts'
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
    const { refused, reply } = await attempt({ cpuMs }, { do: 'count' })
    if (refused !== undefined) {
      const saw = `a limit of ${cpuMs} ms is refused: ${refused}`
      context.verify(custom, { holds: false, saw }, reply)
      return
    }
    const worker = { edge: context.edge, ask }
    await judgeOverruns(context, { worker, clause: custom, limitMs: cpuMs })
  }
})
