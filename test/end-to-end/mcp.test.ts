import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, test } from 'vitest'

const launcher = resolve(import.meta.dirname, '../../src/launch.js')
const project = mkdtempSync(join(tmpdir(), 'plimsoll-mcp-'))

let server: Server
let url: string
let client: Client
let transport: StdioClientTransport
beforeAll(async () => {
  server = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const scenarios = join(project, 'scenarios')
  const clauses = [{ id: 'answers', kind: 'rule', documented: 'it answers', quote: 'It answers' }]
  mkdirSync(scenarios)
  writeFileSync(join(scenarios, 'clauses.json'), JSON.stringify(clauses))
  writeFileSync(join(scenarios, 'document.md'), '# Orders\n\nIt answers.\n')
  transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [launcher, 'mcp', '--project', project] },
    stderr: 'pipe'
  })
  client = new Client({ name: 'an-agent', version: '1' })
  await client.connect(transport)
})
afterAll(async () => {
  await client.close()
  server.close()
})

/** What a call is answered, the text read as JSON where it is that. */
async function call(name: string, given: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: given })
  const [{ text }] = content as [{ text: string }]
  return { isError, text, told: text.startsWith('{') ? JSON.parse(text) : undefined }
}

test('an agent finds the commands, each with what it takes', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    ...['list', 'clauses', 'run', 'load', 'probe', 'compare', 'report']
  ])
  for (const { inputSchema } of tools) expect(inputSchema.additionalProperties).toBe(false)
  expect(client.getInstructions()).toContain('loopback')
})

test('it reads the document of the project, and loads what is on loopback', async () => {
  const { told } = await call('clauses', {})
  expect(JSON.stringify(told.result)).toContain('It answers')
  const load = await call('load', { url, connections: 1, seconds: 0.5, errors: 0 })
  expect(load.told.result.requests).toBeGreaterThan(0)
})

test('nobody is asked for whom there was no leave when it started', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString()
  const entry = { host: '192.0.2.1', until, requestsPerSecond: 10, seconds: 10, bytes: 1e6 }
  writeFileSync(join(project, 'plimsoll.authorisation.json'), JSON.stringify([entry]))
  for (const name of ['load', 'probe']) {
    const { isError, told } = await call(name, { url: 'http://192.0.2.1/', seconds: 1 })
    expect([isError, told.exit]).toEqual([true, 77])
  }
})

test('what is hostile is refused before anything is started', async () => {
  const { isError, text } = await call('load', { url, body: '@/etc/passwd' })
  expect([isError, text]).toEqual([true, expect.stringMatching(/^load: .*body/)])
  expect(await call('shell', {})).toMatchObject({ isError: true, text: 'there is no tool shell' })
})

test('it ends with the one who started it', async () => {
  const other = new StdioClientTransport({
    ...{ command: process.execPath, args: [launcher, 'mcp', '--project', project] },
    stderr: 'pipe'
  })
  const agent = new Client({ name: 'another', version: '1' })
  await agent.connect(other)
  const { pid } = other
  // A load that would go on for ten minutes.
  const going = agent.callTool({ name: 'load', arguments: { url, connections: 1, seconds: 600 } })
  going.catch(() => {})
  await agent.close()
  await expect.poll(() => isThere(pid!), { timeout: 30_000 }).toBe(false)
})

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
