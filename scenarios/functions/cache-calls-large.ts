import { cacheCallLimit } from './_cache-calls.ts'

export default cacheCallLimit({
  title: 'On larger plans a function may call the cache 1,000 times for a request, and not more',
  each: { 'unbound-standard': 1_000 },
  tier: 'full'
})
