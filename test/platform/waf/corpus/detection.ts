import { inspected } from '../../../../src/platform/waf/inspected.ts'
import { detector, signatures } from '../../../../src/platform/waf/signature.ts'
import { attacks } from './attacks.ts'
import { ordinary } from './ordinary.ts'
import { strangeAttacks } from './strange-attacks.ts'
import { strangeTraffic } from './strange-traffic.ts'

/** A sample as it was sent, and the signatures of level 1 that found it. */
export type Outcome = { kind: string; sample: string; isHeldOut: boolean; found: string[] }

const known = signatures.filter(({ paranoia }) => paranoia === 1).map(({ name }) => name)
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const methods = ['TRACE', 'TRACK', 'DEBUG']

const carriers = [
  (value: string) => ({ uri: `/a?q=${value}` }),
  (value: string) => ({ type: 'application/x-www-form-urlencoded', body: `a=1&q=${value}` }),
  (value: string) => ({
    type: 'application/json; charset=utf-8',
    body: JSON.stringify({ a: [1, { q: decodeURIComponent(value) }] })
  }),
  (value: string) => ({
    type: 'multipart/form-data; boundary=xYz',
    body: [
      '--xYz',
      'Content-Disposition: form-data; name="q"',
      '',
      decodeURIComponent(value),
      '--xYz--'
    ].join('\r\n')
  })
]

/** What is found in a value that is sent in one of four ways. */
function foundIn(value: string, carrier: number): string[] {
  const isTarget = /^\/[^ ]*$/.test(value) && !/^\/(etc|proc)/.test(value)
  const carried: { uri?: string; type?: string; body?: string } = isTarget
    ? { uri: value }
    : carriers[carrier % carriers.length]!(encodeURIComponent(value))
  const { uri = '/', type = '', body = '' } = carried
  const facts = {
    'http.request.uri': methods.includes(value) ? '/' : uri,
    'http.request.method': methods.includes(value) ? value : 'POST',
    'http.user_agent': agent
  }
  const detects = detector(inspected(facts, { type, bytes: Buffer.from(body) }))
  return known.filter(detects)
}

/** Every fifth sample is not looked at while signatures are made better. */
function outcomes(samples: Record<string, readonly string[]>): Outcome[] {
  return Object.entries(samples).flatMap(([kind, values]) =>
    values.map((sample, index) => ({
      kind,
      sample,
      isHeldOut: index % 5 === 4,
      found: foundIn(sample, index)
    }))
  )
}

/** An attack is sent in each of the four ways. */
function everywhere(samples: Record<string, readonly string[]>): Outcome[] {
  return Object.entries(samples).flatMap(([kind, values]) =>
    values.flatMap((sample, index) =>
      carriers.map((_, carrier) => ({
        kind,
        sample,
        isHeldOut: index % 5 === 4,
        found: foundIn(sample, carrier)
      }))
    )
  )
}

/** What is found in the corpora: our own, and those of a stranger. */
export function detection() {
  return {
    attacks: everywhere(attacks),
    ordinary: outcomes(ordinary),
    strangeAttacks: everywhere(strangeAttacks),
    strangeTraffic: outcomes(strangeTraffic)
  }
}
