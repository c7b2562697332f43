import { expect, test } from 'vitest'
import { type Failing, startFickle } from './fickle.ts'
import { plimsoll, start } from './plimsoll.ts'
import { refused } from './refused.ts'

const given = { capacity: 8, compare: 20, soak: 8, probe: 6 }

type Timed = keyof typeof given

/** Nothing but its time would end a command that waits so long for an answer. */
const forAnswer = ['-t', '600s']

const argsOf: Record<Timed, (url: string) => string[]> = {
  capacity: (url) => ['capacity', url, '--time', `${given.capacity}s`, ...forAnswer],
  compare: (url) => [
    'compare',
    '--a',
    url,
    '--b',
    url,
    '--time',
    `${given.compare}s`,
    ...forAnswer
  ],
  soak: (url) => ['soak', url, '-r', '50', '-c', '4', '-d', `${given.soak}s`, ...forAnswer],
  probe: (url) => ['probe', url, '--time', `${given.probe}s`]
}

/** Requests after which a target fails: none, some of the first look, and some of what follows. */
const askedBefore: Record<Timed, readonly number[]> = {
  capacity: [0, 20, 200],
  compare: [0, 20, 400],
  soak: [0, 20, 100],
  probe: [0, 5, 30]
}

/** Runs a command on a target that fails once it was asked so often. */
async function timed(command: Timed, how?: Failing, requests = 0) {
  const target = await startFickle()
  if (how) target.failAfter(how, requests)
  const { code, stdout } = await start([...argsOf[command](target.url), '--json']).ended
  return { code, told: stdout === '' ? {} : JSON.parse(stdout), asked: target.asked() }
}

// That it ends at all is that it ends in its time: its target is silent for good, and ten minutes
// are more than a test has. To the millisecond the tests of each search hold it, on virtual clocks.
test.each(Object.keys(given) as Timed[])(
  '%s ends, and concludes nothing, whenever its target fails',
  async (command) => {
    const failures = (['hangs', 'drips', 'dies'] as const).flatMap((how) =>
      askedBefore[command].map((requests) => ({ how, requests }))
    )
    // Nearly all of it is waiting, which is done at once.
    const all = failures.map(async ({ how, requests }) => {
      const { code, told, asked } = await timed(command, how, requests)
      const where = `${how} after ${requests} requests, asked ${asked} times`
      // A machine that could not keep up says so itself, which is no verdict either.
      const isOwnFault = command === 'soak' && told.voidShare > 0.2
      expect([where, code]).toEqual([where, isOwnFault ? 3 : 2])
    })
    await Promise.all(all)
  },
  180_000
)

test('a target that answers is measured, and judged, in the time given', async () => {
  const pairs = [
    ['capacity', 'probe'],
    ['compare', 'soak']
  ] as const
  for (const pair of pairs) {
    for (const { code, told } of await Promise.all(pair.map((command) => timed(command)))) {
      // What it shows in so little time is the machine's to say.
      expect([0, 1, 2, 3]).toContain(code)
      expect(Object.keys(told)).not.toEqual([])
    }
  }
}, 120_000)

test('commands that do not come up are waited for no longer than there is time', async () => {
  const sides = ['--a', 'http://127.0.0.1:2', '--b', 'http://127.0.0.1:3']
  const started = ['--a-cmd', 'sleep 1000', '--b-cmd', 'sleep 1000']
  const { code } = await plimsoll('compare', ...sides, ...started, '--time', '10s')
  expect(code).toBe(2)
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
  const { code, stderr } = await refused(command, ...args)
  expect(stderr).toMatch(/^plimsoll: --time \d+s .*give it \d+s at least/)
  expect(code).toBe(64)
})

test.each([
  ['capacity', ['--p99', '20001']],
  ['capacity', ['--p99', '5000', '--timeout', '2s']],
  ['load', ['--max', '20.1s']],
  ['load', ['--p95', '3s', '--timeout', '1s', '--rate', '10']]
])('%s refuses a response time that none can exceed: %j', async (command, args) => {
  const { code, stderr } = await refused(command, 'http://127.0.0.1:1', ...args)
  expect(stderr).toMatch(/^plimsoll: --(p99|max|p95) \d+ is always kept: .*; give --timeout \d+s$/m)
  expect(code).toBe(64)
})
