import { check, type Look, type Reply, summary } from 'plimsoll'
import { isBesideThePoint, isRefused, isServed, quoted } from '../_reply.ts'
import { type Job, options, stage } from './_stage.ts'

const ownFields = ['name', 'dataset', 'filter', 'destination_conf', 'output_options'] as const
const optionFields = Object.keys(options)

/** Options before all of them together, which blames less. */
const allFields = [...optionFields, ...ownFields]

/** A job without these fields and options. */
function without(...out: string[]): Job {
  const none = (those: readonly string[]) =>
    Object.fromEntries(those.filter((one) => out.includes(one)).map((one) => [one, undefined]))
  return { output_options: { ...options, ...none(optionFields) }, ...none(ownFields) }
}

/** The clause that describes a field or an option. */
const describing = (one: string) =>
  clauseOf(optionFields.includes(one) ? `output_options.${one}` : one)

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

/** Two fields without which a job is taken, that neither helps to leave out alone. */
async function firstOfPairs(
  offer: (change: Job) => Promise<Reply>
): Promise<[reply: Reply, one: string, other: string] | undefined> {
  for (const [at, one] of allFields.entries())
    for (const other of allFields.slice(at + 1)) {
      const reply = await offer(without(one, other))
      if (isServed(reply)) return [reply, one, other]
    }
}

export default check({
  title: 'A log-push job is taken with every field as the document shows it',
  clauses: allFields.map(describing),
  needs: ['management', 'zone', 'destination'],
  async run(context) {
    await using on = await stage(context)
    const whole = await on.offer()
    if (isBesideThePoint(whole)) return
    if (isServed(whole)) {
      for (const field of allFields) {
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
        if (found) context.verify(describing(field), ...found)
      }
      return
    }
    // A field is to blame when the job is taken as soon as that one is not there.
    const attempts: { clause: string; reply: Reply }[] = []
    for (const field of allFields)
      attempts.push({ clause: describing(field), reply: await on.offer(without(field)) })
    if (!attempts.some(({ reply }) => isServed(reply))) {
      const [reply, ...both] = (await firstOfPairs(on.offer)) ?? []
      if (reply === undefined) return
      const saw = `with all fields: ${whole.because}, without these two: ${reply.because}`
      for (const field of both)
        context.verify(describing(field), { holds: false, saw }, whole, reply)
      return
    }
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
