import { everyCall } from './_every-call.ts'

export default everyCall({
  clause: 'versioning.gateway-v1',
  title: 'The path of the gateway carries /v1'
})
