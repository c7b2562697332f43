import { subrequestLimit } from './_subrequests.ts'

export default subrequestLimit({
  title: 'On larger plans a function may make 1,000 subrequests for a request, and not more',
  each: { unbound: 1_000, standard: 1_000 },
  tier: 'full'
})
