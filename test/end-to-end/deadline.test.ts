import { expect, test } from 'vitest'
import { type Failing, startFickle } from './fickle.ts'
import { plimsoll, start } from './plimsoll.ts'

/** How long after its time a command may end: for what was under way, and for what it started. */
const graceMs = 5_000

/** The time of a soak is that of its load; what it takes to begin may come on top. */
const beginningMs = { capacity: 0, compare: 0, soak: 5_000, probe: 0 }

const given = { capacity: 8, compare: 8, soak: 8, probe: 6 }

type Timed = keyof typeof given

const mostMs = (command: Timed) => given[command] * 1_000 + beginningMs[command] + graceMs

const argsOf: Record<Timed, (url: string) => string[]> = {
  capacity: (url) => ['capacity', url, '--time', `${given.capacity}s`],
  compare: (url) => ['compare', '--a', url, '--b', url, '--time', `${given.compare}s`],
  soak: (url) => ['soak', url, '-r', '50', '-c', '4', '-d', `${given.soak}s`],
  probe: (url) => ['probe', url, '--time', `${given.probe}s`]
}

/** Of a failure this shortly before it ended a command need not have heard. */
const heardMs = 1_000

/** Runs a command on a target that fails so long after it was first asked. */
async function timed(command: Timed, how: Failing | undefined, afterMs: number) {
  const target = await startFickle()
  if (how && afterMs === 0) target.fail(how)
  const began = performance.now()
  let failedAt = afterMs === 0 ? began : Number.POSITIVE_INFINITY
  const { ended } = start([...argsOf[command](target.url), '--json'])
  const failing = setInterval(() => {
    if (how === undefined || target.asked() === 0) return
    clearInterval(failing)
    setTimeout(() => {
      failedAt = performance.now()
      target.fail(how)
    }, afterMs)
  }, 10)
  const { code, stdout, stderr } = await ended
  clearInterval(failing)
  const now = performance.now()
  return { code, stdout, stderr, ms: now - began, met: now - failedAt > heardMs, how, afterMs }
}

const failures: [Failing, number][] = [
  ...(['hangs', 'drips', 'dies'] as const).flatMap((how): [Failing, number][] => [
    [how, 0],
    [how, 1_500],
    [how, 4_000]
  ])
]

test.each(Object.keys(given) as Timed[])(
  '%s ends in its time, and concludes nothing, whenever its target fails',
  async (command) => {
    let metIt = 0
    for (const at of [0, 3, 6]) {
      const some = failures.slice(at, at + 3)
      const all = await Promise.all(some.map(([how, afterMs]) => timed(command, how, afterMs)))
      for (const { ms, code, met, ...rest } of all) {
        expect(ms, JSON.stringify(rest)).toBeLessThan(mostMs(command))
        // Who was done before it failed may well have found something.
        if (met) expect(code, JSON.stringify(rest)).toBe(2)
        metIt += Number(met)
      }
    }
    // A quick machine may be done before the later ones; those from the start are met by any.
    expect(metIt).toBeGreaterThanOrEqual(3)
  },
  180_000
)

test('a target that answers is measured, and judged, in the time given', async () => {
  const commands = ['capacity', 'compare', 'soak', 'probe'] as const
  for (const command of commands) {
    const { ms, code, stdout } = await timed(command, undefined, 0)
    expect(ms, command).toBeLessThan(mostMs(command))
    // What it shows in so little time is the machine's to say.
    expect([0, 1, 2, 3]).toContain(code)
    expect(() => JSON.parse(stdout)).not.toThrow()
  }
}, 120_000)

test('commands that do not come up are waited for no longer than there is time', async () => {
  const sides = ['--a', 'http://127.0.0.1:2', '--b', 'http://127.0.0.1:3']
  const started = ['--a-cmd', 'sleep 1000', '--b-cmd', 'sleep 1000']
  const began = performance.now()
  const { code } = await plimsoll('compare', ...sides, ...started, '--time', '10s')
  expect(code).toBe(2)
  expect(performance.now() - began).toBeLessThan(10_000 + graceMs)
}, 60_000)

test.each([
  ['capacity', ['http://127.0.0.1:1', '--time', '1s']],
  ['compare', ['--a', 'http://127.0.0.1:1', '--b', 'http://127.0.0.1:2', '--time', '1s']],
  [
    'compare',
    ['--a', 'http://127.0.0.1:1', '--b', 'http://127.0.0.1:2', '--a-cmd', 'x', '--time', '9s']
  ],
  ['calibrate', ['--runs', '20', '--time', '30s']]
])('%s refuses a time in which nothing could be told: %j', async (command, args) => {
  const { code, stderr } = await plimsoll(command, ...args)
  expect(stderr).toMatch(/^plimsoll: --time \d+s .*give it \d+s at least/)
  expect(code).toBe(64)
})
