// Answers that come in another way: HTTP leaves it to a server, and the document is silent.
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { constants, createBrotliCompress, createDeflate, createGzip } from 'node:zlib'
import type { Head } from './answer-stream.ts'
import { everywhere, form, type Variant } from './variant.ts'
import type { Way } from './way.ts'

/** Where every listener is asked, and with little to send. */
const talk = [
  ...[...form, 'gateway', 'networks', 'edge/url-length', 'edge/header-single'],
  ...['origin/passed-on', 'origin/coded', 'edge/body-as-sent', 'edge/http2', 'cache/kept'],
  ...['functions/console', 'functions/queued-bodies', 'functions/answers', 'policies/http2']
]

/** Answers of JSON whose media type is another one, or told by nobody. */
export const typed = (type: [string, string][]): Way => ({
  head({ headers, ...head }) {
    const isType = ([name, value]: [string, string]) =>
      name.toLowerCase() === 'content-type' && /json/i.test(value)
    const others = headers.filter((one) => !isType(one))
    return { ...head, headers: others.length < headers.length ? [...others, ...type] : headers }
  }
})

/** A coding whose bytes leave as they come, as a server that streams has to see to. */
const coding = (encoder: () => Duplex) =>
  async function* (body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const stream = encoder()
    const sent = (async () => {
      for await (const bytes of body) stream.write(bytes)
      stream.end()
    })()
    yield* stream
    await sent
  }

const codings = {
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH }),
  deflate: () => createDeflate({ flush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH })
}

const named = (name: string, rename: (name: string) => string): Variant => ({
  name,
  allowed: 'names of headers have no case (RFC 9110, 5.1)',
  areas: talk,
  ways: everywhere({
    head: ({ headers, ...head }) => ({
      ...head,
      headers: headers.map(([own, value]) => [rename(own), value])
    })
  })
})

const plus = (head: Head, ...more: [string, string][]): Head => ({
  ...head,
  headers: [...more, ...head.headers]
})

const spoken: [name: string, allowed: string, way: Way][] = [
  ['chunked', 'bodies come in chunks (RFC 9112, 7.1)', { framing: 'chunked' }],
  ['until-close', 'bodies last until the connection ends (6.3)', { framing: 'close' }],
  ['one-request-a-connection', 'connections need not be kept (9.3)', { isOnce: true }],
  ['closed-when-idle', 'an idle connection is closed soon (9.5)', { idleMs: 150 }],
  ['in-small-pieces', 'a network may part bytes anywhere', { pieceBytes: 7 }],
  ['slow', 'how fast answers come is not said', { delayMs: () => 80 }],
  ['slow-at-random', 'how fast answers come is not said', { delayMs: (next) => 300 * next() ** 3 }],
  ['dripping', 'how fast answers come is not said', { pieceBytes: 200, pieceMs: 5 }],
  [
    'interim-answers',
    'interim answers may go before any other (RFC 9110, 15.2)',
    {
      interim:
        'HTTP/1.1 102 Processing\r\n\r\n' +
        'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n'
    }
  ],
  [
    'without-reasons',
    'reasons say nothing (RFC 9112, 4)',
    { head: (head) => ({ ...head, reason: '' }) }
  ],
  [
    'with-own-reasons',
    'reasons say nothing (RFC 9112, 4)',
    { head: (head) => ({ ...head, reason: `As ${STATUS_CODES[head.status]} as can be` }) }
  ],
  [
    'without-a-date',
    'who has no clock sends none (RFC 9110, 6.6.1)',
    {
      head: ({ headers, ...head }) => ({
        ...head,
        headers: headers.filter(([name]) => name.toLowerCase() !== 'date')
      })
    }
  ],
  [
    'with-more-headers',
    'other headers are not forbidden',
    {
      head: (head, { asked }) =>
        plus(
          head,
          ['Server', 'another/2.1'],
          ['Via', '1.1 proxy-7, 1.1 edge-3'],
          ['Set-Cookie', '__session=1; Path=/; HttpOnly; Secure'],
          ['Set-Cookie', 'b=2'],
          ['Strict-Transport-Security', 'max-age=31536000'],
          ['X-Request-Id', asked.target.length.toString(16).padStart(16, '0')],
          ['Alt-Svc', 'h3=":443"; ma=86400'],
          ['X-Empty', '']
        )
    }
  ],
  ['json-of-no-type', 'who sends a body need not say its media type (RFC 9110, 8.3)', typed([])],
  [
    'charset-in-type',
    'a media type may have parameters (RFC 9110, 8.3)',
    {
      head: ({ headers, ...head }) => ({
        ...head,
        headers: headers.map(([name, value]) => [
          name,
          value === 'application/json' ? 'Application/JSON; Charset="UTF-8"' : value
        ])
      })
    }
  ]
]

/** Platforms whose answers come in another way. */
export const wireVariants: readonly Variant[] = [
  ...spoken.map(
    ([name, allowed, way]): Variant => ({ name, allowed, areas: talk, ways: everywhere(way) })
  ),
  ...Object.entries(codings).map(
    ([name, encoder]): Variant => ({
      name: `coded-as-${name}`,
      allowed: 'who names no codings accepts any (RFC 9110, 12.5.3)',
      areas: talk,
      ways: everywhere({ coding: [name, coding(encoder)] })
    })
  ),
  named('headers-in-lower-case', (name) => name.toLowerCase()),
  named('headers-in-upper-case', (name) => name.toUpperCase()),
  {
    name: 'proxy-headers-of-its-own',
    allowed: 'a management API may have a policy for its own pages',
    areas: form,
    ways: {
      management: {
        head: (head) =>
          plus(
            head,
            ['Content-Security-Policy', "default-src 'none'; report-uri /csp"],
            ['Cache-Control', 'no-store'],
            ['ETag', 'W/"1"'],
            ['RateLimit', '"default";r=998;t=60'],
            ['Warning', '299 - "soon"']
          )
      }
    }
  },
  {
    name: 'late-refusals',
    allowed: 'when a request is refused is not said: here once all of it was read',
    areas: [
      ...['edge/url-length', 'edge/header-single', 'edge/headers-total', 'origin/passed-on'],
      ...['edge/http2', 'envelope', 'errors']
    ],
    ways: everywhere({ isLate: true })
  },
  ...[
    ['late-leave', 'when a client is told to go on is not said', 900],
    ['no-leave', 'who is not told to go on need not wait for it (RFC 9110, 10.1.1)', Infinity]
  ].map(
    ([name, allowed, leaveMs]): Variant => ({
      ...{ name: `${name}`, allowed: `${allowed}` },
      areas: [
        ...['edge/request-body-size', 'edge/body-refusal-status', 'origin/passed-on'],
        ...['edge/body-as-sent', 'origin/too-large', 'origin/looked-into-too-large'],
        ...['edge/plan-moved', 'edge/request-body-framings']
      ],
      ways: { edge: { leaveMs: Number(leaveMs) } }
    })
  ),
  {
    name: 'late-refusals-of-bodies',
    allowed: 'when a body is refused is not said: here once all of it was read',
    areas: [
      ...['edge/request-body-size', 'edge/body-refusal-status'],
      ...['edge/plan-moved', 'edge/request-body-framings']
    ],
    ways: { edge: { isLate: true } }
  },
  {
    name: 'bodies-of-50-kb',
    allowed: 'how large a body the API and the gateway read is not said',
    areas: [...form, 'gateway', 'log-push/create', 'waf/update'],
    rules: {
      management: { limits: { bodyBytes: 50_000 } },
      gateway: { limits: { bodyBytes: 50_000 } }
    }
  }
]
