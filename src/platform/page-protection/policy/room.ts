import type { PageProtectionLimits } from '../limits.ts'
import { application, headerBytes, headerOf } from './header.ts'
import type { Policy } from './policy.ts'

/**
 * What is wrong with these as all the policies of a zone, in words; undefined when nothing is. Any
 * of those that are on may match a request, so the head that all of them make has to be readable.
 * A zone that has had too much before that was so may still have less.
 */
export function roomFault(
  { before, after }: { before: readonly Policy[]; after: readonly Policy[] },
  limits: Pick<PageProtectionLimits, 'policies' | 'policyHeadBytes'>
): string | undefined {
  if (after.length > limits.policies && after.length > before.length)
    return `a zone may have ${limits.policies} policies at most; delete some before you add more`
  const bytes = headBytes(after)
  if (bytes <= limits.policyHeadBytes || bytes <= headBytes(before)) return undefined
  const most = `${limits.policyHeadBytes} bytes of response headers at most`
  return `the policies that are on may make ${most}, these make ${bytes}; shorten or turn off some`
}

function headBytes(policies: readonly Policy[]): number {
  const on = policies.filter((policy) => application.isEnabled(policy))
  return on.reduce((sum, policy) => sum + headerBytes(headerOf(policy)), 0)
}
