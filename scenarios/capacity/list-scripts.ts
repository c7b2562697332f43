import { capacity } from 'plimsoll'

export default capacity({
  title: 'Listing scripts is held at 400 a second and more, 99 in 100 within 50 ms',
  tier: 'full',
  needs: ['management'],
  perSecond: 400,
  p99Ms: 50,
  seconds: 60,
  connections: 20,
  request: ({ management, zones }) => management.get(`/zones/${zones.pro}/page_shield/scripts`)
})
