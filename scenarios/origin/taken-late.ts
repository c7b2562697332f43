import { type Client, check, isOk, type Look, MiB, summary } from 'plimsoll'
import { http2To, isAnswer, isMute, persistently, type Question, wordsOf } from '../_http2.ts'
import { keptTo } from '../_kept.ts'
import { askTwin, goesOn, type Twin, withTwin } from '../_twin.ts'
import { originServer } from '../detections/_origin.ts'
import { echo } from '../edge/_echo.ts'

const clause = 'limits.response.no-size-limit'
/** Far more than is under way before anybody takes it. */
const body = 'large, '.repeat(60_000)
/** More than anybody would keep of an answer at once. */
const larger = Buffer.alloc(21 * MiB, 'x').toString()
/** How long nothing of an answer is taken, of which each is then read to its end. */
const restMs = 150
/** What is answered with it: as a whole, in chunks, and from what is kept. */
const paths = { '/whole': 'whole', '/chunks': 'in chunks', '/kept': 'that may be kept' }

/** A twin, or the target that it is one of. */
type Asked = Pick<Twin, 'edge' | 'adapter'>

/** Zones whose pages are large, one by a page of its own and one by a server. */
async function zonesOf({ adapter }: Asked, url: string) {
  const { zone, page, origin } = adapter as Required<typeof adapter>
  const [own, behind] = [await zone('enterprise'), await zone('enterprise')]
  await page(own.id, body)
  await origin(behind.id, url)
  return { own, behind }
}

/** What tells how an answer came, by the way it comes; undefined where that is not spoken. */
const ways = { 'over HTTP/1.1': keptTo, 'over HTTP/2': http2To }

type Large = { host: string; path: string; what: string; whole?: string }

/** Asks a twin for a large answer in every way at once, and takes none of it for a while. */
async function late({ host, path }: Large, { url, reach }: Pick<Client, 'url' | 'reach'>) {
  const tolds = Object.entries(ways).map(async ([way, connect]) => {
    const connection = await connect({ url, headers: { host }, reach })
    const question: Question = { method: 'GET', path }
    const beside = { ...question, path: '/small' }
    const told = connection && (await persistently(connection, { ...question, restMs }, beside))
    connection?.close()
    return { way, told }
  })
  return Promise.all(tolds)
}

type Target = { edge: Client; twin: Asked; url: string; isItself?: boolean }

/** Asks for large answers in every way, and takes none of them at once. */
async function takenLate({ edge, twin, url, isItself }: Target) {
  const { own, behind } = await zonesOf(twin, url)
  const small = { path: '/small', headers: { host: behind.host } }
  const isAnswering = async () => (await askTwin(twin.edge, small))?.status === 200
  const beside = () => edge.get(echo)
  const first = await beside()
  if (!isOk(first) || !(await isAnswering())) return []
  const { route } = edge.reach
  const addresses = [new URL(twin.edge.url).hostname]
  const reach = { ...edge.reach, route: { ...route, addresses } }
  // The second time it comes from what is kept, if anything is.
  const served = [...Object.entries(paths), ['/kept', paths['/kept']] as const]
  const dear = { host: behind.host, path: '/larger', what: 'in chunks', whole: larger }
  const asked: Large[] = [
    { host: own.host, path: '/', what: 'of a page' },
    ...served.map(([path, what]) => ({ host: behind.host, path, what })),
    ...(isItself ? [dear] : [])
  ]
  const looks: Look[] = []
  for (const one of asked) {
    const { what, whole = body } = one
    let isMuteOnce = false
    for (const { way, told } of await late(one, { url: twin.edge.url, reach })) {
      if (told === undefined) continue
      const words = `${whole.length} bytes ${what} ${way}, none of them taken for ${restMs} ms`
      if (isAnswer(told) || isMute(told)) {
        const came = isAnswer(told) ? told.text.length : 0
        const saw = `${wordsOf(told)}, ${came} bytes`
        looks.push({ asked: words, holds: came === whole.length, saw, reply: first })
        isMuteOnce ||= isMute(told)
        continue
      }
      const look = await goesOn(words, { isAnswering, beside })
      if (look?.holds === false) looks.push(look)
      // Of one that stands still nothing more is known.
      if (look?.holds !== true) return looks
    }
    // Who is mute on one has been waited for long enough.
    if (isMuteOnce) break
  }
  return looks
}

export default check({
  title: 'A large answer that is taken slowly arrives whole, also over HTTP/2 where that is spoken',
  clauses: [clause],
  needs: ['edge', 'zone', 'page', 'origin', 'twin'],
  async run(context) {
    await using origin = await originServer((path) => ({
      type: 'text/plain',
      ...(path === '/kept' && { isKept: true }),
      ...(['/chunks', '/larger'].includes(path) && { isChunked: true }),
      body: { '/small': 'small', '/larger': larger }[path] ?? body
    }))
    await withTwin(context, async (twin) => {
      const { adapter } = context
      const [edge, url] = [context.edge.zone('pro'), origin.url]
      const looks = await takenLate({ edge, twin, url })
      // What did not bring its twin down is asked of the target itself.
      if (looks.length > 0 && looks.every(({ holds }) => holds))
        looks.push(
          ...(await takenLate({
            edge,
            twin: { edge: { url: edge.url }, adapter },
            url,
            isItself: true
          }))
        )
      const found = summary(looks)
      if (found) context.verify(clause, ...found)
    })
  }
})
