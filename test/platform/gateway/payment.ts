import { privateKeyToAccount } from 'viem/accounts'

/** The key of the second account of every development chain; the world knows it. */
export const publicKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'

/** A payment of one wei on sepolia, signed. */
export function signedPayment({ nonce }: { nonce: number }): Promise<string> {
  return privateKeyToAccount(publicKey).signTransaction({
    type: 'eip1559',
    chainId: 11_155_111,
    nonce,
    to: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n
  })
}
