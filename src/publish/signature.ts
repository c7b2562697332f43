import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/** An Ed25519 key in a PEM text; throws an Error that says what it is instead. */
function ed25519(key: KeyObject, file: string): KeyObject {
  if (key.asymmetricKeyType === 'ed25519') return key
  throw new Error(
    `${file} is a key for ${key.asymmetricKeyType ?? 'something else'}, and not for Ed25519: ` +
      'make one by `openssl genpkey -algorithm ed25519 -out FILE`'
  )
}

function read(make: () => KeyObject, file: string, what: string): KeyObject {
  try {
    return make()
  } catch (cause) {
    throw new Error(`${file} is no ${what} key in PEM: ${(cause as Error).message}`)
  }
}

/**
 * The Ed25519 signature (RFC 8032) of a text under a private key in PEM, in base64. Throws an Error
 * that names the key's file. `openssl pkeyutl -verify -rawin` takes it, once decoded.
 */
export function signatureOf(text: string, key: { pem: string; file: string }): string {
  const secret = read(() => createPrivateKey(key.pem), key.file, 'private')
  return sign(null, Buffer.from(text), ed25519(secret, key.file)).toString('base64')
}

/** 64 bytes in base64, which every other way to write them is not. */
const written = /^[A-Za-z0-9+/]{86}==$/

/**
 * Whether a signature is of these bytes, by a public key in PEM; throws an Error for another key.
 * Base64 that says the same in other characters is no signature: nothing of it was changed.
 */
export function isSigned(
  content: string | Uint8Array,
  signature: string,
  key: { pem: string; file: string }
): boolean {
  const known = read(() => createPublicKey(key.pem), key.file, 'public')
  const text = signature.trim()
  const bytes = Buffer.from(text, 'base64')
  const isOne = written.test(text) && bytes.toString('base64') === text
  return verify(null, Buffer.from(content), ed25519(known, key.file), bytes) && isOne
}
