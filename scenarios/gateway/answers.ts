import { type Client, check, isAnswered, isOk, type Look, type Reply, summary } from 'plimsoll'
import { anonymous } from '../_credential.ts'
import { isItem, quoted } from '../_reply.ts'
import { isAboutService, isDefect, resultOf, shownNetworks, wayTo } from './_way.ts'

const clause = 'gateway.json-rpc-call'

const call = (block: string, id: number) => ({
  ...{ jsonrpc: '2.0', method: 'eth_getBlockByNumber' },
  ...{ params: [block, false], id }
})
const written = JSON.stringify(call('0x1', 41))

/** The same call in other writings of JSON, which mean the same. */
const writings = [
  written,
  JSON.stringify(call('0x1', 41), undefined, '\t'),
  JSON.stringify(Object.fromEntries(Object.entries(call('0x1', 41)).reverse())),
  written.replace('Number"', 'Numb\\u0065r"').replace('"method"', '"m\\u0065thod"'),
  written.replace(
    '{',
    '{"":0,"empty":"","path":"C:\\\\",' +
      '"note":"a } or ] or , or \\\\\\" is no end","more":[{"id":[1]},"["],'
  )
]

/** Bodies that are no call of anything there is, and the ids that an error about each may have. */
const refused: [body: string, ids: unknown[]][] = [
  [JSON.stringify({ ...call('0x1', 42), method: 'no_such_method' }), [42]],
  [JSON.stringify({ ...call('0x1', 43), params: ['nonsense', false] }), [43]],
  [JSON.stringify({ jsonrpc: '2.0', params: [], id: 44 }), [44, null]],
  [JSON.stringify({ ...call('0x1', 45), method: 7 }), [45, null]],
  ...['{"jsonrpc":"2.0",', '{}', '7', 'null', '"eth_chainId"'].map((body): [string, unknown[]] => [
    body,
    [null, undefined]
  ])
]

/** Whether this is a response of JSON-RPC 2.0 that tells an error, about a call with such an id. */
function isError(json: unknown, ids: unknown[]): boolean {
  if (!isItem(json) || json.jsonrpc !== '2.0' || !ids.includes(json.id)) return false
  const { error, result = null } = json
  return Number.isInteger(error?.code) && typeof error.message === 'string' && result === null
}

/** Whether a body that is no call was turned down, by HTTP or in JSON-RPC, and not by a defect. */
function isProperRefusal({ status, json }: Reply, ids: unknown[]): boolean {
  if (status >= 400 && status < 500) return true
  const errors: unknown[] = [json].flat()
  return errors.length === 1 && isError(errors[0], ids) && json.error?.code !== -32_603
}

/** Whether an answer has the block that was asked for, and says whose it is. */
function isBlock(json: unknown, { block, id }: Asked): boolean {
  if (!isItem(json) || json.jsonrpc !== '2.0' || json.id !== id) return false
  return isItem(json.result) && Number(json.result.number) === block && json.error == null
}

type Post = (body: string) => Promise<Reply>

type Asked = { block: number; id: number }

const numbers = Array.from({ length: 20 }, (_, n) => n)
const several = numbers.map((n): Asked => ({ block: n % 2, id: 100 - n }))
/** The same ids for the other blocks: an id is its caller's, and others may have the same one. */
const others = several.map(({ block, id }): Asked => ({ block: 1 - block, id }))
const bodyOf = ({ block, id }: Asked) => call(`0x${block}`, id)

/** Several calls in one body, where they are taken: each has its own answer, in any order. */
async function together(post: Post, own: readonly Asked[]): Promise<Look[]> {
  const reply = await post(JSON.stringify(own.map(bodyOf)))
  const asked = '20 calls in one body beside another'
  if (isDefect(reply)) return [{ asked, holds: false, saw: reply.because, reply }]
  if (!isOk(reply) || !Array.isArray(reply.json)) return []
  const { json } = reply
  const odd = own.find((one) => json.filter((answer) => isBlock(answer, one)).length !== 1)
  const holds = odd === undefined && json.length === own.length
  return [{ asked, holds, saw: `${json.length} answers, ${quoted(odd)} odd`, reply }]
}

/** Several calls at the same time, two with each id: each has its own answer. */
async function sideBySide(post: Post): Promise<Look[]> {
  const pairs = several.slice(0, 10).flatMap((one, at) => [one, others[at]!])
  const replies = await Promise.all(pairs.map((one) => post(JSON.stringify(bodyOf(one)))))
  return pairs.flatMap((one, at): Look[] => {
    const reply = replies[at]!
    // That they are too many at once is no answer to any of them.
    if (!isAnswered(reply) || isAboutService(reply)) return []
    const asked = `one of ${pairs.length} at once, ${JSON.stringify(one)}`
    return [{ asked, holds: isBlock(reply.json, one), saw: quoted(reply.json), reply }]
  })
}

/** A call may do without params (JSON-RPC 2.0, section 4): where none are needed, none is as []. */
async function withoutParams(post: Post): Promise<Look[]> {
  const bare = { jsonrpc: '2.0', method: 'eth_chainId' }
  const given = await post(JSON.stringify({ ...bare, params: [], id: 51 }))
  if (resultOf(given) === undefined) return []
  const reply = await post(JSON.stringify({ ...bare, id: 52 }))
  const holds = resultOf(reply) === resultOf(given) && reply.json.id === 52
  return [{ asked: 'a call without params', holds, saw: quoted(reply.json), reply }]
}

export default check({
  title: 'What comes back for a call is its response, and for what is no call an error',
  clauses: [clause],
  needs: ['gateway'],
  async run({ gateway, credentials, verify }) {
    const [network] = shownNetworks as [string]
    const way = await wayTo(network, { gateway, credentials })
    // Who is served in another way only departs from what another clause says.
    if (way === undefined || way.departure !== undefined) return
    const client: Client = anonymous(gateway)
    const headers = { 'content-type': 'application/json' }
    const post = (body: string) => client.post(`/v1/${network}`, { headers, body })
    const looks: Look[] = []
    for (const body of writings) {
      const reply = await post(body)
      const holds = isBlock(reply.json, { block: 1, id: 41 })
      // A young chain has no second block; a refusal is one however the call is written.
      if (body === written && !isItem(resultOf(reply))) return
      looks.push({ asked: body, holds, saw: `${reply.because}, ${quoted(reply.json)}`, reply })
    }
    const bodies = [several, others].map((own) => together(post, own))
    looks.push(...(await Promise.all(bodies)).flat(), ...(await sideBySide(post)))
    looks.push(...(await withoutParams(post)))
    for (const [body, ids] of refused) {
      const reply = await post(body)
      if (!isAnswered(reply)) return
      const saw = `${reply.because}, ${quoted(reply.json)}`
      looks.push({ asked: body, holds: isProperRefusal(reply, ids), saw, reply })
    }
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
})
