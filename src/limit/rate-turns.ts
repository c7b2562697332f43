import type { RateLimit } from './rate-limit.ts'
import type { Questions, RateAsker } from './rate-question.ts'

/** How many are asked one after another at most, and for how many ms. */
const row = { most: 2_500, forMs: 5_000 }

/** How many of them have to be refused, before it is asked more slowly and then. */
const fewest = { fast: 4, slow: 3 }

/** How many times as slowly it is asked then. */
const slower = 3

/** What part of the share at first has to be refused then, and of those the next let through. */
const parts = { share: 0.6, alone: 0.3 }

/** How many were asked in a row, how many of them refused, and how many of those alone. */
type Row = { asked: number; refused: number; alone: number; everyMs: number }

/**
 * Refusals that no limit on the rate explains: now and then one is refused, the next is let
 * through, and as many are when it is asked a third as fast, as of a service that fails at times,
 * or one that counts something else than time. Undefined where it is not so.
 */
export function* byTurns(asking: RateAsker): Questions<RateLimit | undefined> {
  const fast = yield* inRow(asking, 0, row.most)
  if (fast.refused < fewest.fast || fast.alone < parts.alone * fast.refused) return
  const slow = yield* inRow(asking, (slower - 1) * fast.everyMs, fast.asked)
  const [share, later] = [fast, slow].map(({ refused, asked }) => refused / asked) as [
    number,
    number
  ]
  if (slow.refused < fewest.slow || later < parts.share * share) return
  if (slow.alone < parts.alone * slow.refused) return
  const because =
    `${inWords(fast)} asked one after another were refused, and ${inWords(slow)} a third as ` +
    'fast, and the next was often let through: no limit on the rate that is known does so'
  return { algorithm: 'unclear', status: asking.status!, because, repeats: '2/2' }
}

/** Asks one after another, whatever is refused, so many ms apart, for a while. */
function* inRow(asking: RateAsker, apartMs: number, most: number): Questions<Row> {
  const from = asking.now
  const forMs = apartMs > 0 ? slower * row.forMs : row.forMs
  const kinds: boolean[] = []
  while (kinds.length < most && asking.now < from + forMs) {
    const left = most - kinds.length
    const many = apartMs > 0 ? 1 : left
    const end = from + forMs - asking.now
    const { seen } = yield* asking.burst(asking.now + apartMs, many, { inFlight: 1, forMs: end })
    if (seen.length === 0) break
    kinds.push(...seen.flatMap(({ kind }) => (kind === 'unclear' ? [] : kind === 'accepted')))
  }
  const refused = kinds.filter((isAccepted) => !isAccepted).length
  const alone = kinds.filter((isAccepted, index) => !isAccepted && kinds[index + 1] === true).length
  const asked = kinds.length
  return { asked, refused, alone, everyMs: (asking.now - from) / Math.max(1, asked) }
}

function inWords({ refused, asked }: Row): string {
  return `${refused.toLocaleString('en')} of ${asked.toLocaleString('en')}`
}

/** How many on new connections are let through, and how many on those that stay are not. */
const enough = 12

/** How many are asked at most on connections that stay, to find one that is refused. */
const mostKept = 120

/**
 * Refusals that depend on the connection: on those that stay all are refused, and each on one of
 * its own is let through, twice. Undefined where one that is new is refused, too.
 */
export function* byConnection(asking: RateAsker): Questions<RateLimit | undefined> {
  for (let round = 0; round < 2; round++) {
    for (let nth = 0; nth < enough; nth++) {
      const apart = yield* asking.burst(0, 1, { inFlight: 1, isApart: true })
      if (apart.accepted === 0) return
    }
    let refused = 0
    for (let nth = 0; nth < mostKept && refused < enough; nth++) {
      const kept = yield* asking.burst(0, 1, { inFlight: 1 })
      refused = kept.refused ? refused + 1 : 0
    }
    if (refused < enough) return
  }
  const because =
    'refusals depend on the connection: on those that stay it is refused, and on a new one ' +
    'each is let through at the same time; --limits requests-per-connection asks about that'
  return { algorithm: 'unclear', status: asking.status!, because, repeats: '2/2' }
}
