import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeFound } from '../../../src/cli/commands/probe-written.ts'
import type { ProbeFlags } from '../../../src/cli/flags/probe-flags.ts'
import { rateEntry } from '../../../src/cli/terminal/probe-entry.ts'
import type { RateLimit } from '../../../src/limit/rate-limit.ts'

const window = { burst: 12, perSecond: 4, windowMs: 3_000, because: 'so it was', repeats: '3/3' }

function writtenOf(found: RateLimit) {
  const folder = join(mkdtempSync(join(tmpdir(), 'plimsoll-unit-')), 'found')
  const asked = { url: 'http://127.0.0.1:1/', method: 'GET', header: [], write: folder, usual: 200 }
  const text = writeFound([rateEntry(found)], asked as unknown as ProbeFlags & { usual: number })
  return { text, folder }
}

test('why a rate is not written is said', () => {
  const soft = writtenOf({ ...window, algorithm: 'fixed-window', status: 200 })
  expect(soft.text).toBe(
    'not written: rate, since it refuses by 200, as it accepts, which no status tells'
  )
  expect(existsSync(soft.folder)).toBe(false)
  const { burst: _, ...rest } = window
  const range = writtenOf({ ...rest, algorithm: 'token-bucket', status: 429 })
  expect(range.text).toBe('not written: rate, since how many it takes at once is not known')
  const banned = writtenOf({ ...window, algorithm: 'ban', status: 429 })
  expect(banned.text).toBe('not written: rate, since no scenario is made of a ban')
  const none = writtenOf({ ...rest, algorithm: 'none' })
  expect(none.text).toBe('Nothing was found to be written.')
})

test('a rate whose refusals close the connection is written as such', () => {
  const { text, folder } = writtenOf({ ...window, algorithm: 'sliding-log', status: 0 })
  expect(text).toMatch(/^written: .*plimsoll run/)
  const scenario = readFileSync(join(folder, 'rate.ts'), 'utf8')
  expect(scenario).toContain("expectedReplies: ['closed']")
  expect(scenario).toContain('refused: 0')
})
