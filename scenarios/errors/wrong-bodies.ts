import { check, isAnswered, type Look, summary } from 'plimsoll'
import { draft, withPolicy } from '../_policy.ts'
import { isTurnedDown, quoted } from '../_reply.ts'
import { exampleJob } from '../log-push/_stage.ts'

const clause = 'error.management-envelope'

/** Bodies that say nothing, or something that is not meant; a text goes as it is. */
const strange = (usual: object): (object | string)[] => [
  ...[{}, 'null', '[]', '"text"', '5'],
  ...Object.keys(usual).map((field) => ({ ...usual, [field]: { odd: [1] } }))
]

export default check({
  title: 'A body that cannot be meant is turned down in the envelope, and is no defect',
  clauses: [clause],
  needs: ['management', 'zone'],
  async run({ management, adapter, random, verify }) {
    const zone = `/zones/${(await adapter.zone('enterprise')).id}`
    const policy = draft(random)
    const looks: Look[] = []
    const put = (method: 'post' | 'put', path: string) => async (body: object | string) => {
      const own = typeof body === 'string' ? body : JSON.stringify(body)
      const headers = { 'content-type': 'application/json' }
      const reply = await management[method](path, { body: own, headers })
      // What is taken all the same is not said to be a failure.
      if (isAnswered(reply) && !isTurnedDown(reply)) return
      const { success, errors } = reply.json ?? {}
      const isSaid = success === false && Array.isArray(errors) && errors.length > 0
      const saw = `${reply.because}, success ${quoted(success)}, errors ${quoted(errors)}`
      const asked = `${method.toUpperCase()} ${own.slice(0, 60)}`
      looks.push({ asked, holds: isSaid && reply.status < 500, saw, reply })
    }
    await withPolicy(
      { management, zone: zone.slice('/zones/'.length), policy },
      async ({ path }) => {
        const all: [ask: ReturnType<typeof put>, usual: object][] = [
          [put('put', `${zone}/page_shield`), { enabled: true }],
          [put('post', `${zone}/page_shield/policies`), policy],
          [put('put', path), policy],
          [put('post', `${zone}/logpush/jobs`), exampleJob]
        ]
        for (const [ask, usual] of all) for (const body of strange(usual)) await ask(body)
      }
    )
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
})
