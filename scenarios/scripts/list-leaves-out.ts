import { check } from 'plimsoll'
import { items } from '../_reply.ts'
import { largest } from '../_zone.ts'

const clause = 'page-protection.script.page-urls-versions-not-in-list'

export default check({
  title: 'The list of scripts leaves out their pages and versions',
  clauses: [clause],
  needs: ['management'],
  async run({ management, zones, verify }) {
    const reply = await management.get(`/zones/${largest(zones)}/page_shield/scripts`)
    if (items(reply).length === 0) return
    const shown = ['page_urls', 'versions'].filter((field) =>
      items(reply).some((item) => field in item)
    )
    const saw = shown.length > 0 ? `${shown.join(' and ')} in the list` : 'neither in the list'
    verify(clause, { holds: shown.length === 0, saw }, reply)
  }
})
