import { textValue } from '#contract/call/values.ts'

const LONGEST_FACTOR_NAME = 60

export const factorName = textValue(LONGEST_FACTOR_NAME).trim().min(1)
