import { hold, load, open, warmUp } from 'plimsoll'

const json = {
  jsonrpc: '2.0',
  method: 'eth_getBlockByNumber',
  params: ['0x0', false],
  id: 1
}

export default load({
  title: 'The gateway answers 100 block queries a second, 99 in 100 within 250 ms',
  tier: 'full',
  needs: ['gateway'],
  load: open(warmUp(hold({ rate: 20, seconds: 3 })), hold({ rate: 100, seconds: 10 })),
  objectives: { p99Ms: 250, errorRatio: 0.001, droppedRatio: 0 },
  request: ({ gateway }) => gateway.post('/v1/sepolia', { json })
})
