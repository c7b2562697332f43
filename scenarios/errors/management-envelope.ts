import { check, isAnswered, type Look, summary } from 'plimsoll'
import { refusalsByFault } from '../_refusals.ts'
import { isTurnedDown, quoted } from '../_reply.ts'

const clause = 'error.management-envelope'

export default check({
  title: 'What cannot be served fails in the envelope’s `success` and `errors`',
  clauses: [clause],
  needs: ['management'],
  async run(context) {
    const faults = await refusalsByFault(context)
    const looks: Look[] = []
    for (const [fault, replies] of Object.entries(faults)) {
      for (const reply of replies) {
        if (isAnswered(reply) && !isTurnedDown(reply)) continue
        const { success, errors } = reply.json ?? {}
        // A defect of the service is not what there is to say of a request it cannot serve; that a
        // method is not implemented (501) is.
        const isSaid = reply.status < 500 || reply.status === 501
        const holds = isSaid && success === false && Array.isArray(errors) && errors.length > 0
        const saw = `${reply.because}, success ${quoted(success)}, errors ${quoted(errors)}`
        looks.push({ asked: `${fault}, ${reply.request.method}`, holds, saw, reply })
      }
    }
    const found = summary(looks)
    if (found) context.verify(clause, ...found)
  }
})
