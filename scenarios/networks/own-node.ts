import { check, type Look, summary } from 'plimsoll'
import { isServed, quoted } from '../_reply.ts'
import { largest } from '../_zone.ts'
import { isResultOf, openNode } from './_own-node.ts'

const clause = 'gateway.json-rpc-call'

const word = (digits: string) => `0x${digits.padStart(64, '0')}`
const account = '0x00000000000000000000000000000000000000ff'
/** Every sort of value that a call may have among its params, at every place. */
const calls = [
  { method: 'eth_getBlockByNumber', params: ['0x0', false] },
  { method: 'eth_getBlockByNumber', params: ['0x1b4', true] },
  { method: 'eth_chainId', params: [] },
  { method: 'eth_gasPrice', params: [] },
  { method: 'eth_getBalance', params: [account, 'latest'] },
  { method: 'eth_getStorageAt', params: [account, word('1'), 'latest'] },
  { method: 'eth_getProof', params: [account, [word('2'), word('3')], '0x1b4'] },
  { method: 'eth_feeHistory', params: ['0x4', 'latest', [25, 62.5, 75]] },
  { method: 'eth_call', params: [{ to: account, data: `0x${'5c'.repeat(4_000)}` }, 'latest'] },
  {
    method: 'eth_getLogs',
    params: [{ fromBlock: '0x1', toBlock: '0x1b4', topics: [null, [word('4'), word('5')]] }]
  }
]
/** What a gateway need not pass on, and that there were too many calls (JSON-RPC 2.0, EIP-1474). */
const refusals = [-32_601, -32_005]
const patienceMs = 10_000

/** What comes of a call to a network, if anything does. */
async function asked(network: string, call: object): Promise<any> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(call)
  const signal = AbortSignal.timeout(patienceMs)
  const sent = fetch(network, { method: 'POST', headers, body, signal })
  return sent.then((response) => response.json()).catch(() => undefined)
}

export default check({
  title: 'A call reaches the node behind its network, and what that answers to it comes back',
  clauses: [clause],
  // Not the gateway: where each call fails, its canary does, and only the node tells whose fault.
  needs: ['management', 'network', 'reach'],
  async run({ management, zones, adapter, verify }) {
    await using node = await openNode()
    const network = await adapter.network(await adapter.reach(node.port))
    const looks: Look[] = []
    for (const [id, call] of calls.entries()) {
      const before = node.calls.length
      const said = await asked(network, { jsonrpc: '2.0', ...call, id })
      // Whoever answers here is there; that the gateway answered at all is the matter of others.
      const reply = await management.get(`/zones/${largest(zones)}/page_shield`)
      if (said === undefined || !isServed(reply)) return
      if (refusals.includes(said.error?.code)) continue
      const holds = said.id === id && isResultOf(said.result, call)
      const times = node.calls.length - before
      const saw = `the node was asked ${times} times, and what came is ${quoted(said)}`
      looks.push({ asked: `${call.method} ${quoted(call.params)}`, holds, saw, reply })
    }
    // An id is its caller's: others may have the same one at the same time.
    const one = { jsonrpc: '2.0', id: 7 }
    const all = await Promise.all(calls.map((call) => asked(network, { ...one, ...call })))
    const reply = await management.get(`/zones/${largest(zones)}/page_shield`)
    if (!isServed(reply)) return
    for (const [at, call] of calls.entries()) {
      const said = all[at]
      if (said === undefined || refusals.includes(said.error?.code)) continue
      const holds = said.id === one.id && isResultOf(said.result, call)
      looks.push({ asked: `${call.method}, all at once`, holds, saw: quoted(said), reply })
    }
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
})
