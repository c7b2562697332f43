/** The directives that list sources. */
const fetching = new Set([
  ...['default-src', 'script-src', 'script-src-elem', 'script-src-attr', 'connect-src'],
  ...['style-src', 'style-src-elem', 'style-src-attr', 'img-src', 'font-src', 'media-src'],
  ...['object-src', 'frame-src', 'child-src', 'worker-src', 'manifest-src'],
  ...['base-uri', 'form-action', 'frame-ancestors']
])

const sandboxFlags = new RegExp(
  `^allow-(?:${[
    ...['downloads', 'forms', 'modals', 'orientation-lock', 'pointer-lock', 'popups'],
    ...['popups-to-escape-sandbox', 'presentation', 'same-origin', 'scripts'],
    ...['storage-access-by-user-activation', 'top-navigation'],
    ...['top-navigation-by-user-activation', 'top-navigation-to-custom-protocols']
  ].join('|')})$`,
  'i'
)

/**
 * The directives that list something else: what a word of theirs may be, and how many of them.
 * `report-uri` is none of them: the service adds its own, and browsers would heed the first only.
 */
const others = new Map<string, { word: RegExp; least: number; most: number }>([
  ['upgrade-insecure-requests', { word: /^$/, least: 0, most: 0 }],
  ['block-all-mixed-content', { word: /^$/, least: 0, most: 0 }],
  ['sandbox', { word: sandboxFlags, least: 0, most: Infinity }],
  ['report-to', { word: /^[a-z0-9!#$%&'*+.^_`|~-]+$/i, least: 1, most: 1 }],
  ['webrtc', { word: /^'(?:allow|block)'$/i, least: 1, most: 1 }],
  ['require-trusted-types-for', { word: /^'script'$/i, least: 1, most: Infinity }],
  [
    'trusted-types',
    {
      word: /^(?:\*|'none'|'allow-duplicates'|[a-z0-9#=_/@.%-]+)$/i,
      least: 0,
      most: Infinity
    }
  ]
])

const keywords = new Set([
  ...["'self'", "'unsafe-inline'", "'unsafe-eval'", "'wasm-unsafe-eval'", "'unsafe-hashes'"],
  ...["'strict-dynamic'", "'report-sample'", "'trusted-types-eval'"],
  ...["'report-sha256'", "'report-sha384'", "'report-sha512'"]
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
    const fault = nameFault(name.toLowerCase(), seen) ?? valueFault(name.toLowerCase(), sources)
    if (fault !== undefined) return fault
    seen.add(name.toLowerCase())
  }
  return seen.size === 0 ? 'must have a directive, such as script-src' : undefined
}

function nameFault(name: string, seen: ReadonlySet<string>): string | undefined {
  if (!fetching.has(name) && !others.has(name)) return `there is no directive ${shortened(name)}`
  return seen.has(name) ? `${name} is there twice, and browsers heed the first only` : undefined
}

function valueFault(name: string, words: readonly string[]): string | undefined {
  const other = others.get(name)
  if (other === undefined) return sourcesFault(words)
  const wrong = words.find((word) => !other.word.test(word))
  if (wrong !== undefined && other.most > 0) return `${shortened(wrong)} is nothing for ${name}`
  if (words.length > other.most) return `${name} takes ${other.most === 0 ? 'no' : 'one'} value`
  if (words.length < other.least) return `${name} takes a value`
  const isNone = words.some((word) => word.toLowerCase() === "'none'")
  return isNone && words.length > 1 ? "'none' must stand alone" : undefined
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
