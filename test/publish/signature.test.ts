import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isSigned, signatureOf } from '../../src/publish/signature.ts'

const pair = (kind: 'ed25519' | 'ed448' = 'ed25519') => {
  const { privateKey, publicKey } = generateKeyPairSync(kind as 'ed25519')
  const pem = { type: 'pkcs8', format: 'pem' } as const
  return {
    secret: { pem: `${privateKey.export(pem)}`, file: 'key.pem' },
    known: { pem: `${publicKey.export({ type: 'spki', format: 'pem' })}`, file: 'public.pem' }
  }
}

test('a signature is of its text by its key, and of nothing else', () => {
  const { secret, known } = pair()
  const signature = signatureOf('text', secret)
  expect(isSigned('text', `${signature}\n`, known)).toBe(true)
  expect(isSigned('text ', signature, known)).toBe(false)
  expect(isSigned('text', signature, pair().known)).toBe(false)
  expect(isSigned('text', '', known)).toBe(false)
  expect(isSigned('text', 'no base64 at all!', known)).toBe(false)
})

test('whatever byte of a signature, or of what is signed, is another one, it is none', () => {
  const { secret, known } = pair()
  const text = 'Zoë \ufffd\n'
  const signature = signatureOf(text, secret)
  for (let at = 0; at < signature.length; at++) {
    for (const other of ['A', 'B', '/', '=', ' ', '-', '\n']) {
      const changed = signature.slice(0, at) + other + signature.slice(at + 1)
      if (changed.trim() !== signature) expect(isSigned(text, changed, known)).toBe(false)
    }
  }
  expect(isSigned(text, `${signature}AAAA`, known)).toBe(false)
  expect(isSigned(text, signature.replaceAll('=', ''), known)).toBe(false)
  const bytes = Buffer.from(text)
  expect(isSigned(bytes, signature, known)).toBe(true)
  // What is no UTF-8 reads as the sign for that, which is another text.
  const invalid = Buffer.concat([bytes.subarray(0, 5), Buffer.from([0xff, 10])])
  expect(`${invalid}`).toBe(text)
  expect(isSigned(invalid, signature, known)).toBe(false)
})

test('another kind of key, and what is none, is told by its file', () => {
  const { secret, known } = pair('ed448')
  expect(() => signatureOf('text', secret)).toThrow(/^key\.pem is a key for ed448.*openssl/)
  expect(() => isSigned('text', '', known)).toThrow(/^public\.pem is a key for ed448/)
  expect(() => signatureOf('text', { pem: 'x', file: 'x.pem' })).toThrow(
    /^x\.pem is no private key in PEM: /
  )
  expect(() => isSigned('text', '', { pem: 'x', file: 'x.pem' })).toThrow(
    /^x\.pem is no public key in PEM: /
  )
})

test('openssl takes it for a signature too', () => {
  const { secret, known } = pair()
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-signed-'))
  const file = (name: string, text: string | Buffer) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const signature = Buffer.from(signatureOf('text', secret), 'base64')
  const told = execFileSync('openssl', [
    ...['pkeyutl', '-verify', '-rawin', '-pubin', '-inkey', file('public.pem', known.pem)],
    ...['-in', file('text', 'text'), '-sigfile', file('sig', signature)]
  ])
  expect(`${told}`).toMatch(/Verified Successfully/)
})
