import { startAnvil } from '../../../src/platform/gateway/anvil.ts'
import { networks } from '../../../src/platform/gateway/network.ts'

// A process that starts a chain and never ends it, for what becomes of the chain when it dies.
const { url } = await startAnvil(networks.sepolia)
process.send!(url)
