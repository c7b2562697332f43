import { cacheCallLimit } from './_cache-calls.ts'

export default cacheCallLimit({
  title: 'On smaller plans a function may call the cache 50 times for a request, and not more',
  each: { free: 50, bundled: 50 }
})
