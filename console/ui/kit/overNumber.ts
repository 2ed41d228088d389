import { NumberInput } from '@mantine/core'

/** What reads and writes numbers while they are typed weighs as much as a screen. */
export const OVER_NUMBER = { NumberInput }
