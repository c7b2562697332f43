import { functionsPerAccount } from './_functions-per-account.ts'

export default functionsPerAccount({ kind: 'free', plans: ['free'], most: 100, asked: 1 })
