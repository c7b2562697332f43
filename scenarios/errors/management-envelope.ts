import { check, isAnswered, type Look, summary } from 'plimsoll'
import { refusalsByFault } from '../_refusals.ts'
import { isTurnedDown, quoted } from '../_reply.ts'

const clause = 'error.management-envelope'

export default check({
  title: 'Operations on what does not exist fail in the envelope’s `success` and `errors`',
  clauses: [clause],
  needs: ['management'],
  async run(context) {
    const faults = await refusalsByFault(context)
    const looks: Look[] = []
    for (const reply of [faults['no such zone']!, faults['no such object']!].flat()) {
      if (isAnswered(reply) && !isTurnedDown(reply)) continue
      const { success, errors } = reply.json ?? {}
      // A defect of the service is not what there is to say of a request for what does not exist.
      const isSaid = reply.status < 500
      const holds = isSaid && success === false && Array.isArray(errors) && errors.length > 0
      const saw = `${reply.because}, success ${quoted(success)}, errors ${quoted(errors)}`
      looks.push({ asked: reply.request.method, holds, saw, reply })
    }
    const found = summary(looks)
    if (found) context.verify(clause, ...found)
  }
})
