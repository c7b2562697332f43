import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { acceptRun } from '../../../src/cli/commands/accept-run.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-accept-'))
const file = join(folder, 'expect.json')
afterAll(() => rmSync(folder, { recursive: true }))

test('a run in which all is well makes a file that accepts nothing', async () => {
  const told = await acceptRun(file, [], {} as never)
  expect(told).toMatch(/added 0 deviations and 0 observations/)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ deviations: [], observations: [] })
  const { ino } = statSync(file)
  await acceptRun(file, [], {} as never)
  expect(statSync(file).ino).toBe(ino)
})
