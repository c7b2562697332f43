import type { Adapter, Target } from 'plimsoll'

/** What the reference platform can do beyond the document, through its control listener. */
export function adapter(target: Target): Adapter {
  const ask = async (path: string, body: unknown, method = 'POST'): Promise<any> => {
    const response = await fetch(`${target.endpoints.control!.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
    const answer: any = await response.json()
    if (!response.ok) throw new Error(answer.error)
    return answer
  }
  return {
    zone: (plan) => ask('/zones', { plan }),
    detections: async (zone, seed) => void (await ask(`/zones/${zone}/detections`, seed)),
    page: async (zone, html) => {
      const origin = `data:text/html;charset=utf-8,${encodeURIComponent(html)}`
      await ask(`/zones/${zone}`, { origin }, 'PATCH')
    },
    clock: async (forwardMs) => (await ask('/clock', { forwardMs })).now
  }
}
