import { check, type Reply } from 'plimsoll'
import { outcomeOf } from './_command.ts'
import { deployedOn } from './_stage.ts'
import { workPerMs } from './_work.ts'

const clause = 'limits.runtime.cpu.unbound-standard.http'
const secondMs = 1_000
const timeoutMs = 10 * 60 * secondMs

export default check({
  title:
    'A request may take 30 s of processor time on plans unbound and standard, and not much more',
  clauses: [clause],
  tier: 'long',
  alone: ['everything'],
  needs: ['edge', 'probe'],
  async run(context) {
    for (const [plan, probe] of await deployedOn(context, ['unbound', 'standard'])) {
      const perMs = await workPerMs({ edge: context.edge, ask: probe.ask })
      if (perMs === undefined) return
      const burnt = (seconds: number): Promise<Reply> => {
        const work = Math.round(seconds * secondMs * perMs)
        return probe.ask({ do: 'burn', work }, { timeoutMs })
      }
      const below = await burnt(12)
      // Tolerance may let a few overruns go on for longer; the fifth is no occasional one.
      const beyond: Reply[] = []
      for (let round = 0; round < 5; round++) beyond.push(await burnt(120))
      const last = beyond.at(-1)!
      const saw = `${plan}: about 12 s of work: ${below.because}; 120 s, again: ${last.because}`
      const holds = outcomeOf(below) !== undefined && outcomeOf(last) === undefined
      context.verify(clause, { holds, saw }, below, last)
    }
  }
})
