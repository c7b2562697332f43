import { type Header, valuesOf } from './served.ts'

/** The directives of all Cache-Control headers, in lower case; '' for those without a value. */
function directivesOf(headers: readonly Header[]): Map<string, string> {
  const text = valuesOf(headers, 'cache-control').join(',').toLowerCase()
  return new Map(
    [...text.matchAll(/([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,]*)))?/g)].map(
      ([, name, quoted, bare]) => [name!, quoted ?? bare ?? '']
    )
  )
}

/**
 * How long a shared cache may keep a response, in milliseconds from now; 0 when it may not. Only
 * what says so itself is kept: `s-maxage` before `max-age` before `Expires` (RFC 9111).
 */
export function lifetimeMs(headers: readonly Header[], now: number): number {
  const directives = directivesOf(headers)
  const forbidden = ['no-store', 'private', 'no-cache'].some((name) => directives.has(name))
  const isOwn = valuesOf(headers, 'set-cookie').length > 0
  if (forbidden || isOwn || valuesOf(headers, 'vary').includes('*')) return 0
  const seconds = directives.get('s-maxage') ?? directives.get('max-age')
  if (seconds !== undefined) return /^\d+$/.test(seconds) ? Number(seconds) * 1_000 : 0
  const [expires = ''] = valuesOf(headers, 'expires')
  return Math.max(0, (Date.parse(expires) || now) - now)
}

/** What a response depends on besides its address: names of headers, and their values. */
export function variantOf(headers: readonly Header[], request: readonly Header[]): Header[] {
  const names = valuesOf(headers, 'vary').flatMap((value) => value.toLowerCase().split(','))
  return names
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => [name, valuesOf(request, name).join(', ')])
}
