import { createHash, createHmac } from 'node:crypto'
import type { Delivered } from 'plimsoll'
import type { Access } from './_stage.ts'

const keyed = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)

/** What is left of a segment of a path, or of anything else, in a canonical request. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
  )

/**
 * What is wrong with the signature of an object that was put, by Signature Version 4 in its header
 * form; '' when it is that of somebody with this access.
 */
export function faultIn({ method, path, headers }: Delivered, access: Access): string {
  const { authorization = '' } = headers
  const [, key, scope = '', names = '', told] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), *SignedHeaders=([^,]+), *Signature=(\w+)$/.exec(
      authorization
    ) ?? []
  if (key !== access.accessKeyId) return `signed ${authorization}`
  const [day, region] = scope.split('/') as [string, string]
  if (region !== access.region) return `signed for the region ${region}`
  const [place, query = ''] = path.split('?') as [string, string?]
  const canonical = [
    method,
    place.split('/').map(decodeURIComponent).map(encoded).join('/'),
    query.split('&').sort().join('&'),
    ...names.split(';').map((name) => `${name}:${headers[name]?.trim().replace(/ +/g, ' ')}`),
    ...['', names, headers['x-amz-content-sha256']]
  ].join('\n')
  const digest = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, digest].join('\n')
  let secret = keyed(`AWS4${access.secretAccessKey}`, day).digest()
  for (const part of [region, 's3', 'aws4_request']) secret = keyed(secret, part).digest()
  return keyed(secret, text).digest('hex') === told ? '' : 'signed with another secret'
}
