/**
 * The directives a policy may use: those that list sources. Where reports go is the service's own
 * matter, so `report-uri` and `report-to` are not among them.
 */
const names = new Set([
  ...['default-src', 'script-src', 'script-src-elem', 'script-src-attr', 'connect-src'],
  ...['style-src', 'style-src-elem', 'style-src-attr', 'img-src', 'font-src', 'media-src'],
  ...['object-src', 'frame-src', 'child-src', 'worker-src', 'manifest-src'],
  ...['base-uri', 'form-action', 'frame-ancestors']
])

const keywords = new Set([
  ...["'self'", "'unsafe-inline'", "'unsafe-eval'", "'wasm-unsafe-eval'", "'unsafe-hashes'"],
  ...["'strict-dynamic'", "'report-sample'"]
])

const scheme = '[a-z][a-z0-9+.-]*'
const host = '(?:\\*\\.)?[a-z0-9_-]+(?:\\.[a-z0-9_-]+)*'

/** Nonces, hashes, schemes and hosts, as CSP3 writes them. */
const forms = [
  /^'(?:nonce|sha256|sha384|sha512)-[a-z0-9+/_-]+={0,2}'$/i,
  new RegExp(`^${scheme}:$`, 'i'),
  new RegExp(`^(?:${scheme}://)?(?:\\*|${host})(?::(?:\\d{1,5}|\\*))?(?:/[^?#]*)?$`, 'i')
]

/**
 * What is wrong with a text as the value of a policy, in words; undefined when nothing is. A value
 * becomes part of a response header, so it may neither end that nor begin another policy in it.
 */
export function directiveFault(value: string, limitCharacters: number): string | undefined {
  if (value.length > limitCharacters) return `must not be longer than ${limitCharacters} characters`
  if (/[^ -~]/.test(value)) return 'must be printable ASCII, without line breaks'
  if (value.includes(',')) return 'a comma would begin another policy; in a URL write %2C'
  const directives = value.split(';').map((part) => part.split(' ').filter((word) => word !== ''))
  const seen = new Set<string>()
  for (const [name, ...sources] of directives) {
    if (name === undefined) continue
    const fault = nameFault(name.toLowerCase(), seen) ?? sourcesFault(sources)
    if (fault !== undefined) return fault
    seen.add(name.toLowerCase())
  }
  return seen.size === 0 ? 'must have a directive, such as script-src' : undefined
}

function nameFault(name: string, seen: ReadonlySet<string>): string | undefined {
  if (!names.has(name)) return `there is no directive ${shortened(name)}`
  return seen.has(name) ? `${name} is there twice, and browsers heed the first only` : undefined
}

function sourcesFault(sources: readonly string[]): string | undefined {
  const isNone = (source: string) => source.toLowerCase() === "'none'"
  if (sources.some(isNone)) return sources.length > 1 ? "'none' must stand alone" : undefined
  const wrong = sources.find((source) => !isSource(source))
  return wrong === undefined ? undefined : `${shortened(wrong)} is not a source`
}

function isSource(source: string): boolean {
  return keywords.has(source.toLowerCase()) || forms.some((form) => form.test(source))
}

function shortened(word: string): string {
  return word.length > 60 ? `${word.slice(0, 60)}…` : word
}
