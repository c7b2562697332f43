import type { Operation } from '../kernel/api/operation.ts'

/** Reads a zone. The document does not show it; the path is the one it would have. */
export const zoneOperations = {
  'zone.get': {
    method: 'GET',
    path: '/zones/:zone',
    permission: 'zone:read',
    run: ({ zone: { id, host, plan } }) => ({ result: { id, name: host, plan } })
  }
} satisfies Record<string, Operation>
