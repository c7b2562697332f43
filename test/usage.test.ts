import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

type Ended = { code: number; stdout: string; stderr: string }

const programs = ['bench/mutation', 'sweep/honest', 'sweep/faults', 'sweep/nothing-enforced']

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
