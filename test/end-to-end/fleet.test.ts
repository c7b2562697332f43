import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { startPaced } from '../paced.ts'
import { hasRedis, startRedis } from '../redis.ts'
import { startAgent, startCounter } from './agents.ts'
import { plimsoll, plimsollJson, start } from './plimsoll.ts'

/** A folder with one scenario, a load of so many requests. */
function scenarioFolder(iterations: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-fleet-'))
  writeFileSync(join(folder, 'clauses.json'), '[]')
  const scenario = `import { closed, load } from 'plimsoll'
export default load({
  title: 'It answers',
  needs: ['service'],
  load: closed({ users: 2, iterations: ${iterations} }),
  objectives: { errorRatio: 0 },
  request: ({ service }) => service.get('/')
})
`
  writeFileSync(join(folder, 'many.ts'), scenario)
  return folder
}

describe.skipIf(!hasRedis())('a load from several machines', () => {
  test('is one load, and each agent leaves when it is told to', async () => {
    const [redis, target] = [await startRedis(), await startCounter()]
    const agents = [await startAgent(redis.url), await startAgent(redis.url)]
    const shared = ['--fleet', redis.url, '--agents', '2']
    const many = ['-n', '600', '-c', '4', '-d', '60s']
    const { json, code } = await plimsollJson('load', target.url, ...many, ...shared)
    // Whether a machine that does other things as well was quick enough is not for a test to say.
    expect([0, 3]).toContain(code)
    expect(json).toMatchObject({ statuses: { 200: 600 }, begun: 600, workers: 2 })
    expect(json.agents.map(({ id }: { id: string }) => id)).toEqual(
      agents.map(({ id }) => id).sort()
    )
    expect(target.asked()).toBe(600)
    for (const { child, ended } of agents) {
      child.kill('SIGINT')
      expect((await ended).code).toBe(0)
    }
    const alone = await plimsoll('load', target.url, ...shared, '--wait', '1s')
    expect(alone.stderr).toMatch(/0 agents of 2 came within 1 s; start `plimsoll agent`/)
    expect(alone.code).toBe(2)
  }, 120_000)

  test('is whole even when an agent is told to leave on the way', async () => {
    const [redis, target] = [await startRedis(), await startCounter()]
    const [, leaving] = [await startAgent(redis.url), await startAgent(redis.url)]
    const flags = ['-r', '50', '-c', '4', '-d', '6s', '--fleet', redis.url, '--agents', '2']
    const load = plimsollJson('load', target.url, ...flags)
    await target.until(20)
    leaving!.child.kill('SIGINT')
    const { workers, generator } = (await load).json
    expect(workers).toBe(2)
    expect(generator.reasons.join()).not.toMatch(/lost/)
    expect((await leaving!.ended).code).toBe(0)
  }, 60_000)

  test('is invalid without the part of an agent that was killed, and keeps the rest', async () => {
    const [redis, target] = [await startRedis(), await startCounter()]
    const [, doomed] = [await startAgent(redis.url), await startAgent(redis.url)]
    const flags = ['-r', '100', '-c', '4', '-d', '25s', '--fleet', redis.url, '--agents', '2']
    const load = plimsollJson('load', target.url, ...flags)
    await target.until(50)
    doomed!.child.kill('SIGKILL')
    const { json, code } = await load
    expect(code).toBe(3)
    expect(json.generator.reasons).toContain(`a worker was lost: ${doomed!.id} is gone`)
    expect(json.workers).toBe(1)
    expect(json.requests).toBeGreaterThan(0)
  }, 120_000)

  test('of a soak is invalid without an agent that was killed, and that is said', async () => {
    const [redis, target] = [await startRedis(), await startCounter()]
    const [, doomed] = [await startAgent(redis.url), await startAgent(redis.url)]
    const flags = ['-r', '100', '-c', '4', '-d', '16s', '--fleet', redis.url, '--agents', '2']
    const soak = plimsoll('soak', target.url, ...flags)
    await target.until(150)
    doomed!.child.kill('SIGKILL')
    const { stderr, code } = await soak
    expect(stderr.match(/a worker was lost/g)).toHaveLength(1)
    expect(stderr).toContain(`a worker was lost: ${doomed!.id} is gone`)
    expect(code).toBe(3)
  }, 120_000)

  test('of a search for a capacity ends it at once, with what was measured', async () => {
    const [redis, target] = [await startRedis(), await startCounter()]
    const [, doomed] = [await startAgent(redis.url), await startAgent(redis.url)]
    const flags = ['-c', '4', '--time', '4m', '--fleet', redis.url, '--agents', '2']
    const search = plimsollJson('capacity', target.url, ...flags)
    await target.until(150)
    doomed!.child.kill('SIGKILL')
    const { json, code } = await search
    expect(json).toMatchObject({ ended: 'lost', objective: { p99Ms: 100 } })
    expect(json.because).toBe(`a worker was lost: ${doomed!.id} is gone`)
    expect(code).toBe(3)
  }, 120_000)

  test('of a comparison ends with what was measured when nobody is left to send', async () => {
    const target = await startCounter()
    const sides = ['--a', target.url, '--b', target.url, '-c', '2', '--time', '4m']
    const lost = async () => {
      const redis = await startRedis()
      const doomed = await startAgent(redis.url)
      const out = mkdtempSync(join(tmpdir(), 'plimsoll-lost-'))
      const compared = plimsollJson('compare', ...sides, '--fleet', redis.url, '--out', out)
      const pairs = () => statSync(join(out, 'pairs.ndjson'), { throwIfNoEntry: false })?.size
      await Promise.race([vi.waitUntil(() => (pairs() ?? 0) > 0, { timeout: 120_000 }), compared])
      doomed.child.kill('SIGKILL')
      await doomed.ended
      return { ...(await compared), id: doomed.id }
    }
    let { json, code, id } = await lost()
    // Pairs are written where a look may decide, and on a machine that is busy enough the plan is
    // refused, or pairs are void: then it was over before the agent was.
    const isOver = () =>
      ['decided', 'refused'].includes(json.ended) || /pairs were void/.test(json.because)
    while (isOver()) ({ json, code, id } = await lost())
    expect(json).toMatchObject({ ended: 'invalid', verdict: 'inconclusive' })
    expect(json.because).toBe(`a worker was lost: ${id} is gone`)
    expect(json.blocks).toBeGreaterThan(0)
    expect(code).toBe(3)
  }, 300_000)

  test('of a soak ends with what was measured when nobody is left to send', async () => {
    const [redis, target] = [await startRedis(), await startCounter()]
    const doomed = await startAgent(redis.url)
    const flags = ['-r', '100', '-c', '4', '-d', '60s', '--fleet', redis.url]
    const soak = plimsoll('soak', target.url, ...flags)
    await target.until(150)
    doomed.child.kill('SIGKILL')
    const { stdout, stderr, code } = await soak
    expect(stderr).toContain('nobody is left to send: go on with --resume')
    expect(stdout).toContain('Report: ')
    expect(code).toBe(3)
  }, 120_000)

  test('ends with Ctrl-C, and keeps what was measured', async () => {
    const [redis, target] = [await startRedis(), await startCounter()]
    await startAgent(redis.url)
    const fleet = ['--fleet', redis.url]
    const { child, ended } = start([
      'load',
      target.url,
      '-r',
      '50',
      '-d',
      '10m',
      '--json',
      ...fleet
    ])
    await target.until(20)
    const second = await plimsoll('load', target.url, ...fleet)
    expect(second.stderr).toMatch(/the agents are taken by .*; wait until it is over/)
    expect(second.code).toBe(2)
    child.kill('SIGINT')
    const { code, stdout } = await ended
    expect(code).toBe(130)
    expect(JSON.parse(stdout).requests).toBeGreaterThan(0)
    const third = await plimsollJson('load', target.url, '-n', '20', '-c', '2', ...fleet)
    expect(third.json.statuses).toEqual({ 200: 20 })
  }, 120_000)

  test.each([
    ['load', 'http://127.0.0.1:1/'],
    ['run', 'edge']
  ])(
    '%s can be stopped while it waits for agents',
    async (...command) => {
      const redis = await startRedis()
      const { child, ended } = start([...command, '--fleet', redis.url, '--wait', '10m'])
      await new Promise((resolve) => child.stderr.once('data', resolve))
      child.kill('SIGINT')
      const { code, stderr } = await ended
      expect(stderr).toMatch(/^plimsoll: stopped while waiting for agents$/m)
      expect(code).toBe(130)
    },
    60_000
  )

  test('goes no further when whoever sent it is gone', async () => {
    const [redis, target] = [await startRedis(), await startCounter()]
    await startAgent(redis.url)
    const { child, ended } = start([
      'load',
      target.url,
      '-r',
      '50',
      '-d',
      '10m',
      '--fleet',
      redis.url
    ])
    await target.until(20)
    child.kill('SIGKILL')
    await ended
    let last: number
    do {
      last = target.asked()
      await new Promise((resolve) => setTimeout(resolve, 3_000))
    } while (target.asked() > last)
    const again = ['load', target.url, '-n', '20', '-c', '2', '--fleet', redis.url]
    expect((await plimsollJson(...again)).json.statuses).toEqual({ 200: 20 })
  }, 120_000)

  test('can be a scenario, of which each agent has its own copy', async () => {
    const [redis, target] = [await startRedis(), await startCounter()]
    const [folder, other] = [scenarioFolder(30), scenarioFolder(31)]
    const asked = ['--target', target.url, '--fleet', redis.url]
    const one = await startAgent(redis.url, '--scenarios', folder)
    const two = await startAgent(redis.url, '--scenarios', folder)
    const { json } = await plimsollJson('run', '--scenarios', folder, '--agents', '2', ...asked)
    expect(json.flags).toEqual(expect.arrayContaining(['--fleet', redis.url, '--agents', '2']))
    expect(json.verdicts[0].evidence.summary).toMatchObject({ statuses: { 200: 30 }, workers: 2 })
    expect(json.agents.map(({ id }: { id: string }) => id)).toEqual([one.id, two.id].sort())
    const { json: changed } = await plimsollJson('run', '--scenarios', other, ...asked)
    expect(changed.verdicts).toMatchObject([{ outcome: 'error' }])
    expect(changed.verdicts[0].because).toMatch(/many\.ts is not what whoever sends the load has/)
    expect(target.asked()).toBe(30 + 4) // and the preflight and the canary of each run
  }, 120_000)

  test('can be trials over connections that stay, of every command that makes them', async () => {
    const [redis, target] = [await startRedis(), await startCounter()]
    const slower = await startPaced({ atOnce: 4, ms: 40 })
    const agents = [await startAgent(redis.url), await startAgent(redis.url)]
    const ids = agents.map(({ id }) => id).sort()
    const by = ['-c', '2', '--fleet', redis.url, '--agents', '2']
    const out = mkdtempSync(join(tmpdir(), 'plimsoll-fleet-'))
    const sent = async (...args: string[]) => {
      const { json } = await plimsollJson(...args, ...by)
      expect(json.agents.map(({ id }: { id: string }) => id)).toEqual(ids)
      return json
    }
    // What a busy machine can tell is not for a test to say; that it was measured is.
    const capacity = await sent('capacity', target.url, '--time', '8s')
    expect(capacity.trials.length).toBeGreaterThan(0)
    const coarse = ['--time', '20s', '--budget', '100']
    const compared = await sent('compare', '--a', target.url, '--b', slower.url, ...coarse)
    expect(['improved', 'no-regression'], compared.because).not.toContain(compared.verdict)
    if (compared.verdict === 'regressed') expect(compared.ratio).toBeGreaterThan(2)
    const before = target.asked()
    const soak = await sent('soak', target.url, '-r', '40', '-d', '3s', '--out', out)
    expect(soak.seconds).toBeGreaterThan(2)
    const [header] = readFileSync(join(out, 'latest', 'soak.ndjson'), 'utf8').split('\n')
    expect(JSON.parse(header!).load.workers).toBe(2)
    expect(target.asked() - before).toBeGreaterThan(40)
    for (const { child } of agents) child.kill('SIGINT')
    const said = await Promise.all(agents.map(async ({ ended }) => (await ended).stderr))
    for (const n of [1, 2]) {
      const parts = said.join('').match(new RegExp(`part ${n} of 2: ${target.url}`, 'g'))
      // Once a command, and twice where a comparison is begun.
      expect(parts!.length).toBeGreaterThanOrEqual(3)
    }
  }, 120_000)

  test('is every load of a run, a search for its capacity among them', async () => {
    const [redis, target] = [await startRedis(), await startCounter()]
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-fleet-'))
    writeFileSync(join(folder, 'clauses.json'), '[]')
    const scenario = `import { capacity } from 'plimsoll'
export default capacity({
  title: 'It holds a little',
  needs: ['service'],
  ...{ perSecond: 5, p99Ms: 5_000, seconds: 6, connections: 2 },
  request: ({ service }) => service.get('/')
})
`
    writeFileSync(join(folder, 'little.ts'), scenario)
    const agent = await startAgent(redis.url)
    const asked = ['--scenarios', folder, '--target', target.url, '--fleet', redis.url]
    const { json } = await plimsollJson('run', ...asked)
    expect(json.verdicts[0].evidence.kind, json.verdicts[0].because).toBe('capacity')
    agent.child.kill('SIGINT')
    // Of one that searches a capacity requests travel, and no scenario has to be there.
    expect((await agent.ended).stderr).toMatch(`part 1 of 1: ${target.url}`)
  }, 60_000)

  test('is sent by nobody who may not', async () => {
    const redis = await startRedis()
    const entry = {
      ...{ host: '192.0.2.1', authorisedBy: 'a test', until: '2099-12-31' },
      ...{ requestsPerSecond: 1_000, seconds: 60 }
    }
    const file = join(mkdtempSync(join(tmpdir(), 'plimsoll-fleet-')), 'authorisation.json')
    writeFileSync(file, JSON.stringify({ targets: [entry] }))
    await startAgent(redis.url)
    const flags = ['-r', '10', '-d', '1s', '--authorisation', file, '--fleet', redis.url]
    const { code, stderr } = await plimsoll('load', 'http://192.0.2.1/', ...flags)
    expect(stderr).toMatch(/plimsoll: [\w.-]+: nobody has authorised tests of 192\.0\.2\.1/)
    expect(code).toBe(77)
  }, 60_000)
})

test.each([
  ['no Redis there', ['agent', '--redis', 'redis://127.0.0.1:1'], 2, /no Redis answers at/],
  ['no URL of a Redis', ['agent', '--redis', 'localhost:6379'], 64, /is no URL of a Redis/],
  ['no Redis at all', ['agent'], 64, /redis/],
  ['no threads', ['agent', '--redis', 'redis://127.0.0.1:1', '-w', '0'], 64, /--workers must be/],
  ['no agents', ['load', 'http://127.0.0.1:1', '--agents', '0'], 64, /--agents must be/]
])('%s', async (_, args, code, message) => {
  const ended = await plimsoll(...args)
  expect(ended.stderr).toMatch(message)
  expect(ended.stderr).not.toMatch(/\n\s+at /)
  expect(ended.code).toBe(code)
})
