import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

type Ended = { code: number; stdout: string; stderr: string }

const programs = [
  'bench/mutation',
  'sweep/honest',
  'sweep/faults',
  'sweep/nothing-enforced',
  'sweep/one-answer'
]

/** What a program says, and its exit code. */
const ran = (program: string, ...flags: string[]): Promise<Ended> =>
  new Promise((done) => {
    const file = resolve(import.meta.dirname, `${program}.ts`)
    execFile(process.execPath, [file, ...flags], (error, stdout, stderr) => {
      done({ code: Number(error?.code ?? 0), stdout, stderr })
    })
  })

test.each(programs)('%s says how it is used', async (program) => {
  const { code, stdout, stderr } = await ran(program, '--help')
  expect(stdout).toContain(`npm run ${program.replace('/', ':')} [`)
  expect([code, stderr]).toEqual([0, ''])
})

test.each(programs)('%s names a flag that it does not know', async (program) => {
  const { code, stdout, stderr } = await ran(program, '--sead', '3')
  expect(stderr).toMatch(/^Unknown option '--sead'/)
  expect(stderr).toContain(`npm run ${program.replace('/', ':')} [`)
  expect(stderr).not.toMatch(/ {4}at /)
  expect([code, stdout]).toEqual([64, ''])
})

test.each([
  ['sweep/honest', ['--at-once', '0'], 64, '--at-once must be a whole number from 1'],
  ['sweep/honest', ['--workers', 'x'], 64, '--workers must be a whole number from 1'],
  ['sweep/honest', ['--seed', 'x'], 64, '--seed must be a whole number from 0'],
  ['sweep/honest', ['--tier', 'nosuch'], 64, 'there is no "nosuch"; there are quick, full, long'],
  ['sweep/honest', ['--shard', '9/8'], 64, '--shard is K/N, as 2/8, and not 9/8'],
  ['sweep/honest', ['--variants', 'chunkd'], 64, 'there is no "chunkd"; nearest: chunked'],
  ['sweep/honest', ['nosuch/one'], 64, 'no scenario "nosuch/one"'],
  ['sweep/one-answer', ['--seed', 'x'], 64, '--seed must be a whole number from 0'],
  ['sweep/one-answer', ['--answers', 'pge'], 64, 'there is no "pge"; nearest: page'],
  ['sweep/one-answer', ['nosuch/one'], 64, 'no scenario "nosuch/one"'],
  ['bench/mutation', ['--sample', '2.5'], 64, '--sample must be a whole number from 1'],
  ['bench/mutation', ['--seed', 'abc'], 64, '--seed must be a whole number from 0'],
  ['bench/mutation', ['--workers', '0'], 64, '--workers must be a whole number from 1'],
  ['bench/mutation', ['--budget=-1'], 64, '--budget "-1" is no duration'],
  ['bench/mutation', ['--tier', 'nosuch'], 64, 'there is no "nosuch"; there are quick, full, long'],
  ['bench/mutation', ['nosuch/one'], 64, 'no scenario "nosuch/one"'],
  ['bench/mutation', ['capacity/list-scripts'], 4, 'no scenario that was chosen judges anything']
] as const)('%s %j is refused', async (program, flags, exit, message) => {
  const { code, stdout, stderr } = await ran(program, ...flags)
  expect(stderr).toContain(message)
  expect(stderr).not.toMatch(/ {4}at /)
  expect([code, stdout]).toEqual([exit, ''])
})

test.each([
  [['--variants', 'chunked', '--shard', '2/2'], 'of 0 honest platforms'],
  // A variant of the management API, and a scenario that asks the edge alone.
  [['--variants', 'no-more-than-ten-a-page', 'edge/url-length'], 'of 1 honest platforms']
])(
  'a sweep that asked nothing says so: %j',
  async (flags, of) => {
    const { code, stdout } = await ran('sweep/honest', ...flags)
    expect(stdout).toContain(`Nothing was judged, ${of}`)
    expect(code).toBe(2)
  },
  60_000
)
