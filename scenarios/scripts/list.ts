import { listCheck } from '../_list-check.ts'

export default listCheck({
  title: 'A zone’s scripts can be listed',
  clause: 'page-protection.script.list',
  kind: 'scripts',
  knownBy: ['js_integrity_score', 'hash']
})
