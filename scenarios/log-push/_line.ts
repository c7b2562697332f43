import type { Reply } from 'plimsoll'
import { isRefused, isServed } from '../_reply.ts'

/** A size of filters that must be taken, and one that must be refused; "about" lies between. */
export type Band = {
  unit: string
  taken: number
  refused: number
  filter: (size: number) => string
}

/** Offers a job with a filter. */
export type Ask = (filter: string) => Promise<Reply>

/** Where within a band a target draws the line; the replies are those at the band's ends. */
export async function lineIn({ unit, taken, refused, filter }: Band, ask: Ask) {
  const small = await ask(filter(taken))
  const large = await ask(filter(refused))
  let [below, above] = [taken, refused]
  while (isServed(small) && isRefused(large) && above - below > 1) {
    const middle = Math.floor((below + above) / 2)
    if (isServed(await ask(filter(middle)))) below = middle
    else above = middle
  }
  const fate = (reply: Reply) => (isServed(reply) ? 'taken' : `refused (${reply.because})`)
  const saw = `${below} ${unit} ${fate(small)}, ${above} ${unit} ${fate(large)}`
  return { small, large, holds: isServed(small) && isRefused(large), saw }
}
