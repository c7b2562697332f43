import { afterAll, expect, test } from 'vitest'
import { openTestIsolates, specOf } from '../isolates.ts'

const isolates = openTestIsolates()
afterAll(isolates.close)

const spec = specOf(`
/** Another value each time it is asked for. */
const turning = (...values) => ({
  toString: () => values.length > 1 ? values.shift() : values[0],
  valueOf: () => values.length > 1 ? values.shift() : values[0]
})
const key = () => crypto.subtle.importKey('raw', new Uint8Array(8), 'PBKDF2', false, ['deriveBits'])
const pbkdf2 = async (iterations, name = 'PBKDF2') =>
  crypto.subtle.deriveBits(
    { name, hash: 'SHA-256', salt: new Uint8Array(8), iterations }, await key(), 256)
const hex = (bytes) => new Uint8Array(bytes).toHex?.() ?? [...new Uint8Array(bytes)].join()
const acts = {
  '/few': async () => hex(await pbkdf2(1)),
  '/turning': async () => hex(await pbkdf2(turning(1, 4e9))),
  '/many': async () => hex(await pbkdf2(100_001)),
  '/name': async () => hex(await pbkdf2(1, turning('PBKDF2', 'Argon2id'))),
  '/modulus': () => crypto.subtle.generateKey({ name: 'RSA-PSS', hash: 'SHA-256',
    modulusLength: turning(2 ** 13), publicExponent: new Uint8Array([1, 0, 1]) }, true, ['sign'])
}
export default {
  async fetch(request) {
    const said = acts[new URL(request.url).pathname]()
    return new Response(await Promise.resolve(said).catch(({ name }) => name))
  }
}`)
const say = async (path: string) => (await isolates.ask(spec, { path })).text

test('what a derivation costs is what was looked at, not what is said later', async () => {
  const few = await say('/few')
  expect(few).toMatch(/^[\da-f]{64}$|^\d+(,\d+){31}$/)
  for (const path of ['/turning', '/name']) expect(await say(path)).toBe(few)
  for (const path of ['/many', '/modulus']) expect(await say(path)).toBe('NotSupportedError')
})
