import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { loadPackageDefinition, Server, ServerCredentials } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { afterAll, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { ownFigures } from '../../src/load/figures/own-metrics.ts'
import { summary } from '../../src/load/figures/summary.ts'
import { closed } from '../../src/load/load.ts'
import type { Iteration } from '../../src/load/requests/journey.ts'
import { createAskingContext } from '../../src/scenario/asking.ts'
import type { LoadScenario } from '../../src/scenario/scenario.ts'
import { withTables } from '../../src/target/target.ts'
import { judgeLoad } from '../../src/verdict/judge-load.ts'
import { freePorts } from '../free-ports.ts'
import { ask } from '../load/ask.ts'
import { start } from './plimsoll.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const texts = ['README.md', 'scenarios/README.md', 'src/load/README.md'].map(read)

/** The code blocks of a language, each with the paragraph before it. */
function blocks(text: string, language: string): { before: string; code: string }[] {
  const fence = new RegExp(`([^\\n]*)\\n\\n\`\`\`${language}\\n([^]*?)\`\`\``, 'g')
  return [...text.matchAll(fence)].map(([, before, code]) => ({ before: before!, code: code! }))
}

const scenarios = texts
  .flatMap((text) => blocks(text, 'ts'))
  .filter(({ code }) => code.includes('export default'))

const folders: string[] = []
const folder = (parent: string) => {
  folders.push(mkdtempSync(join(parent, 'readme-')))
  return folders.at(-1)!
}
afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true })
})

test('what a README shows of the scenarios here is what they are', () => {
  const shipped = ['edge/request-body-size', 'load/list-scripts']
  for (const id of shipped)
    expect(scenarios.map(({ code }) => code)).toContain(read(`scenarios/${id}.ts`))
})

test('every scenario in a README is one to the compiler', () => {
  const own = folder(import.meta.dirname)
  writeFileSync(join(own, '_echo.ts'), "export * from '../../../scenarios/edge/_echo.ts'\n")
  // As `plimsoll init` writes one beside each of its scenarios.
  const samples = "samples: new URL('samples.yaml', import.meta.url)"
  const request = `operation({ name: 'pets', method: 'POST', path: '/pets', ${samples} })`
  const module = `import { operation } from 'plimsoll'\nexport const request = ${request}\n`
  writeFileSync(join(own, '_request.ts'), module)
  for (const [index, { code }] of scenarios.entries()) writeFileSync(join(own, `${index}.ts`), code)
  const config = { extends: join(root, 'tsconfig.json'), include: [own, join(root, 'scenarios')] }
  writeFileSync(join(own, 'tsconfig.json'), JSON.stringify(config))
  const { stdout } = spawnSync('tsc', ['-p', own], { encoding: 'utf8' })
  expect(stdout).toBe('')
}, 60_000)

test('what a canary is shown to create is new to a target when a seed is replayed', async () => {
  const { code } = texts
    .flatMap((text) => blocks(text, 'ts'))
    .find(({ code }) => {
      return code.includes('export const canaries')
    })!
  const file = join(folder(import.meta.dirname), '_canaries.ts')
  writeFileSync(file, code)
  const { canaries } = await import(file)
  const names = new Set<string>()
  const service = { post: (_: string, { json }: { json: { name: string } }) => ({ json }) }
  for (let run = 0; run < 2; run++) {
    const { works, reply } = await canaries.service.ask({ service, random: () => 0.5 })
    expect(works).toBe(true)
    names.add(reply.json.name)
  }
  expect(names.size).toBe(2)
})

test('a load records the metrics that a README declares, and is judged by them', async () => {
  const { code } = scenarios.find((one) => one.code.includes('metrics: {'))!
  const file = join(folder(import.meta.dirname), 'own.ts')
  writeFileSync(file, code)
  const scenario: LoadScenario = (await import(file)).default
  let asked = 0
  const server = createServer((_, response) => {
    asked++
    response.end(JSON.stringify({ queue: asked % 4, waitedMs: asked }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`
  const service = { post: () => ({ url, method: 'POST' }) }
  const iteration = scenario.request({ service } as never) as Iteration
  const { metrics } = scenario
  const sent = await ask(iteration, closed({ users: 2, iterations: 200 }), { metrics })
  server.close()
  expect(sent.faults).toEqual({})
  const own = ownFigures(sent.own!, 2_000)
  expect(own).toMatchObject({
    placed: { value: 200, unit: 'orders' },
    'placed per second': { value: 100, unit: 'orders/s' },
    'queue mean': { value: 1.5, unit: 'orders' },
    'queue max': { value: 3, unit: 'orders' },
    'wait max': { value: 200, unit: 'ms' },
    'wait mean': { value: 100.5, unit: 'ms' }
  })
  expect(own['wait p99']!.value).toBeCloseTo(198, 0)
  const measured = { ...summary({ ...sent, health: { valid: true, reasons: [] } }), own }
  const judged = judgeLoad(scenario.objectives, measured, { broken: [] })
  expect(judged).toMatchObject({ outcome: 'fail', because: 'missed: placed 200 orders' })
})

test('a load listens to event streams as a README says, and is judged by them', async () => {
  const { code } = scenarios.find((one) => one.code.includes('await events('))!
  const file = join(folder(import.meta.dirname), 'streams.ts')
  writeFileSync(file, code)
  const scenario: LoadScenario = (await import(file)).default
  const words = ['It', 'is', 'four', '[DONE]'].map((word) => `data: ${word}\n\n`).join('')
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/event-stream').end(words)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`
  const service = { post: () => ({ url, method: 'POST' }) }
  const iteration = scenario.request({ service } as never) as Iteration
  const sent = await ask(iteration, closed({ users: 2, iterations: 100 }))
  server.close()
  expect(sent).toMatchObject({ faults: {}, results: { 200: 100 } })
  expect(sent.checks).toEqual({ 'it is an answer': { passed: 100, failed: 0 } })
  const own = ownFigures(sent.own!, 2_000)
  expect(own).toMatchObject({
    events: { value: 400, unit: 'events' },
    tokens: { value: 300, unit: 'tokens' },
    'tokens per second': { value: 150, unit: 'tokens/s' }
  })
  expect(sent.own!.firstEvent!.count).toBe(100)
  expect(sent.own!.eventGap!.count).toBe(300)
  const told = { ...own, 'tokenRate p50': { value: 19, unit: 'tokens/s' } }
  const measured = { ...summary({ ...sent, health: { valid: true, reasons: [] } }), own: told }
  const judged = judgeLoad(scenario.objectives, measured, { broken: [] })
  expect(judged).toMatchObject({
    outcome: 'fail',
    because: expect.stringMatching(/tokenRate p50 19/)
  })
})

test('a load speaks over WebSockets as a README says', async () => {
  const { code } = scenarios.find((one) => one.code.includes('await socket('))!
  const file = join(folder(import.meta.dirname), 'sockets.ts')
  writeFileSync(file, code)
  const scenario: LoadScenario = (await import(file)).default
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', (socket: WebSocket) => {
    socket.on('message', (data: Buffer) => {
      const { player, move } = JSON.parse(`${data}`)
      socket.send(JSON.stringify({ turn: player }))
      socket.send(JSON.stringify({ answers: move, ok: move !== 3 }))
    })
  })
  await once(server, 'listening')
  const url = `ws://127.0.0.1:${server.address().port}/game`
  const service = { socket: (_: string, { route }: { route: string }) => ({ url, route }) }
  const iteration = scenario.request({ service } as never) as Iteration
  const quick: Iteration = (session) => iteration({ ...session, pause: async () => {} }) as never
  const sent = await ask(quick, closed({ users: 3, iterations: 9 }))
  server.close()
  expect(sent).toMatchObject({ faults: {}, results: { 101: 99 } })
  expect(sent.routes.join!.response.count).toBe(9)
  expect(sent.routes.move!.response.count).toBe(90)
  expect(sent.checks).toEqual({ 'the move is accepted': { passed: 81, failed: 9 } })
  const own = ownFigures(sent.own!, 1_000)
  expect(own).toMatchObject({
    sockets: { value: 9 },
    brokenSockets: { value: 0 },
    messagesSent: { value: 90 },
    messagesReceived: { value: 180 }
  })
})

test('a load calls gRPC as a README says', async () => {
  const { code } = scenarios.find((one) => one.code.includes('await rpc('))!
  const own = folder(import.meta.dirname)
  const proto = join(root, 'test/load/grpc/greeter.proto')
  writeFileSync(join(own, 'greeter.proto'), readFileSync(proto))
  writeFileSync(join(own, 'calls.ts'), code)
  const scenario: LoadScenario = (await import(join(own, 'calls.ts'))).default
  const server = new Server()
  server.addService(loadPackageDefinition(loadSync(proto)).demo.Greeter.service, {
    Hello: ({ request }, reply) => reply(null, { text: `hello ${request.yourName}` }),
    Count(call) {
      for (let n = 1; n <= call.request.times; n++) call.write({ text: `${n}` })
      call.end()
    }
  })
  const insecure = ServerCredentials.createInsecure()
  const bound = Promise.withResolvers<number>()
  server.bindAsync('127.0.0.1:0', insecure, (_, port) => bound.resolve(port))
  const endpoint = { url: `http://127.0.0.1:${await bound.promise}` }
  const target = withTables({ name: 'greeter', endpoints: { service: endpoint } }, {})
  const context = createAskingContext(target, ['service'])
  const iteration = scenario.request(context) as Iteration
  const { transport } = scenario
  const sent = await ask(iteration, closed({ users: 2, iterations: 20 }), { transport })
  server.forceShutdown()
  expect(sent).toMatchObject({ faults: {}, results: { 200: 40 } })
  expect(sent.routes['demo.Greeter/Hello']!.response.count).toBe(20)
  expect(sent.checks).toEqual({
    'it is a greeting': { passed: 20, failed: 0 },
    'it counts to three': { passed: 20, failed: 0 }
  })
})

test('a document in one screen does what the screen says', async () => {
  const text = texts[1]!
  const own = folder(tmpdir())
  const port = await freePorts(1)
  writeFileSync(join(own, 'package.json'), '{"type":"module"}')
  for (const { before, code } of ['js', 'json', 'ts'].flatMap((name) => blocks(text, name))) {
    const file = /\(`((?:scenarios\/)?[\w/-]+\.\w+)`/.exec(before)?.[1]
    if (file === undefined) continue
    mkdirSync(dirname(join(own, file)), { recursive: true })
    writeFileSync(join(own, file), code.replaceAll('4040', `${port}`))
  }
  const server = spawn(process.execPath, ['server.js'], { cwd: own })
  try {
    const ready = async () =>
      fetch(`http://127.0.0.1:${port}`).then(
        () => true,
        () => false
      )
    await expect.poll(ready, { timeout: 30_000 }).toBe(true)
    const { code, stdout, stderr } = await start(['run'], { cwd: own }).ended
    const shown = blocks(text, '').find((block) => block.code.includes('orders.name-kept'))!
    for (const line of shown.code.trim().split('\n')) expect(stdout + stderr).toContain(line)
    expect(code).toBe(0)
  } finally {
    server.kill()
  }
}, 120_000)

test('a limit of a WebSocket is asked about as it is shown, and broken fails', async () => {
  const { code: server } = blocks(texts[1]!, 'js').find(({ code }) => code.includes("'ws'"))!
  const { code: scenario } = scenarios.find(({ code }) => code.includes('...streamLimit('))!
  const own = folder(import.meta.dirname)
  const clause = { id: 'chat.message-size', kind: 'limit', documented: '4 KiB' }
  mkdirSync(join(own, 'scenarios'))
  writeFileSync(join(own, 'package.json'), '{"type":"module"}')
  writeFileSync(join(own, 'scenarios/clauses.json'), JSON.stringify([clause]))
  writeFileSync(join(own, 'scenarios/message-size.ts'), scenario)
  const judged = async (text: string) => {
    const port = await freePorts(1)
    writeFileSync(join(own, 'chat.js'), text.replace('4041', `${port}`))
    const child = spawn(process.execPath, ['chat.js'], { cwd: own })
    try {
      const url = `http://127.0.0.1:${port}`
      const ready = () => fetch(url).then(({ status }) => status, String)
      await expect.poll(ready, { timeout: 30_000 }).toBe(426)
      const { code, stdout, stderr } = await start(['run', '--target', url], { cwd: own }).ended
      return [code, /.*chat\.message-size.*/.exec(stdout + stderr)?.[0]]
    } finally {
      child.kill()
    }
  }
  const line = '4096 bytes accepted, 4097 refused (close 1009)'
  expect(await judged(server)).toEqual([0, expect.stringContaining(line)])
  expect(await judged(server.replace('4096', '5000'))).toEqual([1, expect.stringMatching(/fail/)])
}, 120_000)
