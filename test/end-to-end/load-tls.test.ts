import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selfSigned } from '../load/certificate.ts'
import { plimsollJson } from './plimsoll.ts'

const seen = { servername: '', authorized: false }
const options = { ...selfSigned, ca: selfSigned.cert, requestCert: true }
const server = createServer({ ...options, rejectUnauthorized: false }, ({ socket }, reply) => {
  const { servername, authorized } = socket as TLSSocket & { servername: string }
  Object.assign(seen, { servername, authorized })
  reply.end('ok')
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => void server.close().closeAllConnections())

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-tls-'))
const [cert, key, both] = ['cert.pem', 'key.pem', 'both.pem'].map((name) => join(folder, name))
writeFileSync(cert!, selfSigned.cert)
writeFileSync(key!, selfSigned.key)
writeFileSync(both!, `${selfSigned.key}\n${selfSigned.cert}`)

const few = ['-n', '3', '-c', '1']

test.each([
  ['wire', ['--cert', cert!, '--key', key!]],
  ['undici', ['--cert', cert!, '--key', key!]],
  ['wire', ['--cert', both!]]
])('%s trusts an authority, names the target and shows a certificate', async (engine, own) => {
  const flags = ['--cacert', cert!, '--servername', 'localhost', '--engine', engine, ...own]
  const { code, json } = await plimsollJson('load', url, ...few, ...flags)
  expect([json.statuses, code]).toEqual([{ 200: 3 }, 0])
  expect(seen).toEqual({ servername: 'localhost', authorized: true })
})

test('a name that the certificate does not bear is not asked', async () => {
  const flags = ['--cacert', cert!, '--servername', 'elsewhere.test']
  const { code, json } = await plimsollJson('load', url, ...few, '-d', '1s', ...flags)
  expect(json.unanswered).toMatch(/elsewhere\.test|certificate/)
  expect(code).toBe(2)
})
