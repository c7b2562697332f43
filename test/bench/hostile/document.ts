import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const clauses = [
  { id: 'hostile.size', kind: 'limit', documented: '1000', unit: 'bytes' },
  { id: 'hostile.ok', kind: 'rule', documented: 'every answer is ok' }
]

const size = `import { accepted, digest, isOk, limit, rejected, unclear } from 'plimsoll'
export default limit({
  title: 'A body may have a thousand bytes',
  max: 1_000,
  clause: 'hostile.size',
  unit: 'bytes',
  needs: ['service'],
  async probe(bytes, { service }) {
    const body = { bytes }
    const asked = { method: 'POST', path: '/', body, timeoutMs: 1_000, deadlineMs: 2_000 }
    const reply = await service.send(asked)
    if (reply.kind === 'answered' && reply.status === 413) return rejected(reply)
    const isWhole = reply.json?.bytes === bytes && reply.json?.sha256 === digest(bytes)
    return isOk(reply) && isWhole ? accepted(reply) : unclear(reply)
  }
})
`

const ok = `import { check, isOk } from 'plimsoll'
export default check({
  title: 'Every answer is ok',
  clauses: ['hostile.ok'],
  needs: ['service'],
  async run({ service, verify }) {
    const reply = await service.get('/', { timeoutMs: 1_000, deadlineMs: 2_000 })
    verify('hostile.ok', isOk(reply) && reply.body === 'ok', reply)
  }
})
`

/** A folder with a limit and a check that can be asked of any server. */
export function writeDocument(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-hostile-'))
  mkdirSync(join(folder, 'hostile'))
  writeFileSync(join(folder, 'clauses.json'), JSON.stringify(clauses))
  writeFileSync(join(folder, 'hostile', 'size.ts'), size)
  writeFileSync(join(folder, 'hostile', 'ok.ts'), ok)
  return folder
}
