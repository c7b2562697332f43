import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { selfSigned } from '../load/certificate.ts'
import { paced } from '../paced.ts'
import { often } from './often.ts'
import { plimsoll } from './plimsoll.ts'
import { refused } from './refused.ts'

/** By which names it was asked, and whether a certificate it trusts was shown each time. */
const seen = { names: new Set<string>(), strangers: 0 }
const take = paced({ atOnce: 4, ms: 4 })
const options = { ...selfSigned, ca: selfSigned.cert, requestCert: true }
const server = createServer({ ...options, rejectUnauthorized: false }, ({ socket, url }, reply) => {
  const { servername, authorized } = socket as TLSSocket & { servername: string }
  seen.names.add(servername)
  if (!authorized) seen.strangers++
  take(reply, () => reply.end(url === '/metrics' ? 'process_open_fds 21' : 'ok'))
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
beforeEach(() => {
  seen.names.clear()
  seen.strangers = 0
})
afterAll(() => void server.close().closeAllConnections())

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-tls-'))
const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(folder, name)) as [string, string]
writeFileSync(cert, selfSigned.cert)
writeFileSync(key, selfSigned.key)
const clauses = [{ id: 'a', kind: 'rule', documented: '200' }]
writeFileSync(join(folder, 'clauses.json'), JSON.stringify(clauses))
writeFileSync(
  join(folder, 'check.ts'),
  `import { check } from 'plimsoll'
export default check({
  title: 'It answers, on connections of both kinds',
  clauses: ['a'],
  needs: ['service'],
  async run({ service, verify }) {
    const kept = await service.get('/')
    const own = await service.send({ method: 'GET', path: '/' })
    verify('a', kept.status === 200 && own.status === 200, own)
  }
})
`
)
writeFileSync(join(folder, 'load.ts'), often)

const proof = ['--cacert', cert, '--cert', cert, '--key', key, '--servername', 'localhost']
const wholly = { names: new Set(['localhost']), strangers: 0 }

/** How each command asks a URL for as short as it can. */
const asking: Record<string, (url: string) => string[]> = {
  run: (url) => ['run', '--scenarios', folder, '--target', url],
  probe: (url) => ['probe', url, '--limits', 'url'],
  capacity: (url) => ['capacity', url, '--time', '8s', '-c', '2'],
  compare: (url) => ['compare', '--a', url, '--b', url, '--time', '20s'],
  soak: (url) => ['soak', url, '-r', '20', '-c', '2', '-d', '3s', '--metrics-url', `${url}metrics`]
}
const commands = Object.keys(asking)

test.each(commands)(
  '%s knows the target by --cacert, and shows it a certificate',
  async (name) => {
    const { code, stdout, stderr } = await plimsoll(...asking[name]!(url), ...proof)
    expect(seen).toEqual(wholly)
    expect(stderr).not.toMatch(/certificate/)
    if (name === 'run')
      expect([code, stdout]).toEqual([0, expect.stringMatching(/1 clause and 1 scenario hold/)])
  },
  60_000
)

test.each(commands)(
  '%s refuses what cannot be used before it asks',
  async (name) => {
    const missing = await refused(...asking[name]!(url), '--cacert', 'nowhere.pem')
    expect(missing.stderr).toMatch(/--cacert nowhere\.pem cannot be read/)
    const plain = await refused(...asking[name]!('http://127.0.0.1:9/'), '--cert', cert)
    expect(plain.stderr).toMatch(/--cert is for https: URLs only/)
    expect([missing.code, plain.code]).toEqual([64, 64])
  },
  60_000
)
