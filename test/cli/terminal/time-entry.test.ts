import { expect, test } from 'vitest'
import { isClear } from '../../../src/cli/terminal/probe-entry.ts'
import { entryText } from '../../../src/cli/terminal/probe-text.ts'
import { useEntry, waitEntry } from '../../../src/cli/terminal/time-entry.ts'

test('ways that end alike are told on one line, and why one did not', () => {
  const reading = {
    ...{ kind: 'found' as const, ms: 2_004, lateMs: 0, belowMs: 0 },
    ...{ since: ['connection' as const], status: 408, how: 'closed' as const }
  }
  const lines = ['nothing sent', 'begun'].map((variant) => ({ variant, reading }))
  const unclear = { variant: 'dripped', reading: { kind: 'unclear' as const, because: 'odd' } }
  expect(entryText(waitEntry('header-time', { lines }))).toBe(
    '  header-time   408, closed after 2.00 s, since the connection'
  )
  const entry = waitEntry('header-time', { lines: [...lines, unclear] })
  expect(isClear(entry)).toBe(false)
  expect(entryText(entry).split('\n')).toEqual([
    '? header-time   nothing sent, begun: 408, closed after 2.00 s, since the connection',
    '                dripped: unclear: odd'
  ])
})

test('how much a connection is used is told in its unit', () => {
  const found = { kind: 'found' as const, value: 1_000, below: 0, how: 'announced' as const }
  expect(entryText(useEntry('requests-per-connection', found))).toBe(
    '  requests-per-connection announced after 1,000 requests'
  )
  expect(entryText(useEntry('connection-age', { ...found, below: 40 }))).toBe(
    '  connection-age announced after 1.00 s, or up to 0.04 s sooner'
  )
})
