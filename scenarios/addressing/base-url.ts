import { check } from 'plimsoll'
import { reach } from '../_reach.ts'
import { contents, isBesideThePoint, isServed } from '../_reply.ts'
import { largest } from '../_zone.ts'

export default check({
  title: 'The base address ends in /client/v4, and an operation’s path is appended to it',
  clauses: ['addressing.base-url-suffix'],
  needs: ['management'],
  async run({ management, zones, verify }) {
    const reply = await reach(management, largest(zones))
    if (isBesideThePoint(reply) || (isServed(reply) && contents(reply) === 0)) return
    const { pathname } = new URL(management.url)
    const holds = /\/client\/v4\/?$/.test(pathname) && isServed(reply)
    const saw = `base address ${pathname}, ${reply.because}`
    verify('addressing.base-url-suffix', { holds, saw }, reply)
  }
})
