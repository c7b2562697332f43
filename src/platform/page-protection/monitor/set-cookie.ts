/** A cookie as a server sets it; what it does not say is what a browser assumes. */
export type SetCookie = {
  name: string
  domain: string
  path: string
  /** Milliseconds since the epoch; undefined for a cookie that ends with the session. */
  expiresMs?: number
  maxAgeSeconds: number | null
  isHttpOnly: boolean
  isSecure: boolean
  sameSite: 'strict' | 'lax' | 'none'
}

/** Further ahead, no date can be written as the document does. */
const endOfTime = Date.UTC(9999, 11, 31)

/** Reads a `Set-Cookie` header as browsers do; undefined for one that they would ignore. */
export function setCookie(
  header: string,
  { host, path, now }: { host: string; path: string; now: number }
): SetCookie | undefined {
  const [pair = '', ...rest] = header.split(';')
  const equals = pair.indexOf('=')
  const name = pair.slice(0, Math.max(0, equals)).trim()
  if (name === '') return undefined
  const attributes = new Map(rest.map(attribute))
  const domain = (attributes.get('domain') ?? '').replace(/^\./, '').toLowerCase()
  if (domain !== '' && host !== domain && !host.endsWith(`.${domain}`)) return undefined
  const maxAge = attributes.get('max-age') ?? ''
  const maxAgeSeconds = /^-?\d+$/.test(maxAge) ? Number(maxAge) : null
  const given = attributes.get('path') ?? ''
  const sameSite = attributes.get('samesite')?.toLowerCase() ?? ''
  return {
    name,
    domain: domain || host,
    path: given.startsWith('/') ? given : path.slice(0, Math.max(1, path.lastIndexOf('/'))),
    expiresMs: expiry(maxAgeSeconds, { date: attributes.get('expires') ?? '', now }),
    maxAgeSeconds: Number.isSafeInteger(maxAgeSeconds) ? maxAgeSeconds : null,
    isHttpOnly: attributes.has('httponly'),
    isSecure: attributes.has('secure'),
    sameSite: sameSite === 'strict' || sameSite === 'none' ? sameSite : 'lax'
  }
}

function attribute(text: string): [name: string, value: string] {
  const [name] = text.split('=', 1)
  return [name!.trim().toLowerCase(), text.slice(name!.length + 1).trim()]
}

function expiry(
  maxAgeSeconds: number | null,
  { date, now }: { date: string; now: number }
): number | undefined {
  const at = maxAgeSeconds === null ? Date.parse(date) : now + maxAgeSeconds * 1_000
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at, 0), endOfTime)
}
