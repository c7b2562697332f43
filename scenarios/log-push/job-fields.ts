import { check, type Look, type Reply, summary } from 'plimsoll'
import { isBesideThePoint, isRefused, isServed, quoted } from '../_reply.ts'
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

/** What else an option may be by its words: a number is any share, an array any of its fields. */
const meant: { [option: string]: unknown[] } = {
  field_names: [['ClientRequestURI'], [...options.field_names].reverse()],
  sample_rate: [0.5, 0.01]
}

/** What stands in a job where it cannot be meant. */
const nonsense = [7, null, 'constructor', 'no-such:thing', true, [], {}, -1]

/** Each field with what it cannot mean: taken or refused, which is not said, but no defect. */
function odd(field: string): Job[] {
  const isOption = optionFields.includes(field)
  return nonsense.map((one) => {
    const change = { [field]: one }
    return isOption ? { output_options: { ...options, ...change } } : change
  })
}

export default check({
  title: 'A log-push job is taken with every field as the document shows it',
  clauses: Object.keys(without),
  needs: ['management', 'zone', 'destination'],
  async run(context) {
    await using on = await stage(context)
    const whole = await on.offer()
    if (isBesideThePoint(whole)) return
    if (isServed(whole)) {
      for (const field of [...ownFields, ...optionFields]) {
        const own = optionFields.includes(field) ? `output_options.${field}` : field
        const looks: Look[] = [{ asked: 'as shown', holds: true, saw: whole.because, reply: whole }]
        for (const value of meant[field] ?? []) {
          const reply = await on.offer({ output_options: { ...options, [field]: value } })
          const holds = isServed(reply) || isBesideThePoint(reply)
          looks.push({ asked: quoted(value), holds, saw: reply.because, reply })
        }
        for (const change of odd(field)) {
          const reply = await on.offer(change)
          const holds = isServed(reply) || isRefused(reply) || isBesideThePoint(reply)
          looks.push({ asked: quoted(change), holds, saw: reply.because, reply })
        }
        const found = summary(looks)
        if (found) context.verify(clauseOf(own), ...found)
      }
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
