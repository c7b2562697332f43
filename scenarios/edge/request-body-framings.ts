import { bodySize } from './_body-size.ts'

export default bodySize({
  title: 'A request body may be as large as the plan allows in whatever other way it is sent',
  tier: 'full',
  framings: { free: 'chunked', pro: 'expect', business: 'chunked', enterprise: 'length' }
})
