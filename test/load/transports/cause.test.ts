import { expect, test } from 'vitest'
import { mergeTallies } from '../../../src/load/figures/metrics.ts'
import { unanswered } from '../../../src/load/figures/unanswered.ts'
import { causeOf } from '../../../src/load/transports/cause.ts'
import { noConnections } from '../../../src/load/transports/transport.ts'

const failed = (code: string) => Object.assign(new Error('in other words'), { code })
const address = { host: '127.0.0.1', port: 9 }

test.each([
  ['refused', 'ECONNREFUSED', 'connection refused at 127.0.0.1:9 (ECONNREFUSED)'],
  ['refused', 'ENOTFOUND', 'no address is known for 127.0.0.1:9 (ENOTFOUND)'],
  ['tls', 'CERT_HAS_EXPIRED', /: its certificate has expired \(CERT_HAS_EXPIRED\)$/],
  ['tls', 'ERR_SSL_WRONG_VERSION_NUMBER', /: it does not speak TLS \(ERR/],
  ['tls', 'ODD', /no secure connection to 127\.0\.0\.1:9: in other words \(ODD\)/],
  ['timeout', '', 'no connection in time at 127.0.0.1:9']
] as const)('%s by %s in words', (ending, code, text) => {
  expect(causeOf(ending, address, code ? failed(code) : undefined)).toEqual(
    typeof text === 'string' ? text : expect.stringMatching(text)
  )
})

const seen = (results: Record<string, number>, connections = {}) => ({
  tally: { ...mergeTallies([]), results },
  connections: { ...noConnections(), ...connections }
})
const refused = { failed: { refused: 3 }, causes: { 'connection refused at x:9': 3 } }

test.each([
  ['nothing connected', { refused: 3 }, refused, 'nothing connected: connection refused at x:9'],
  ['nothing was sent', {}, refused, 'nothing connected: connection refused at x:9'],
  ['nothing answered', { closed: 2 }, { opened: 2 }, 'nothing answered: closed'],
  ['something answered', { closed: 2, 503: 1 }, refused, undefined],
  ['nothing was asked', {}, { opened: 2 }, undefined],
  ['this machine ran out', { exhausted: 2 }, { failed: { exhausted: 2 } }, undefined]
])('%s', (_, results, connections, text) => {
  expect(unanswered(seen(results as never, connections))).toBe(text)
})
