import { type Context, type Judge, type Look, summary } from 'plimsoll'
import { admissionClauses, callers } from './_callers.ts'
import { call, nameOf, type Operation } from './_operations.ts'
import { isServed, item } from './_reply.ts'

type Admitted = {
  zone: string
  operations: readonly Operation[]
  /** What a refused call must leave as it is, in words. */
  state: () => Promise<string>
}

const clause = 'auth.permissions-must-match'

/**
 * Has everybody who is to be refused call each operation on a zone, and judges that none was served
 * and nothing changed. An operation that is served to nobody at all shows nothing. They are called
 * at last by who may, in their order; what that makes is deleted again.
 */
export async function judgeAdmission(
  context: Context & Judge,
  { zone, operations, state }: Admitted
): Promise<void> {
  const { management } = context
  const before = await state()
  const looks: (Look & { clause: string; operation: Operation })[] = []
  for (const [turn, operation] of operations.entries()) {
    for (const caller of callers(context, turn)) {
      if (caller.mayRead && operation.method === 'get') continue
      const reply = await call(caller.client, zone, operation)
      const asked = `${nameOf(operation)} with ${caller.name}`
      // A defect refuses everybody, and is no refusal.
      const holds = !isServed(reply) && reply.status < 500
      looks.push({ clause: caller.clause, operation, asked, holds, saw: reply.because, reply })
    }
  }
  const after = await state()
  const last = looks.at(-1)
  // What was served is the matter of whoever was served.
  if (last && looks.every(({ holds }) => holds))
    context.verify(clause, { holds: after === before, saw: `${before}, then ${after}` }, last.reply)
  const served = new Set<Operation>()
  for (const operation of operations) {
    const reply = await call(management, zone, operation)
    if (isServed(reply)) served.add(operation)
    const { id } = item(reply)
    if (operation.method === 'post' && id !== undefined)
      await call(management, zone, { method: 'delete', path: `${operation.path}/${id}` })
  }
  const telling = looks.filter(({ operation, holds }) => !holds || served.has(operation))
  for (const clause of admissionClauses) {
    const found = summary(telling.filter((look) => look.clause === clause))
    if (found) context.verify(clause, ...found)
  }
}
