import { check, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { byOutcome } from '../_outcomes.ts'
import { refusalsByFault } from '../_refusals.ts'
import { isItem, quoted } from '../_reply.ts'

const shape = 'unspecified.errors.object-shape'
const status = 'unspecified.errors.http-status'
const unknownZone = 'unspecified.implied.unknown-zone'

/** The first error of an envelope: its fields, each with the type of its value. */
function fieldsOf(reply: Reply): string {
  const [error] = [reply.json?.errors].flat()
  if (!isItem(error)) return quoted(error)
  const fields = Object.entries(error).map(([field, value]) => `${field} (${typeof value})`)
  return fields.sort().join(', ')
}

/** The status of a failure, and the code its errors have where errors have codes. */
function statusOf({ because, json }: Reply): string {
  const codes = [json?.errors].flat().flatMap((error) => (isItem(error) ? [error.code] : []))
  return `${because}, code ${codes.join(' and ') || 'none'}`
}

export default check({
  title: 'What an error object looks like, and which HTTP status a failure has',
  clauses: [shape, status, unknownZone],
  needs: ['management'],
  async run(context) {
    const { management, random, observe } = context
    const failures = Object.entries(await refusalsByFault(context)).flatMap(([fault, replies]) =>
      replies.map((reply) => [fault, reply] as const)
    )
    const evidence = failures.map(([, reply]) => reply) as [Reply, ...Reply[]]
    const seen = (came: (reply: Reply) => string) =>
      byOutcome(failures.map(([fault, reply]) => ({ asked: fault, came: came(reply) })))
    observe(shape, seen(fieldsOf), ...evidence)
    observe(status, seen(statusOf), ...evidence)
    for (const id of [freshId(random), 'not-hexadecimal']) {
      const reply = await management.get(`/zones/${id}/page_shield`)
      const kind = id === 'not-hexadecimal' ? 'an id that is none' : 'the id of no zone'
      observe(unknownZone, `${kind}: ${statusOf(reply)}`, reply)
    }
  }
})
