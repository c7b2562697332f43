import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { withTelemetry } from '../../../src/cli/telemetry/telemetry.ts'
import type { Destination } from '../../../src/engine/load-worker.ts'
import { createLiveMemory, readLive } from '../../../src/load/health/live-counters.ts'

it.each([
  ['remoteWrite', 'HTTP 500 boom ␛[31m twice␇'],
  ['otlp', ' did not take the metrics: ']
])('what a receiver of metrics says is one printable line (%s)', async (flag, said) => {
  const server = createServer((request, response) => {
    const status = flag === 'otlp' ? 400 : 500
    const end = () => response.writeHead(status).end('boom \u001b[31m\n\rtwice\u0007')
    request.resume().on('end', end)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const notes: string[] = []
  const flags = { [flag]: `http://127.0.0.1:${port}/write`, authorisation: 'authorisation.json' }
  const destination = { source: { requests: [{ url: 'http://a.test/' }] } } as Destination
  await withTelemetry(
    flags,
    (text) => void notes.push(text),
    async (observe) => observe!.begin(destination, 0).see(readLive([createLiveMemory()], 0))
  )
  server.close()
  expect(notes).toEqual([expect.stringContaining(`${flags[flag]} did not take the metrics: `)])
  expect(notes[0]).toContain(said)
  expect(notes[0]).not.toMatch(/\p{Cc}/u)
})
