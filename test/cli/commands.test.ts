import { expect, test } from 'vitest'
import { commandsFor } from '../../src/cli/commands.ts'

test('only the command that is named is imported; the others are listed', async () => {
  const commands = await commandsFor(['list', 'edge', '--json'])
  const whole = commands.filter(({ builder }) => builder !== undefined)
  expect(whole.map(({ command }) => command)).toEqual(['list [ids..]'])
  expect(commands.length).toBeGreaterThan(10)
  for (const { command, describe } of commands) expect([command, describe]).not.toContain(undefined)
})

test('a word of another meaning does not keep the command from being there', async () => {
  const commands = await commandsFor(['run', '--target', 'platform'])
  const whole = commands.filter(({ builder }) => builder !== undefined)
  expect(whole.map(({ command }) => command)).toEqual(['run [ids..]', 'platform'])
})
