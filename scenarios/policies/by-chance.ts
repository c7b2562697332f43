import { check, generated, type Look } from 'plimsoll'
import type { Policy } from '../_policy.ts'
import { quoted } from '../_reply.ts'
import { anyPolicy } from './_chance.ts'
import { judged, type Life, live } from './_life.ts'

export default check({
  title: 'Whatever a policy is about, it is kept, listed and replaced as it was sent',
  clauses: Object.keys(judged),
  needs: ['management', 'zone'],
  async run(context) {
    const { management, adapter } = context
    const zone = (await adapter.zone('enterprise')).id
    // Every clause is asked about the same values: what became of them is looked at once.
    const lives = new Map<string, Promise<Life | undefined>>()
    for (const [clause, judge] of Object.entries(judged)) {
      const found = await generated(context, {
        of: (any) => any.tuple(anyPolicy(any), anyPolicy(any)),
        budget: { quick: 5, full: 60 },
        async ask(sent: [Policy, Policy]): Promise<Look | undefined> {
          const asked = sent.map(quoted).join(', then ')
          if (!lives.has(asked)) lives.set(asked, live({ management, zone }, sent))
          const life = await lives.get(asked)
          if (life === undefined) return undefined
          const [odd, reply] = judge(life, sent)
          const saw = odd.length > 0 ? `other ${odd.join(', ')}` : 'all fields alike'
          return { asked, holds: odd.length === 0, saw, reply }
        }
      })
      if (found) context.verify(clause, ...found)
    }
  }
})
