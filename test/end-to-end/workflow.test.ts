import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { plimsoll } from './plimsoll.ts'

const file = resolve(import.meta.dirname, '../../.github/workflows/performance.yml')
const text = readFileSync(file, 'utf8').replaceAll(/\\\n\s+/g, '')

/** The commands of ours that the workflow runs, also those within a command, with their flags. */
const calls = [...text.matchAll(/launch\.js (\w+)(.*)/g)].flatMap(([, command, rest]) => {
  const [own = '', ...inner] = rest!.split(/'(?=node )/)
  const flags = (some: string) => [...some.matchAll(/ (--[\w-]+)/g)].map(([, flag]) => flag!)
  const nested = inner.flatMap((call) => {
    const [, name, args] = /launch\.js (\w+)([^']*)/.exec(call) ?? []
    return name === undefined ? [] : [{ command: name, flags: flags(args!) }]
  })
  const after = inner.map((call) => call.replace(/^[^']*'/, ''))
  return [{ command: command!, flags: flags([own, ...after].join(' ')) }, ...nested]
})

test('the workflow compares, on processes of its own', () => {
  expect(calls.map(({ command }) => command).sort()).toEqual([
    ...['calibrate', 'compare', 'history', 'platform', 'platform']
  ])
})

test.each(calls)('$command knows every flag that the workflow gives it', async (call) => {
  const { stdout } = await plimsoll(call.command, '--help')
  expect(call.flags.length).toBeGreaterThan(0)
  for (const flag of call.flags) expect(stdout).toMatch(new RegExp(`${flag}\\b`))
})
