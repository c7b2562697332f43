import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startFickle } from './fickle.ts'
import { start } from './plimsoll.ts'

/** What sets the clock of a single process, from a file that can be changed while it runs. */
const faked = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'
const secondsGiven = 8
const graceMs = 10_000

test.skipIf(!existsSync(faked)).each([
  ['+3600', ['capacity', '--time', `${secondsGiven}s`]],
  ['-3600', ['capacity', '--time', `${secondsGiven}s`]],
  ['+3600', ['soak', '-r', '50', '-d', `${secondsGiven}s`]],
  ['-3600', ['soak', '-r', '50', '-d', `${secondsGiven}s`]]
])(
  'a clock that is set by %s s on the way changes nothing for %j',
  async (jump, args) => {
    const target = await startFickle()
    const set = join(mkdtempSync(join(tmpdir(), 'plimsoll-clock-')), 'set')
    writeFileSync(set, '+0\n')
    const env = {
      ...{ ...process.env, LD_PRELOAD: faked, FAKETIME_TIMESTAMP_FILE: set },
      ...{ FAKETIME_NO_CACHE: '1', DONT_FAKE_MONOTONIC: '1' }
    }
    const [command, ...flags] = args
    const began = performance.now()
    const { ended } = start([command!, target.url, ...flags, '--json'], { env })
    setTimeout(() => writeFileSync(set, `${jump}\n`), 4_000)
    const { code, stdout } = await ended
    const ms = performance.now() - began
    // It is neither over at once nor an hour too late.
    expect(ms).toBeGreaterThan(5_000)
    expect(ms).toBeLessThan(secondsGiven * 1_000 + graceMs)
    // What there is to see in so little time is the machine's to say.
    expect([0, 2, 3]).toContain(code)
    expect(() => JSON.parse(stdout)).not.toThrow()
  },
  60_000
)
