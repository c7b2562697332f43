import { check, type Reply } from 'plimsoll'
import { isBesideThePoint, isServed } from '../_reply.ts'
import { type Job, options, stage } from './_stage.ts'

const ownFields = ['name', 'dataset', 'output_options', 'filter', 'destination_conf'] as const
const optionFields = Object.keys(options)

/** Each field by the clause that describes it, with the change that leaves it out. */
const without: { [clause: string]: Job } = Object.fromEntries([
  ...ownFields.map((field) => [clauseOf(field), { [field]: undefined }]),
  ...optionFields.map((option) => [
    clauseOf(`output_options.${option}`),
    { output_options: { ...options, [option]: undefined } }
  ])
])

function clauseOf(field: string): string {
  return `logpush.job.field.${field.toLowerCase().replaceAll('_', '-')}`
}

const optionsClause = clauseOf('output_options')

export default check({
  title: 'A log-push job is taken with every field as the document shows it',
  clauses: Object.keys(without),
  needs: ['management', 'zone', 'destination'],
  async run(context) {
    await using on = await stage(context)
    const whole = await on.offer()
    if (isBesideThePoint(whole)) return
    if (isServed(whole)) {
      for (const clause of Object.keys(without)) context.verify(clause, true, whole)
      return
    }
    // A field is to blame when the job is taken as soon as that one is not there.
    const attempts: { clause: string; reply: Reply }[] = []
    for (const [clause, change] of Object.entries(without))
      attempts.push({ clause, reply: await on.offer(change) })
    if (!attempts.some(({ reply }) => isServed(reply))) return
    const isOption = ({ clause }: { clause: string }) => clause.startsWith(`${optionsClause}.`)
    const helped = attempts.filter(({ reply }) => isServed(reply))
    // Where it helps to leave out one option, all of them were left out for that one.
    const blamed = helped.some(isOption) ? helped.filter(isOption) : helped
    for (const { clause, reply } of attempts) {
      const holds = !blamed.some((one) => one.clause === clause)
      const saw = `with all fields: ${whole.because}, without this one: ${reply.because}`
      context.verify(clause, { holds, saw }, whole, reply)
    }
  }
})
