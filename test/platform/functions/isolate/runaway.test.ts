import { afterAll, expect, test } from 'vitest'
import { serve } from './elsewhere.ts'
import { codeOf, limitsOf, openTestIsolates, specOf } from './isolates.ts'

const code = codeOf('shapes')
const names = [...code.matchAll(/^ {2}(?:async )?(\w+)(?:: |\()/gm)]
  .map(([, name]) => name!)
  .filter((name) => name !== 'fetch')

const elsewhere = await serve((_request, response) => response.end('ok'))
const cpuMs = { fetch: 20, scheduled: 20, queue: 20, alarm: 20 }
const spec = specOf(code, { limits: limitsOf({ cpuMs }) })
const isolates = openTestIsolates({
  // Whoever is innocent must not be taken for a runaway on a busy machine, where looks come late.
  rules: { overruns: { tolerated: Infinity, of: 1, factor: 3, leastExtraMs: 10 } },
  services: { fetchTarget: () => ({ at: { host: '127.0.0.1', port: elsewhere.port } }) },
  spares: 1
})
afterAll(async () => {
  await isolates.close()
  await elsewhere.close()
})

test('the shapes are those of the function', async () => {
  const { text } = await isolates.ask(spec, { path: '/shapes' })
  expect(text!.split(',')).toEqual(names)
})

test.each(names)('%s is ended, and two innocents beside it are not', async (name) => {
  const innocents = [1, 2].map(() => isolates.ask(spec, { path: '/innocent' }))
  await new Promise((resolve) => setTimeout(resolve, 15))
  const { record } = await isolates.ask(spec, { path: `/${name}` })
  expect(record.outcome).toBe('exceededCpu')
  for (const innocent of await Promise.all(innocents))
    expect(innocent).toMatchObject({ text: 'fine', record: { outcome: 'ok' } })
})
