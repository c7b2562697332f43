import { expect, test } from 'vitest'
import { insistOnReach } from '../../../src/cli/senders/reachable.ts'

/** Both sides at an address, started here or not. */
function sides(address: string, command?: string) {
  const one = { url: `http://${address}:1/`, route: { addresses: [address] }, command }
  return { a: { ...one, command: undefined }, b: one }
}

const agents = [{ id: 'here-7' }, { id: 'vm-2-22552' }]

test('a command that starts here is out of reach of an agent elsewhere, by loopback', () => {
  expect(() => insistOnReach(sides('127.0.0.1', 'node b.js'), agents, 'here')).toThrow(
    /--b-cmd starts on this machine, and the agent vm-2-22552 asks .*: give --b an address/
  )
})

test.each([
  ['agents of this machine reach it', sides('127.0.0.1', 'node b.js'), agents.slice(0, 1)],
  ['so do all by an address of this machine', sides('10.0.0.5', 'node b.js'), agents],
  ['what is there already is each agent’s own', sides('127.0.0.1'), agents],
  ['without agents it is this machine that asks', sides('::1', 'node b.js'), []]
])('%s', (_, given, by) => {
  expect(() => insistOnReach(given, by, 'here')).not.toThrow()
})

test('a host of which the name only begins alike is another one', () => {
  const by = [{ id: 'here-too-7' }]
  expect(() => insistOnReach(sides('::1', 'node b.js'), by, 'here')).toThrow(/here-too-7/)
})
