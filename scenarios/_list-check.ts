import { check } from 'plimsoll'
import type { Kind } from './_detections.ts'
import { isBesideThePoint, isItem, isServed, items, quoted } from './_reply.ts'
import { largest } from './_zone.ts'

type Options = {
  title: string
  clause: string
  kind: Kind
  /** Fields by which an item is known for what it is; one of them is enough. */
  knownBy: string[]
}

/** A check that a list operation is served: an array of records, and a `result_info`. */
export function listCheck({ title, clause, kind, knownBy }: Options) {
  return check({
    title,
    clauses: [clause],
    needs: ['management'],
    async run({ management, zones, verify }) {
      const reply = await management.get(`/zones/${largest(zones)}/page_shield/${kind}`)
      if (isBesideThePoint(reply)) return
      const { result, result_info: info } = reply.json ?? {}
      const isListed =
        Array.isArray(result) &&
        items(reply).length === result.length &&
        items(reply).every((item) => knownBy.some((field) => field in item))
      const holds = isServed(reply) && isListed && isItem(info)
      // An empty list shows no record.
      if (holds && items(reply).length === 0) return
      const shown = Array.isArray(result) ? `${result.length} items` : quoted(result)
      verify(
        clause,
        { holds, saw: `${reply.because}, ${shown}, result_info ${quoted(info)}` },
        reply
      )
    }
  })
}
