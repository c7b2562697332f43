import { check, generated, isAnswered, type Look, summary } from 'plimsoll'
import { draft, withPolicy } from '../_policy.ts'
import { isTurnedDown, quoted } from '../_reply.ts'
import { joining } from './_combinations.ts'
import { comparing } from './_comparisons.ts'
import { calling } from './_functions.ts'
import { wrongValues } from './_wrong-values.ts'

const clause = 'error.management-envelope'

const whole = [...comparing, ...joining, ...Object.values(calling).flat()].map(([text]) => text)

export default check({
  title: 'A text that is hardly an expression is taken, or turned down in the envelope',
  clauses: [clause],
  needs: ['management', 'zone'],
  async run(context) {
    const { management, adapter, random, verify } = context
    const zone = (await adapter.zone('enterprise')).id
    const ask = async (expression: string): Promise<Look | undefined> => {
      const policy = { ...draft(random), expression }
      const reply = await withPolicy({ management, zone, policy })
      // What is no expression, and what comes of it, is nowhere said.
      if (!isAnswered(reply) || !isTurnedDown(reply)) return undefined
      const { success, errors } = reply.json ?? {}
      const isSaid = success === false && Array.isArray(errors) && errors.length > 0
      const saw = `${reply.because}, success ${quoted(success)}, errors ${quoted(errors)}`
      return { asked: expression, holds: isSaid && reply.status < 500, saw, reply }
    }
    const looks = await Promise.all(wrongValues.map(ask))
    const wrong = summary(looks.filter((look) => look !== undefined))
    if (wrong) verify(clause, ...wrong)
    const found = await generated(context, {
      /** An expression in which another text stands in place of a stretch. */
      of: (any) =>
        any
          .record({
            text: any.constantFrom(...whole),
            at: any.nat(80),
            length: any.nat(12),
            instead: any.constantFrom(
              ...['', '"', '(', ')', '[*]', ' and ', ' 1 ', '{', '\\', '🙂']
            )
          })
          .map(({ text, at, length, instead }) => {
            const from = at % (text.length + 1)
            return text.slice(0, from) + instead + text.slice(from + length)
          }),
      budget: { quick: 80, full: 1_500 },
      ask
    })
    if (found) verify(clause, ...found)
  }
})
