import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'

/** DER: a value's tag, its length and its content. */
function der(tag: number, ...content: (Buffer | string)[]): Buffer {
  const bytes = Buffer.concat(content.map((part) => Buffer.from(part as string, 'latin1')))
  const { length } = bytes
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), bytes])
}

const sequence = (...content: Buffer[]) => der(0x30, ...content)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))

/** A new key and a certificate for one DNS name that it has signed itself, both as PEM. */
export function certificate(name: string): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' }
  })
  const subject = sequence(der(0x31, sequence(oid('550403'), der(0x0c, name))))
  const altName = sequence(oid('551d11'), der(0x04, sequence(der(0x82, name))))
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    subject,
    sequence(der(0x17, '200101000000Z'), der(0x17, '491231235959Z')),
    subject,
    publicKey,
    der(0xa3, sequence(altName))
  )
  const signature = sign('sha256', content, createPrivateKey(privateKey))
  const whole = sequence(content, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n')
  return {
    key: privateKey,
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
  }
}
