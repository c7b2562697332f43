import { check, type Reply } from 'plimsoll'
import { quoted } from '../_reply.ts'
import { documentedWay } from '../gateway/_way.ts'

const rinkeby = 'unspecified.implied.rinkeby-after-date'
const unknown = 'unspecified.implied.unknown-network'

/** Response headers by which an end is announced. */
const announcing = ['deprecation', 'sunset', 'link', 'warning']

function answer({ because, headers, json, body }: Reply): string {
  const told = announcing.flatMap((name) => (headers[name] ? [`${name}: ${headers[name]}`] : []))
  const said = json?.error ?? json?.result ?? body
  return [because, ...told, quoted(said)].join(', ')
}

export default check({
  title: 'What a call to the deprecated network answers, and one to a network nobody knows',
  clauses: [rinkeby, unknown],
  needs: ['gateway'],
  async run({ gateway, credentials, observe }) {
    const { ask } = documentedWay({ gateway, credentials })
    const old = await ask({ network: 'rinkeby' })
    observe(rinkeby, answer(old), old)
    for (const network of ['no-such-network', 'mainnet', 'SEPOLIA']) {
      const reply = await ask({ network })
      observe(unknown, `${network}: ${answer(reply)}`, reply)
    }
  }
})
