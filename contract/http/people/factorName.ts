import { nameValue } from '#contract/call/values.ts'

const LONGEST_FACTOR_NAME = 60

export const factorName = nameValue(LONGEST_FACTOR_NAME)
