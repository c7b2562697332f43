import { everyCall } from './_every-call.ts'

export default everyCall({
  clause: 'gateway.request.field.jsonrpc',
  title: 'The field jsonrpc is the string "2.0"'
})
