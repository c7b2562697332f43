import { hold, open, soak } from 'plimsoll'
import './_capabilities.ts'

export default soak({
  title: 'An hour of listing scripts 100 times a second leaves memory and latency as they were',
  tier: 'long',
  needs: ['management', 'figures'],
  load: { ...open(hold({ rate: 100, seconds: 3_600 })), connections: 10 },
  budgets: { rss: 0.1, heap: 0.1, p50: 0.1, errors: 0.1 },
  figures: ({ adapter }) => adapter.figures(),
  request: ({ management, zones }) => management.get(`/zones/${zones.pro}/page_shield/scripts`)
})
