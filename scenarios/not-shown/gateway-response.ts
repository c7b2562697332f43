import { check, type Reply } from 'plimsoll'
import { isItem, quoted } from '../_reply.ts'
import { documentedWay, shownNetworks } from '../gateway/_way.ts'

const clause = 'unspecified.gateway.response'
const type = { 'content-type': 'application/json' }

/** The type of a response, its members and, where it has one, its error. */
function shape({ because, headers, json }: Reply): string {
  const members = isItem(json) ? Object.keys(json).join(', ') : quoted(json)
  const error = isItem(json?.error) ? `: ${json.error.code}, ${quoted(json.error.message)}` : ''
  return `${because}, ${headers['content-type'] ?? 'no type'}, ${members}${error}`
}

export default check({
  title: 'What a response of the gateway looks like, and what it says to calls that are none',
  clauses: [clause],
  needs: ['gateway'],
  async run({ gateway, credentials, observe }) {
    const [network] = shownNetworks as [string]
    const { ask } = documentedWay({ gateway, credentials })
    const path = `/v1/${network}`
    const call = { jsonrpc: '2.0', method: 'eth_chainId', params: [], id: 1 }
    const raw = (body: string) => gateway.post(path, { body, headers: type })
    const asked: [string, Promise<Reply>][] = [
      ['a block', ask({ network })],
      ['a block that is not there', ask({ network, block: '0xffffffffffff' })],
      ['an unknown method', ask({ network, method: 'no_such_method' })],
      ['params of no sense', gateway.post(path, { json: { ...call, params: 'all' } })],
      ['no jsonrpc', gateway.post(path, { json: { ...call, jsonrpc: undefined } })],
      [
        'an id of 20 digits',
        raw('{"jsonrpc":"2.0","method":"eth_chainId","id":12345678901234567890}')
      ],
      ['broken JSON', raw('{"jsonrpc":')],
      ['text/plain', gateway.post(path, { body: '{}', headers: { 'content-type': 'text/plain' } })],
      ['OPTIONS', gateway.options(path)]
    ]
    for (const [what, reply] of asked) {
      const came = await reply
      observe(clause, `${what}: ${shape(came)}`, came)
    }
  }
})
