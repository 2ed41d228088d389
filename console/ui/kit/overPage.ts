/** Its list opens over a page, and what measures and scrolls that weighs as much as the rest of the kit. */
export { Select } from '@mantine/core'
