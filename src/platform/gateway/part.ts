import { part } from '../kernel/part.ts'
import { gatewayControl } from './control.ts'
import { gateway } from './gateway.ts'
import { type GatewayRules, gatewayRules } from './rules.ts'
import { transactionTable } from './transactions.ts'

/** How a platform is started, as far as the gateway is concerned. */
export type GatewayOptions = {
  /** Addresses of JSON-RPC nodes by network, in place of the development chains. */
  gateway?: Record<string, string>
}

/** The blockchain gateway, with development chains behind it. */
export const gatewayPart = part<'gateway', GatewayRules, GatewayOptions>({
  name: 'gateway',
  rules: gatewayRules,
  migrations: [{ version: 8, sql: transactionTable }],
  open({ store, egress }, { rules, options }) {
    const service = gateway({ rules, store, upstreams: options.gateway, egress })
    const listener = { key: 'gateway', words: 'the gateway', offset: 1, service }
    return { listener, control: gatewayControl(service), reset: () => service.reset }
  },
  breaks: () => import('./mutants/mutants.ts')
})
