import { bodySize } from './_body-size.ts'

// What is too large in another way is asked about by `body-refusal-status`.
export default bodySize({
  title: 'A request body may be as large as the plan allows, and not larger',
  tier: 'quick',
  framings: { free: 'length', pro: 'chunked', business: 'expect', enterprise: 'chunked' }
})
