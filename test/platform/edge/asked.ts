import type { EdgeRequest } from '../../../src/platform/edge/request.ts'

/** A request as the edge receives it; what is not given is that of `GET /` without headers. */
export function request(more: Partial<EdgeRequest>): EdgeRequest {
  return {
    ...{ method: 'GET', target: '/', uri: '/', path: '/', host: 'a.test', headers: [] },
    ray: '0123456789abcdef',
    declaredBytes: 0,
    version: '1.1',
    from: { address: '127.0.0.1', port: 50_000, to: 80 },
    body: (async function* () {})(),
    ...more
  }
}
