import type { Call } from './call.ts'

/** Seconds between blocks, by the chain's own time: what it shows never depends on the hour. */
const blockSeconds = 12

/** The first of the accounts a development chain gives money to, and some of the others. */
const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const others = [
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  '0x90f79bf6eb2c4f870365e785982e1f101e93b906'
]

/** How many payments there are in each of the first blocks. */
const payments = [1, 2, 0, 3, 1, 0, 2]

/** Makes a contract that answers 42 to whatever it is asked. */
const contract = '0x69602a60005260206000f3600052600a6016f3'

const call = (method: string, ...params: unknown[]): Call => ({
  method,
  params: JSON.stringify(params)
})

/** Makes a block of what was sent since the last one. */
export const mine: Call = call('evm_mine')

/** A payment of so many wei, to one of the other accounts. */
const payment = (wei: number): Call =>
  call('eth_sendTransaction', {
    from,
    to: others[wei % others.length],
    value: `0x${wei.toString(16)}`
  })

/** What a chain is told before anybody else may speak to it, so that there is something to read. */
export function beginning(): Call[] {
  let wei = 0
  const blocks = payments.map((count) => Array.from({ length: count }, () => payment(++wei)))
  const deployment = [call('eth_sendTransaction', { from, data: contract })]
  return [
    call('anvil_setLoggingEnabled', false),
    call('anvil_setBlockTimestampInterval', blockSeconds),
    call('evm_setAutomine', false),
    ...[...blocks, deployment].flatMap((block) => [...block, mine])
  ]
}
