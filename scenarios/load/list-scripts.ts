import { hold, load, open, ramp, warmUp } from 'plimsoll'

export default load({
  title: 'Listing scripts answers 500 times a second, 99 in 100 within 100 ms',
  tier: 'full',
  needs: ['management'],
  load: open(warmUp(ramp({ from: 50, to: 500, seconds: 3 })), hold({ rate: 500, seconds: 10 })),
  objectives: { p99Ms: 100, errorRatio: 0.001, droppedRatio: 0 },
  request: ({ management, zones }) => management.get(`/zones/${zones.pro}/page_shield/scripts`)
})
