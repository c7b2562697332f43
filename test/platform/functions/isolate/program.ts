import { openTestIsolates, specOf } from './isolates.ts'

// A process that runs functions, to be killed: it tells when it has one that spins and one at rest.
const isolates = openTestIsolates({ spares: 1 })
const limits = {
  ...specOf('').limits,
  cpuMs: { fetch: Infinity, scheduled: 1, queue: 1, alarm: 1 }
}
const handler = (body: string) =>
  specOf(`export default { async fetch(request) { ${body} } }`, { limits })
await isolates.ask(handler('return new Response()'))
const spinning = handler(`if (request.method === 'GET') return new Response('spins'); for (;;);`)
await isolates.ask(spinning)
void isolates.ask(spinning, { method: 'PUT' } as object)
setTimeout(() => process.send!('spinning'), 100)
