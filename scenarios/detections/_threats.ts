/** What scenarios that say what is reported malicious name in `alone`. */
export const threatsLock = 'addresses reported malicious'
