import { check, type Reply } from 'plimsoll'
import { isBesideThePoint, isDefect, isServed, isTurnedDown } from '../_reply.ts'
import { exampleJob, stage } from './_stage.ts'

export default check({
  title: 'A log-push job can be created, with a filter and without one',
  clauses: ['logpush.job.create', 'logpush.job.filter-optional'],
  needs: ['management', 'zone', 'destination'],
  async run(context) {
    await using on = await stage(context)
    const whole = await on.offer()
    const bare = await on.offer({ filter: undefined })
    const least = { name: undefined, output_options: undefined, filter: undefined }
    const small = await on.offer(least)
    const all: [Reply, ...Reply[]] = [whole, bare, small]
    // A target may let nobody send its logs where the harness listens.
    if (!all.some(isServed)) all.push(await on.offer(exampleJob))
    if (all.some(isBesideThePoint)) return
    const saw = `with all fields: ${whole.because}, without a filter: ${bare.because}`
    // That one field is not taken is the matter of that field; a defect is nobody's.
    const holds = all.some(isServed) && !all.some(isDefect)
    context.verify('logpush.job.create', { holds, saw }, ...all)
    if (!isServed(whole) && isTurnedDown(bare)) return
    context.verify('logpush.job.filter-optional', { holds: isServed(bare), saw }, whole, bare)
  }
})
