import { check } from 'plimsoll'
import { commonDeparture, documentedWay, resultOf, shownNetworks } from './_way.ts'

/** A check of what every call has: contradicted by a target that only serves calls without it. */
export function everyCall({ clause, title }: { clause: string; title: string }) {
  return check({
    title,
    clauses: [clause],
    needs: ['gateway'],
    async run({ gateway, credentials, verify }) {
      const departure = await commonDeparture({ gateway, credentials })
      if (departure === undefined) return
      const [network] = shownNetworks as [string]
      const reply = await documentedWay({ gateway, credentials }).ask({ network })
      // It was served just now: what does not show that again is no evidence for it.
      if (departure === '' && resultOf(reply) === undefined) return
      verify(clause, { holds: departure !== clause, saw: reply.because }, reply)
    }
  })
}
