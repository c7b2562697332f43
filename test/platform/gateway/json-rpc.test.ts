import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Call, members, type Outcome } from '../../../src/platform/gateway/call.ts'
import {
  answerJsonRpc,
  type JsonRpcOptions,
  wording
} from '../../../src/platform/gateway/json-rpc.ts'

/** The methods of the specification's examples. */
async function ask({ method, params = 'null' }: Call): Promise<Outcome> {
  const given: any = JSON.parse(params)
  const [a, b] = Array.isArray(given) ? given : [given?.minuend, given?.subtrahend]
  const results: Record<string, unknown> = {
    subtract: a - b,
    sum: Array.isArray(given) && given.reduce((one: number, other: number) => one + other, 0),
    get_data: ['hello', 5],
    echo: given
  }
  if (method in results) return { result: JSON.stringify(results[method]) }
  return { error: '{"code":-32601,"message":"Method not found"}' }
}

const manners: JsonRpcOptions = {
  isProper: members,
  wording,
  batchCalls: 100,
  batchLanes: 8,
  answerCharacters: 10_000,
  ask
}
const say = (body: string | Uint8Array, change: Partial<JsonRpcOptions> = {}) =>
  answerJsonRpc(typeof body === 'string' ? Buffer.from(body) : body, { ...manners, ...change })

/** An answer without the words of its errors, which are nobody's to rely on. */
function meaning(answer: string | undefined): unknown {
  if (answer === undefined) return undefined
  return JSON.parse(answer, (key, value) => (key === 'error' ? value.code : value))
}

const failure = (code: number, id: unknown = null) => ({ jsonrpc: '2.0', id, error: code })
const success = (result: unknown, id: unknown) => ({ jsonrpc: '2.0', id, result })

test.each<[body: string, meaning: unknown]>([
  ['{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}', success(19, 1)],
  ['{"jsonrpc":"2.0","method":"subtract","params":[23,42],"id":2}', success(-19, 2)],
  [
    '{"jsonrpc":"2.0","method":"subtract","params":{"subtrahend":23,"minuend":42},"id":3}',
    success(19, 3)
  ],
  [
    '{"jsonrpc":"2.0","method":"subtract","params":{"minuend":42,"subtrahend":23},"id":4}',
    success(19, 4)
  ],
  ['{"jsonrpc":"2.0","method":"update","params":[1,2,3,4,5]}', undefined],
  ['{"jsonrpc":"2.0","method":"foobar"}', undefined],
  ['{"jsonrpc":"2.0","method":"foobar","id":"1"}', failure(-32_601, '1')],
  ['{"jsonrpc":"2.0","method":"foobar,"params":"bar","baz]', failure(-32_700)],
  ['{"jsonrpc":"2.0","method":1,"params":"bar"}', failure(-32_600)],
  [
    '[{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":"1"},{"jsonrpc":"2.0","method"]',
    failure(-32_700)
  ],
  ['[]', failure(-32_600)],
  ['[1]', [failure(-32_600)]],
  ['[1,2,3]', [failure(-32_600), failure(-32_600), failure(-32_600)]],
  [
    `[{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":"1"},
      {"jsonrpc":"2.0","method":"notify_hello","params":[7]},
      {"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":"2"},
      {"foo":"boo"},
      {"jsonrpc":"2.0","method":"foo.get","params":{"name":"myself"},"id":"5"},
      {"jsonrpc":"2.0","method":"get_data","id":"9"}]`,
    [
      success(7, '1'),
      success(19, '2'),
      failure(-32_600),
      failure(-32_601, '5'),
      success(['hello', 5], '9')
    ]
  ],
  [
    `[{"jsonrpc":"2.0","method":"notify_sum","params":[1,2,4]},
      {"jsonrpc":"2.0","method":"notify_hello","params":[7]}]`,
    undefined
  ]
])('the specification’s example %s', async (body, expected) => {
  expect(meaning(await say(body))).toEqual(expected)
})

test.each<[body: string | Buffer, meaning: unknown]>([
  ['', failure(-32_700)],
  ['  ', failure(-32_700)],
  ['null', failure(-32_600)],
  ['"call"', failure(-32_600)],
  ['[[]]', [failure(-32_600)]],
  [Buffer.from([0x22, 0xff, 0x22]), failure(-32_700)],
  ['{}', failure(-32_600)],
  ['{"method":"echo","id":1}', failure(-32_600, 1)],
  ['{"jsonrpc":2.0,"method":"echo","id":1}', failure(-32_600, 1)],
  ['{"jsonrpc":"1.0","method":"echo","id":1}', failure(-32_600, 1)],
  ['{"jsonrpc":"2.0","id":"a"}', failure(-32_600, 'a')],
  ['{"jsonrpc":"2.0","method":null,"id":1}', failure(-32_600, 1)],
  ['{"jsonrpc":"2.0","method":"echo","params":null,"id":1}', failure(-32_600, 1)],
  ['{"jsonrpc":"2.0","method":"echo","params":"a","id":1}', failure(-32_600, 1)],
  ['{"jsonrpc":"2.0","method":"echo","id":{}}', failure(-32_600)],
  ['{"jsonrpc":"2.0","method":"echo","id":[1]}', failure(-32_600)],
  ['{"jsonrpc":"2.0","method":"echo","id":true}', failure(-32_600)],
  ['{"jsonrpc":"2.0","method":"echo","id":null}', success(null, null)],
  ['{"jsonrpc":"2.0","method":"echo","id":1,"more":{}}', success(null, 1)]
])('where the specification has no example: %s', async (body, expected) => {
  expect(meaning(await say(body))).toEqual(expected)
})

test('depth costs no stack', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  expect(meaning(await say(deep))).toEqual([failure(-32_600)])
})

test.each(['the body is not JSON', 'it is not UTF-8', 'jsonrpc must be'])(
  'errors say what is wrong: %s',
  async (words) => {
    const bodies = ['{', Buffer.from([0xff]), '{}']
    const answers = await Promise.all(bodies.map((body) => say(body)))
    expect(answers.filter((answer) => answer!.includes(words))).toHaveLength(1)
  }
)

test.each([
  ...['0', '-1', '1.50', '1e400', '-0', '12345678901234567890', '0.1000000000000000000001'],
  ...['null', '""', '"1"', '"\\u0041"', '"\\"}"', '"é"']
])('the id %s comes back as it was written', async (id) => {
  const call = `{"id" : ${id} ,"jsonrpc":"2.0","method":"echo","params":[1]}`
  expect(await say(call)).toBe(`{"jsonrpc":"2.0","id":${id},"result":[1]}`)
  const fault = `{"jsonrpc":"2.0","id":${id},"method":5}`
  expect(await say(`[${fault}]`)).toContain(`[{"jsonrpc":"2.0","id":${id},"error":`)
})

test('params reach the node, and results the caller, in their own writing', async () => {
  const seen: Call[] = []
  const answer = await say('{"jsonrpc":"2.0","method":"m","params":[ 1.0, 1e999 ],"id":1}', {
    async ask(call) {
      seen.push(call)
      return { result: '{ "big": 12345678901234567890 }' }
    }
  })
  expect(seen).toEqual([{ method: 'm', params: '[ 1.0, 1e999 ]', id: '1' }])
  expect(answer).toBe('{"jsonrpc":"2.0","id":1,"result":{ "big": 12345678901234567890 }}')
})

test('answers have the order of the calls, whichever comes first', async () => {
  const waiting: ((outcome: Outcome) => void)[] = []
  const batch = [3, 1, 2].map((id) => ({ jsonrpc: '2.0', method: 'm', id }))
  const said = say(JSON.stringify(batch), {
    ask: () => new Promise((resolve) => waiting.push(resolve))
  })
  for (const [index, resolve] of [...waiting.entries()].reverse()) resolve({ result: `${index}` })
  expect(meaning(await said)).toEqual([success(0, 3), success(1, 1), success(2, 2)])
})

test('a batch has so many calls and no more', async () => {
  const batch = (calls: number) =>
    JSON.stringify(
      Array.from({ length: calls }, (_, id) => ({ jsonrpc: '2.0', method: 'echo', id }))
    )
  expect(meaning(await say(batch(100)))).toHaveLength(100)
  expect(meaning(await say(batch(101)))).toEqual(failure(-32_600))
})

test('calls of a batch that would answer too much together are refused, and not made', async () => {
  const calls = [1, 2, 3, 4].map((id) => ({ jsonrpc: '2.0', method: 'm', id }))
  const told = async (body: unknown, lanes: number) => {
    let asked = 0
    const answer = await say(JSON.stringify(body), {
      answerCharacters: 10,
      batchLanes: lanes,
      async ask() {
        asked++
        return { result: '"12345"' }
      }
    })
    const codes = [meaning(answer)].flat().map((response: any) => response.error)
    return { asked, codes }
  }
  const codes = [undefined, -32_005, -32_005, -32_005]
  expect(await told(calls, 1)).toEqual({ asked: 2, codes })
  expect(await told(calls, 4)).toEqual({ asked: 4, codes })
  expect(await told(calls[0], 1)).toEqual({ asked: 1, codes: [undefined] })
})

test('only so many calls of a batch are asked at once', async () => {
  let now = 0
  let most = 0
  const calls = Array.from({ length: 50 }, (_, id) => ({ jsonrpc: '2.0', method: 'm', id }))
  await say(JSON.stringify(calls), {
    async ask() {
      most = Math.max(most, ++now)
      await Promise.resolve()
      now--
      return { result: '1' }
    }
  })
  expect(most).toBe(8)
})

const bodies = fc.oneof(
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  fc.json().map((text) => Buffer.from(text)),
  fc
    .array(
      fc.record(
        {
          jsonrpc: fc.constantFrom('2.0', '1.0', 2),
          method: fc.oneof(fc.constantFrom('echo', 'sum'), fc.jsonValue()),
          params: fc.jsonValue(),
          id: fc.jsonValue()
        },
        { requiredKeys: [] }
      ),
      { maxLength: 5 }
    )
    .map((calls) => Buffer.from(JSON.stringify(calls)))
)

test('whatever comes in, what goes out is of JSON-RPC, or nothing', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const answer = await say(body)
      if (answer === undefined) return
      for (const response of [JSON.parse(answer)].flat()) {
        expect(response.jsonrpc).toBe('2.0')
        expect(members.id(response.id)).toBe(true)
        expect('result' in response).toBe(response.error === undefined)
        if (response.error) expect(response.error).toMatchObject({ code: expect.any(Number) })
      }
    }),
    { numRuns: 1_000 }
  )
})

test('a batch says what its calls say by themselves', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 5 }), async (calls) => {
      // A list in a batch is no call, and by itself it would be a batch.
      fc.pre(!calls.some(Array.isArray))
      const alone = await Promise.all(calls.map((call) => say(JSON.stringify(call))))
      const told = alone.filter((answer) => answer !== undefined)
      const expected = told.length > 0 ? `[${told.join(',')}]` : undefined
      expect(await say(JSON.stringify(calls))).toBe(expected)
    })
  )
})
