import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Failure } from '../../../src/cli/failure.ts'
import { tlsOf } from '../../../src/cli/flags/tls-flags.ts'
import { selfSigned } from '../../load/certificate.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-tls-flags-'))
const place = (name: string) => join(folder, name)
mkdirSync(place('folder'))
writeFileSync(place('cert.pem'), selfSigned.cert)
writeFileSync(place('key.pem'), selfSigned.key)
writeFileSync(place('both.pem'), `${selfSigned.key}\n${selfSigned.cert}`)
writeFileSync(place('empty'), '')
writeFileSync(place('der'), Buffer.from([0x30, 0x82, 0xff, 0x00]))
afterAll(() => rmSync(folder, { recursive: true }))

const [cert, key, both] = ['cert.pem', 'key.pem', 'both.pem'].map(place) as [string, string, string]
const at = ['https://127.0.0.1:9/']

test('what is given is read, a key also from the file of its certificate', () => {
  const { cert: certificate, key: own } = selfSigned
  expect(tlsOf(at, {})).toBeUndefined()
  expect(tlsOf(at, { cert, key, servername: 'a.test' })).toEqual({
    ...{ cert: certificate, key: own, servername: 'a.test' }
  })
  const whole = `${own}\n${certificate}`
  expect(tlsOf(at, { cert: both, cacert: cert })).toEqual({
    ...{ ca: certificate, cert: whole, key: whole }
  })
})

test.each<[Parameters<typeof tlsOf>[1], RegExp]>([
  [{ cacert: place('none') }, /^--cacert .*none cannot be read: there is none/],
  [{ cert: place('folder') }, /^--cert .*folder cannot be read: it is a folder/],
  [{ cert, key: place('none') }, /^--key .*none cannot be read: there is none/],
  [{ cacert: place('empty') }, /^--cacert .*empty has to be a certificate in PEM, .* on$/],
  [{ cert: place('der') }, /^--cert .*der has to be a certificate in PEM, .* on$/],
  [{ cacert: key }, /^--cacert .*key\.pem has to be a certificate in PEM/],
  [{ cert }, /^--key .*cert\.pem has to be the private key of --cert/],
  [{ cert, key: place('empty') }, /^--key .*empty has to be the private key of --cert/],
  [{ cert, key: place('der') }, /^--key .*der has to be the private key of --cert/],
  [{ key }, /^--key is of a certificate/],
  [{ cert: both, fleet: 'redis://127.0.0.1' }, /^--cert stays on this machine/],
  [{ cert: both, transport: 'autocannon' }, /^--cert is not for autocannon/]
])('wrong: %j', (flags, message) => {
  expect(() => tlsOf(at, flags)).toThrow(Failure)
  expect(() => tlsOf(at, flags)).toThrow(message)
})

test('flags of TLS are for https: URLs', () => {
  expect(() => tlsOf(['http://127.0.0.1:9/'], { cacert: cert })).toThrow(
    '--cacert is for https: URLs only'
  )
})
