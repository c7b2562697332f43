import { subrequestLimit } from './_subrequests.ts'

export default subrequestLimit({
  title: 'On smaller plans a function may make 50 subrequests for a request, and not more',
  each: { free: 50, bundled: 50 }
})
