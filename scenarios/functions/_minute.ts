import type { Client, Context, Reply } from 'plimsoll'
import { isOk } from 'plimsoll'
import { count, crowd } from './_crowd.ts'

const most = 1_000
/** So many more, of which every one is refused. */
const more = 100
const minuteMs = 60_000
/** So far into a minute of the clock it may begin. */
const mostIntoMs = 20_000
/** Who gives back what was used bit by bit gives back more than these few in so long. */
const [few, backMs] = [20, 6_000]
/** How often it is begun anew where another minute may have begun in the midst of it. */
const looks = 2

// With which status is the matter of another clause.
const isRefused = ({ status }: Reply) => status >= 400

/** What came of more requests than an account has in a minute, and when, on the target's clock. */
export type Minute = {
  holds: boolean
  saw: string
  began: number
  ended: number
  refused: number
  replies: [Reply, ...Reply[]]
}

/**
 * Sends an account 1,000 requests and 100 more in what is one minute by any clock, the same number
 * by each of some ways: exactly 1,000 are served. Undefined where that takes too long.
 */
export async function spendMinute(
  context: Context,
  ways: readonly Client[]
): Promise<Minute | undefined> {
  for (let look = 1; ; look++) {
    const minute = await spend(context, ways)
    if (minute === undefined || minute.holds || look === looks) return minute
  }
}

async function spend({ adapter, random }: Context, ways: readonly Client[]) {
  // Where minutes are those of the clock, one has begun; where they begin anywhere, each look is in
  // another place of them. What was asked before is more than a minute ago.
  const into = Math.floor(mostIntoMs * random())
  const began = await adapter.clock(2 * minuteMs - ((await adapter.clock(0)) % minuteMs) + into)
  const send = async (requests: number) => {
    const replies: Reply[] = []
    for (const way of ways) replies.push(...(await crowd(way, requests / ways.length)))
    return replies
  }
  const within = await send(most)
  const beyond: Reply[] = []
  let [ended, back] = [began, 0]
  // The slower they are answered, the more may have been given back meanwhile.
  do {
    beyond.push(...(await send(more)))
    ended = await adapter.clock(0)
    back = ((ended - began) * most) / minuteMs + 1
  } while (beyond.every(isOk) && beyond.length <= back)
  if (ended - began > minuteMs - mostIntoMs) return undefined
  const [served, refused] = [count(within, isOk), count(beyond, isRefused)]
  const saw = `${served} of ${most} are served, ${refused} of ${beyond.length} more are refused`
  const odd = [...within.filter((reply) => !isOk(reply)), ...beyond.filter(isOk)].slice(0, 3)
  const replies: Minute['replies'] = [within[0]!, ...odd, beyond.at(-1)!]
  const isAll = refused === beyond.length
  if (served < most || isAll || beyond.length - refused > back)
    return { holds: served === most && isAll, saw, began, ended, refused, replies }
  // So few may be those that were given back meanwhile: such a minute goes on giving back.
  await adapter.clock(backMs)
  const again = count(await crowd(ways[0]!, few), isOk)
  const told = `${saw}, and ${again} of ${few} ${backMs / 1_000} s later are served`
  return { holds: again === few, saw: told, began, ended, refused, replies }
}

/** Seconds into a minute at which it is looked into: one of half of it has begun twice by then. */
const looksInto = [10, 20, 30, 40, 50, 58]

/**
 * Looks into a minute that was used up, and says whether it is one: by no clock does another one
 * begin more than once in less than 60 seconds; and when it is over. Undefined where as long has
 * gone by.
 */
export async function isAMinute(
  { adapter }: Context,
  { way, minute }: { way: Client; minute: Minute }
) {
  const { began, ended } = minute
  let [again, over] = [0, ended + minuteMs]
  for (const seconds of looksInto) {
    const sinceMs = (await adapter.clock(0)) - began
    await adapter.clock(Math.max(0, seconds * 1_000 - sinceMs))
    if (isOk(await way.get('/'))) {
      again += 1 + count(await crowd(way, most + more), isOk)
      over = (await adapter.clock(0)) + minuteMs
    }
    if (sinceMs >= minuteMs) return undefined
  }
  return { holds: again <= most + few, over }
}
