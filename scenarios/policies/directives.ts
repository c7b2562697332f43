import { check, type Look, summary } from 'plimsoll'
import { draft, withPolicy } from '../_policy.ts'
import { isBesideThePoint, isServed, item, quoted } from '../_reply.ts'

const clause = 'policy.field.value'

/** The directives of CSP Level 3 that list sources. */
const fetching = [
  ...['default-src', 'script-src', 'script-src-elem', 'script-src-attr', 'connect-src'],
  ...['style-src', 'style-src-elem', 'style-src-attr', 'img-src', 'font-src', 'media-src'],
  ...['object-src', 'frame-src', 'child-src', 'worker-src', 'manifest-src'],
  ...['base-uri', 'form-action', 'frame-ancestors']
]

/** A source of each form that CSP has, those first that the document names. */
const sources = [
  ...["'self'", 'cdn.example.test', 'https://cdn.example.test/shop/pay.js'],
  ...['https://cdn.example.test', 'http://example.test:8080', '*.example.test', '*', 'https:'],
  ...['localhost', 'a-b.c_d.example.test:*', 'example.test/dir/', 'wss://example.test', 'data:'],
  ...["'unsafe-inline'", "'unsafe-eval'", "'wasm-unsafe-eval'", "'unsafe-hashes'"],
  ...["'strict-dynamic'", "'report-sample'", "'nonce-Zm9vYmFy'", "'nonce-a_b-c+d/e=='"],
  ...["'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='", "'sha384-AbC+/_-='", "'sha512-0Z=='"]
]

/** What a sandbox may allow, by the HTML Standard. */
const sandbox = [
  ...['downloads', 'forms', 'modals', 'orientation-lock', 'pointer-lock', 'popups'],
  ...['popups-to-escape-sandbox', 'presentation', 'same-origin', 'scripts'],
  ...['top-navigation', 'top-navigation-by-user-activation'],
  'top-navigation-to-custom-protocols'
]

/** Each source in a value of its own, then what else a directive string can be. */
const values = [
  ...sources.map((source) => `script-src ${source}`),
  ...fetching.map((name) => `${name} 'none'`),
  ...['script-src', "SCRIPT-SRC 'SELF' CDN.Example.TEST", "  script-src   'self' ;; ;"],
  fetching.map((name, at) => `${name} 'self' ${sources[1 + (at % 3)]}`).join('; '),
  `script-src ${sources.join(' ')}; upgrade-insecure-requests`,
  ...['sandbox', `sandbox ${sandbox.map((flag) => `allow-${flag}`).join(' ')}`]
]

export default check({
  title: 'A policy’s value may be any directive string of Content Security Policy',
  clauses: [clause],
  needs: ['management', 'zone'],
  async run({ management, adapter, random, verify }) {
    const zone = (await adapter.zone('enterprise')).id
    const offer = (value: string) =>
      withPolicy({ management, zone, policy: { ...draft(random), value } })
    // Where no policy can be created, nothing is learnt of its value.
    if (!isServed(await offer(draft(random).value))) return
    const looks: Look[] = []
    for (const value of values) {
      const reply = await offer(value)
      // What has no id was not created, whatever is said of it.
      const isNone = isServed(reply) && item(reply).id === undefined
      if (isBesideThePoint(reply) || isNone) continue
      const saw = `${reply.because} ${quoted(reply.json?.errors)}`
      looks.push({ asked: value.slice(0, 80), holds: isServed(reply), saw, reply })
    }
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
})
