import { gzipSync } from 'node:zlib'
import { check, isAnswered, type Look, type Reply, summary } from 'plimsoll'
import { draft, withPolicy } from '../_policy.ts'
import { isTurnedDown, quoted } from '../_reply.ts'
import { exampleJob } from '../log-push/_stage.ts'

const clause = 'error.management-envelope'
const json = { 'content-type': 'application/json' }
/** More than many services read of a body; how long it is, is told or not. */
const largeBytes = 1_200_000
const framings = ['length', 'chunked'] as const

type Wrong = { asked: string; body: string | Uint8Array; headers?: Record<string, string> }

/** Bodies that say nothing, or something that is not meant, or say it in another way. */
function strange(usual: object): Wrong[] {
  const text = JSON.stringify(usual)
  const deep = `{"deep":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
  const odd = Object.keys(usual).map((field) => JSON.stringify({ ...usual, [field]: { odd: [1] } }))
  const texts = ['{}', 'null', '[]', '"text"', '5', '', `${text}}`, deep]
  const coded = { ...json, 'content-encoding': 'gzip' }
  return [
    ...[...texts, ...odd].map((body) => ({ asked: body.slice(0, 60), body })),
    { asked: 'Latin-1', body: Buffer.from(text.replace('{', '{"ü":0,'), 'latin1') },
    { asked: 'XML by its type', body: text, headers: { 'content-type': 'application/xml' } },
    { asked: 'gzip', body: gzipSync(text), headers: coded }
  ]
}

export default check({
  title: 'A body that cannot be meant is turned down in the envelope, and is no defect',
  clauses: [clause],
  needs: ['management', 'zone'],
  async run({ management, adapter, random, verify }) {
    const zone = (await adapter.zone('enterprise')).id
    const policy = draft(random)
    const looks: Look[] = []
    const look = (asked: string, reply: Reply) => {
      // What is taken all the same is not said to be a failure.
      if (isAnswered(reply) && !isTurnedDown(reply)) return
      const { success, errors } = reply.json ?? {}
      const isSaid = success === false && Array.isArray(errors) && errors.length > 0
      const saw = `${reply.because}, success ${quoted(success)}, errors ${quoted(errors)}`
      looks.push({ asked, holds: isSaid && reply.status < 500, saw, reply })
    }
    await withPolicy({ management, zone, policy }, async ({ path }) => {
      const page = `/zones/${zone}/page_shield`
      const all: [method: 'post' | 'put', path: string, usual: object][] = [
        ['put', page, { enabled: true }],
        ['post', `${page}/policies`, policy],
        ['put', path, policy],
        ['post', `/zones/${zone}/logpush/jobs`, exampleJob]
      ]
      for (const [nth, [method, path, usual]] of all.entries()) {
        const name = method.toUpperCase()
        for (const { asked, body, headers = json } of strange(usual))
          look(`${name} ${asked}`, await management[method](path, { body, headers }))
        const body = { bytes: largeBytes, framing: framings[nth % 2]! }
        const headers = Object.entries(json)
        const reply = await management.send({ method: name, path, headers, body })
        // Who reads no more may close the connection on it, or want to be told a length.
        if (isAnswered(reply) && reply.status !== 411) look(`${name} of ${quoted(body)}`, reply)
      }
    })
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
})
