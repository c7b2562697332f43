import { setTimeout } from 'node:timers/promises'
import { check, isAnswered, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed } from '../_reply.ts'
import { stage, uris } from './_stage.ts'

const clause = 'logpush.job.delivers-records'

/** When a record comes is not said; a job that has none by then does not deliver. */
const most = { minutes: 15, pauseMs: 250 }

export default check({
  title: 'Jobs deliver by themselves, whether or not anybody asks them to',
  tier: 'long',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'destination'],
  async run(context) {
    await using on = await stage(context)
    const { edge, random, verify } = context
    const jobs = [await on.create({ filter: undefined }), await on.create({ filter: undefined })]
    if (!jobs.every(({ reply }) => isServed(reply))) return
    const replies: Reply[] = []
    const asked: string[] = []
    const missing = () =>
      jobs.flatMap(({ inbox }) => asked.filter((uri) => !uris(inbox).includes(uri)))
    const began = performance.now()
    const isEarly = () => performance.now() - began < most.minutes * 60_000
    // The second time there is a job that has delivered before, and has to begin again.
    for (let round = 0; round < 2; round++) {
      // It has to begin again by itself after a failure, too, but need not send that batch again.
      if (round === 1) {
        const { inbox } = jobs[0]!
        inbox.refuse({ batches: 1, status: 503 })
        replies.push(await edge.as(on.zone.host).get(`/echo?${freshId(random)}`))
        while (inbox.refused() === 0 && isEarly()) await setTimeout(most.pauseMs)
      }
      for (let count = 0; count < 3; count++) {
        asked.push(`/echo?${freshId(random)}`)
        replies.push(await edge.as(on.zone.host).get(asked.at(-1)!))
      }
      if (!replies.every(isAnswered)) return
      while (missing().length > 0 && isEarly()) await setTimeout(most.pauseMs)
    }
    const seconds = Math.round((performance.now() - began) / 1_000)
    const all = jobs.length * asked.length
    const saw = `${all - missing().length} of ${all} records within ${seconds} s`
    verify(clause, { holds: missing().length === 0, saw }, ...(replies as [Reply]))
  }
})
