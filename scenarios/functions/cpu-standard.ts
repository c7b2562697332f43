import { check, type Reply } from 'plimsoll'
import { outcomeOf } from './_command.ts'
import { deployedOn } from './_stage.ts'
import { workPerMs } from './_work.ts'

const clause = 'limits.runtime.cpu.unbound-standard.http'
/** Far enough on both sides of 30 s for a processor that is not always as quick. */
const seconds = { within: 18, beyond: 50 }
const timeoutMs = 10 * 60_000

export default check({
  title:
    'A request may take 30 s of processor time on plans unbound and standard, and not much more',
  clauses: [clause],
  tier: 'long',
  alone: ['everything'],
  expectedReplies: [503],
  needs: ['edge', 'probe'],
  async run(context) {
    for (const [plan, probe] of await deployedOn(context, ['unbound', 'standard'])) {
      const perMs = await workPerMs({ edge: context.edge, ask: probe.ask })
      if (perMs === undefined) return
      const burnt = (aimedAt: number): Promise<Reply> => {
        const work = Math.round(aimedAt * 1_000 * perMs)
        return probe.ask({ do: 'burn', work }, { timeoutMs })
      }
      const below = await burnt(seconds.within)
      // Tolerance may let a few overruns go on for longer; the fifth is no occasional one.
      const tries: Reply[] = []
      for (let round = 0; round < 5; round++) tries.push(await burnt(seconds.beyond))
      const last = tries.at(-1)!
      const [small, large] = [`${seconds.within} s`, `${seconds.beyond} s`]
      const saw = `${plan}, work of ${small}: ${below.because}; of ${large}: ${last.because}`
      const holds = outcomeOf(below) !== undefined && outcomeOf(last) === undefined
      context.verify(clause, { holds, saw }, below, last)
      if (!holds) return
    }
  }
})
