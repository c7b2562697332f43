import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { freePorts, squatter } from '../free-ports.ts'
import { plimsoll, start } from './plimsoll.ts'

/** A platform that runs until the test is over, and its announcement. */
async function announced(...flags: string[]) {
  const running = start(['platform', '--json', ...flags])
  onTestFinished(async () => {
    running.child.kill()
    await running.ended
  })
  const [line] = await once(createInterface({ input: running.child.stdout }), 'line')
  return { ...running, said: JSON.parse(line) as Record<string, string> }
}

/** What a platform says to people, once it has said all of it. */
async function introduced(...flags: string[]): Promise<string> {
  const running = start(['platform', '--port', '0', ...flags])
  await expect.poll(running.stdout, { timeout: 30_000 }).toMatch(/Nothing is kept|is kept/)
  running.child.kill()
  return (await running.ended).stdout
}

test('a neighbour that is taken is told on stderr, and the others stay', async () => {
  const port = await freePorts(4)
  const taken = await squatter(port + 2)
  onTestFinished(() => void taken.close())
  const { said, child, ended } = await announced('--port', `${port}`)
  expect(said.management).toBe(`http://127.0.0.1:${port}/client/v4`)
  expect(said.control).toBe(`http://127.0.0.1:${port + 3}`)
  child.kill()
  expect((await ended).stderr).toBe(`Port ${port + 2} is taken: the edge is at ${said.edge}.\n`)
})

test('the port itself is not moved: the command ends, and names it', async () => {
  const port = await freePorts(1)
  const taken = await squatter(port)
  onTestFinished(() => void taken.close())
  const { code, stderr, stdout } = await plimsoll('platform', '--port', `${port}`)
  expect([code, stdout]).toEqual([64, ''])
  expect(stderr).toContain(`port ${port} is taken`)
})

test.each([
  ['--allow-egress', 'localhost', 'given as HOST:PORT'],
  ['--allow-egress', 'http://127.0.0.1:80', 'given as HOST:PORT'],
  ['--log-files', '/dev/null', '--log-files /dev/null is not a folder']
])('%s %s is refused in words', async (flag, value, because) => {
  const { code, stderr } = await plimsoll('platform', '--port', '0', flag, value)
  expect(code).toBe(64)
  expect(stderr).toContain(because)
})

test('what is said at a start can be pasted into a shell, and is true', async () => {
  const text = await introduced()
  const said = Object.fromEntries(
    [...text.matchAll(/\b([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value])
  )
  expect(Object.keys(said)).toEqual([
    ...['API', 'TOKEN', 'CONTROL', 'CONTROL_TOKEN', 'GATEWAY', 'EDGE', 'ZONE', 'ZONE_HOST']
  ])
  expect(text).toContain('the tokens are new at each start')
  const again = await introduced()
  expect(again).not.toContain(said.TOKEN)
  expect(again).not.toContain(said.CONTROL_TOKEN)
})
